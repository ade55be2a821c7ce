import { z } from 'zod';
import type { ToolEffect } from '../records/index.ts';
import { DEADLINES, type Deadlines } from './deadlines.ts';
import {
  type DecisionTerms,
  problemWithDeciders,
  readTerms,
  type WrittenTerms,
  writtenTermsShape,
} from './deciders.ts';
import { DEFAULT_TRUST, type Tool, type TrustPreset } from './tool.ts';
import { Effect, Trust } from './tool-check.ts';

/** The deployment's settings for one tool. They override what the tool says itself. */
export interface ToolPolicy extends DecisionTerms, Deadlines {
  readonly effect?: ToolEffect | undefined;
  /** Required to open a tool that is not open by itself. */
  readonly because?: string | undefined;
  readonly trust?: TrustPreset | undefined;
  /** Decided on a page outside of Slack, by an approver who is signed on there. */
  readonly secondFactor?: boolean | undefined;
}

/** The same as a deployment writes it. */
export type WrittenPolicy = Omit<ToolPolicy, keyof DecisionTerms> & WrittenTerms;

export const ToolPolicySchema = z
  .strictObject({
    effect: Effect.optional(),
    because: z.string().trim().min(1, 'must be a reason, or be left out').optional(),
    ...writtenTermsShape,
    trust: Trust.optional(),
    secondFactor: z.boolean('must be true or false').optional(),
    ...DEADLINES,
  })
  .transform((policy): ToolPolicy => readTerms(policy));

export type PolicyResult =
  | { readonly ok: true; readonly tool: Tool }
  | { readonly ok: false; readonly key: keyof ToolPolicy; readonly problem: string };

/** Applies the policy to the tool, or says which part of it cannot be. */
export function applyPolicy(tool: Tool, policy: ToolPolicy): PolicyResult {
  const effect = policy.effect ?? tool.effect;
  const because = policy.because ?? (effect === tool.effect ? tool.because : undefined);
  const { approvers, findApprovers, quorum, stages } = decidersOf(tool, policy);
  const wrong = (key: keyof ToolPolicy, problem: string): PolicyResult => ({ ok: false, key, problem });

  if (tool.wants !== undefined && effect !== 'asked')
    return wrong(
      'effect',
      `cannot be '${effect}': this tool asks a person, and their answer is its result. Leave effect out`,
    );
  if (effect === 'open' && because === undefined)
    return wrong('effect', "is 'open' without a reason: add because: '…' that says why no person needs to be asked");
  if (effect === 'open' && (policy.approvers ?? policy.stages) !== undefined)
    return wrong('approvers', 'names people for an open tool, which never asks. Leave them out, or make it asked');
  if (effect !== 'asked' && policy.trust !== undefined)
    return wrong(
      'trust',
      `cannot be given: only an asked tool can be trusted, and this one is ${effect}. Leave trust out`,
    );
  const secondFactor = policy.secondFactor ?? (effect === 'guarded' ? tool.secondFactor : undefined);
  if (secondFactor === true && effect !== 'guarded')
    return wrong(
      'secondFactor',
      "is for guarded tools: any other can be trusted from Slack alone. Add effect: 'guarded'",
    );

  const selfApproval =
    policy.selfApproval ?? (effect === tool.effect && policy.approvers === undefined ? tool.selfApproval : undefined);
  const terms = { approvers, quorum, stages, selfApproval };
  const problem = effect === 'open' ? undefined : problemWithDeciders(terms, effect);
  if (problem !== undefined) return wrong(problem.key, problem.problem);

  const trust = effect === 'asked' ? (policy.trust ?? tool.trust ?? DEFAULT_TRUST) : undefined;
  const { expireAfterMs, remindAfterMs, escalateAfterMs, escalateTo } = policy;
  const deadlines = { expireAfterMs, remindAfterMs, escalateAfterMs, escalateTo };
  const self = selfApproval ?? (approvers.includes('requester') || effect !== 'guarded');
  const deciders = { approvers, findApprovers, quorum, stages, selfApproval: self };
  return { ok: true, tool: { ...tool, effect, because, ...deciders, trust, deadlines, secondFactor } };
}

/** People named in the policy replace all people named by the tool. */
function decidersOf(tool: Tool, policy: ToolPolicy): Pick<Tool, 'approvers' | 'findApprovers' | 'quorum' | 'stages'> {
  if (policy.stages !== undefined)
    return { approvers: policy.approvers ?? [], quorum: policy.quorum, stages: policy.stages };
  const { approvers, findApprovers } = policy;
  if (approvers !== undefined) return { approvers, findApprovers, quorum: policy.quorum, stages: undefined };
  return {
    approvers: tool.approvers,
    findApprovers: tool.findApprovers,
    quorum: policy.quorum ?? tool.quorum,
    stages: tool.stages,
  };
}
