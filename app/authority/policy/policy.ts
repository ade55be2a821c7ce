import { createHash } from 'node:crypto';
import { canonical, type Json } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { Judged } from '../../journal/index.ts';
import { type RuledBy, type StoredDecisionRule, type Thread, UserId } from '../../records/index.ts';
import { DEFAULT_TRUST, type DecisionTerms, type Tool, type TrustPreset } from '../../tools/index.ts';
import { fitting, type ReadRule, strongest, type Wanted } from './rules.ts';

/** What is to become of one call, and by which rule. */
export interface Judgement extends Judged {
  readonly ruledBy?: RuledBy;
  /** What one press of Trust offers; absent where nothing can be trusted. */
  readonly trust?: TrustPreset;
  /** Rules on trial that would have had a say. */
  readonly shadows: readonly { readonly name: string; readonly would: Wanted }[];
}

export interface JudgedCall {
  readonly tool: Tool;
  /** As the tool takes it. */
  readonly input: Json;
  readonly thread: Thread;
  readonly requester: UserId;
}

export type JudgeCall = (call: JudgedCall) => Judgement;

/**
 * The one answer to "what needs asking". The strongest rule that fits wins, and of equally strong ones the first. Where
 * none fits, the tool is what it was defined as: asked, unless somebody said otherwise and why.
 */
export function judgeCall(rules: readonly ReadRule[], { tool, input, thread, requester }: JudgedCall): Judgement {
  const fit = fitting(rules, { tool, input, channel: thread.channel, requester });
  const rule = strongest(fit);
  const effect = effectOf(tool, rule);
  const shadows = fit.filter(({ shadow }) => shadow).map(({ name, effect: would }) => ({ name, would }));
  const trust = effect === 'asked' && tool.wants === undefined ? (tool.trust ?? DEFAULT_TRUST) : undefined;
  return {
    effect,
    shadows,
    rule: ruleOf(effect === 'asked' || effect === 'guarded' ? underRule(tool, rule, effect) : tool),
    ...given({ ruledBy: rule && named(rule), trust }),
    ...(tool.secondFactor === true ? { secondFactor: true } : {}),
  };
}

/** No rule takes a guarded tool out of people's hands, whatever its author thought of. */
export function effectOf({ effect, wants }: Tool, rule: ReadRule | undefined): Judgement['effect'] {
  switch (rule?.effect) {
    case undefined:
      return effect;
    case 'deny':
      return 'denied';
    case 'guard':
      return 'guarded';
    case 'ask':
      return effect === 'guarded' ? 'guarded' : 'asked';
    case 'allow':
      if (wants !== undefined) return 'asked';
      return effect === 'guarded' ? 'guarded' : 'open';
  }
}

function named({ name, because }: ReadRule): RuledBy {
  return because === undefined ? { name } : { name, because };
}

type Deciders = DecisionTerms & { readonly approvers: readonly string[]; readonly selfApproval: boolean };

/** A rule may name other people than the tool does. What becomes guarded by it is not for its requester to wave through. */
export function underRule(
  tool: Pick<Tool, 'effect' | 'approvers' | 'quorum' | 'stages' | 'selfApproval'>,
  rule: ReadRule | undefined,
  effect: 'asked' | 'guarded',
): Deciders {
  const names = rule?.approvers !== undefined || rule?.stages !== undefined;
  const approvers = names ? (rule.approvers ?? []) : tool.approvers;
  const usual = approvers.includes('requester') || effect !== 'guarded';
  return {
    approvers,
    quorum: names ? rule.quorum : (rule?.quorum ?? tool.quorum),
    stages: names ? rule.stages : tool.stages,
    selfApproval: rule?.selfApproval ?? (names || effect !== tool.effect ? usual : tool.selfApproval),
  };
}

/** Who may decide, as the card will say and the press will be judged by. */
export function ruleOf({ approvers, selfApproval, quorum, stages }: Deciders): StoredDecisionRule {
  const ids = (names: readonly string[]) => names.map((name) => UserId.parse(name));
  const all = stages === undefined ? approvers : [...new Set(stages.flatMap((stage) => stage.approvers))];
  return {
    approvers: ids(all),
    selfApproval,
    ...given({ quorum }),
    ...(stages === undefined
      ? {}
      : { stages: stages.map((stage) => ({ approvers: ids(stage.approvers), ...countOf(stage.quorum) })) }),
  };
}

const countOf = (quorum: number | undefined) => given({ quorum });

/**
 * Names everything a deployment lays down for the calls of one tool. Trust that was given under another policy has
 * ended: nobody agreed to it under this one.
 */
export function policyHash(rules: readonly ReadRule[], tool: Tool): string {
  const { name, origin, effect, approvers, selfApproval, quorum, stages } = tool;
  const about = rules.filter(
    ({ tools, servers }) => tools?.includes(name) !== false && servers?.includes(origin) !== false,
  );
  const text = JSON.stringify([
    { effect, approvers, selfApproval, quorum, stages },
    about.map(({ when, ...rule }) => ({ ...rule, when: when?.toString() })),
  ]);
  return createHash('sha256')
    .update(canonical(JSON.parse(text)))
    .digest('base64url');
}
