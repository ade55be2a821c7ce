import { z } from 'zod';
import type { ToolEffect } from '../records.ts';
import { DEADLINES, type Deadlines } from './deadlines.ts';
import { DEFAULT_TRUST, type Tool, type TrustPreset } from './tool.ts';
import { ApproverId, Effect, Trust } from './tool-check.ts';

/** What a deployment lays down for one tool, over what the tool says of itself. */
export interface ToolPolicy extends Deadlines {
  readonly effect?: ToolEffect | undefined;
  /** Needed to make a tool open that was not. */
  readonly because?: string | undefined;
  readonly approvers?: readonly string[] | undefined;
  readonly selfApproval?: boolean | undefined;
  readonly trust?: TrustPreset | undefined;
}

export const ToolPolicySchema = z.strictObject({
  effect: Effect.optional(),
  because: z.string().trim().min(1, 'must be a reason, or be left out').optional(),
  approvers: z.array(ApproverId).optional(),
  selfApproval: z.boolean().optional(),
  trust: Trust.optional(),
  ...DEADLINES,
});

export type PolicyResult =
  | { readonly ok: true; readonly tool: Tool }
  | { readonly ok: false; readonly key: keyof ToolPolicy; readonly problem: string };

/** Lays the policy over the tool, or says which part of it cannot be. */
export function applyPolicy(tool: Tool, policy: ToolPolicy): PolicyResult {
  const effect = policy.effect ?? tool.effect;
  const because = policy.because ?? (effect === tool.effect ? tool.because : undefined);
  const approvers = policy.approvers ?? tool.approvers;
  const wrong = (key: keyof ToolPolicy, problem: string): PolicyResult => ({ ok: false, key, problem });

  if (effect === 'open' && because === undefined)
    return wrong('effect', "is 'open' without a reason: add because: '…' that says why nobody needs to be asked");
  if (effect === 'open' && policy.approvers !== undefined)
    return wrong('approvers', 'names people for an open tool, which never asks. Leave them out, or make it asked');
  if (effect !== 'asked' && policy.trust !== undefined)
    return wrong('trust', `cannot be given: only an asked tool can be trusted, and this one is ${effect}`);
  if (effect === 'guarded' && approvers.length === 0)
    return wrong(
      'approvers',
      'names nobody, so this guarded tool could never be approved. Add the Slack id of a person or a user group',
    );

  const selfApproval = policy.selfApproval ?? (effect === tool.effect ? tool.selfApproval : effect !== 'guarded');
  const trust = effect === 'asked' ? (policy.trust ?? tool.trust ?? DEFAULT_TRUST) : undefined;
  const { expireAfterMs, remindAfterMs, escalateAfterMs, escalateTo } = policy;
  const deadlines = { expireAfterMs, remindAfterMs, escalateAfterMs, escalateTo };
  return { ok: true, tool: { ...tool, effect, because, approvers, selfApproval, trust, deadlines } };
}
