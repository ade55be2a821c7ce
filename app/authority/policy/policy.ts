import { createHash } from 'node:crypto';
import { canonical, type Json } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { Judged } from '../../journal/index.ts';
import { type RuledBy, type StoredDecisionRule, type Thread, UserId } from '../../records/index.ts';
import {
  DEFAULT_TRUST,
  type DecisionTerms,
  type FindApprovers,
  type Tool,
  type TrustPreset,
} from '../../tools/index.ts';
import { fitting, type ReadRule, strongest, type Wanted } from './rules.ts';

/** What is to happen with one call, and by which rule. */
export interface Judgement extends Judged {
  readonly ruledBy?: RuledBy;
  /** Names the approvers. `rule` then holds a word in their place. */
  readonly findApprovers?: FindApprovers;
  /** What one press of *Trust* offers; absent when nothing can be trusted. */
  readonly trust?: TrustPreset;
  /** Rules on trial that fit the call, and what they would do. */
  readonly shadows: readonly { readonly name: string; readonly would: Wanted }[];
}

export interface JudgedCall {
  readonly tool: Tool;
  /** The input as the tool takes it. */
  readonly input: Json;
  readonly thread: Thread;
  readonly requester: UserId;
}

export type JudgeCall = (call: JudgedCall) => Judgement;

/**
 * Decides what needs asking. The strongest rule that fits wins, and of equally strong ones the first. If no rule fits,
 * the tool's own definition counts; a tool is *asked* unless its definition gives a reason for less.
 */
export function judgeCall(rules: readonly ReadRule[], { tool, input, thread, requester }: JudgedCall): Judgement {
  const fit = fitting(rules, { tool, input, channel: thread.channel, requester });
  const rule = strongest(fit);
  const effect = effectOf(tool, rule);
  const shadows = fit.filter(({ shadow }) => shadow).map(({ name, effect: would }) => ({ name, would }));
  const deciders = effect === 'asked' || effect === 'guarded' ? underRule(tool, rule, effect) : tool;
  const decides = ruleOf(deciders);
  const decidesAsBefore = isSame(decides, ruleOf(tool)) && deciders.findApprovers === tool.findApprovers;
  const trust = effect === 'asked' && tool.wants === undefined ? (tool.trust ?? DEFAULT_TRUST) : undefined;
  return {
    effect,
    shadows,
    rule: decides,
    ...given({
      ruledBy: rule && named(rule, effect === tool.effect && decidesAsBefore),
      trust,
      findApprovers: deciders.findApprovers,
    }),
    ...(tool.secondFactor === true ? { secondFactor: true } : {}),
  };
}

/** No rule makes a guarded tool run without people. The rule's author may not have thought of that tool. */
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

function named({ name, because }: ReadRule, unchanged: boolean): RuledBy {
  return { name, ...given({ because }), ...(unchanged ? { unchanged } : {}) };
}

const isSame = (one: StoredDecisionRule, other: StoredDecisionRule): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

type Deciders = DecisionTerms & { readonly approvers: readonly string[]; readonly selfApproval: boolean };

/** Who decides under a rule. It may name other people than the tool, and what it makes guarded its requester cannot approve. */
export function underRule(
  tool: Pick<Tool, 'effect' | 'approvers' | 'findApprovers' | 'quorum' | 'stages' | 'selfApproval'>,
  rule: ReadRule | undefined,
  effect: 'asked' | 'guarded',
): Deciders {
  const names = rule?.approvers !== undefined || rule?.stages !== undefined;
  const approvers = names ? (rule.approvers ?? []) : tool.approvers;
  const usual = approvers.includes('requester') || effect !== 'guarded';
  return {
    approvers,
    findApprovers: names ? rule.findApprovers : tool.findApprovers,
    quorum: names ? rule.quorum : (rule?.quorum ?? tool.quorum),
    stages: names ? rule.stages : tool.stages,
    selfApproval: rule?.selfApproval ?? (names || effect !== tool.effect ? usual : tool.selfApproval),
  };
}

/** Who may decide, in the form that the card shows and the press is judged by. */
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
 * The hash of everything that a deployment lays down for the calls of one tool. Trust given under another policy has
 * ended, because no person agreed to it under this one.
 */
export function policyHash(rules: readonly ReadRule[], tool: Tool): string {
  const { name, origin, effect, approvers, findApprovers, selfApproval, quorum, stages } = tool;
  const about = rules.filter(
    ({ tools, servers }) => tools?.includes(name) !== false && servers?.includes(origin) !== false,
  );
  const text = JSON.stringify([
    { effect, approvers, findApprovers: findApprovers?.toString(), selfApproval, quorum, stages },
    about.map(({ when, findApprovers: find, ...rule }) => ({
      ...rule,
      when: when?.toString(),
      findApprovers: find?.toString(),
    })),
  ]);
  return createHash('sha256')
    .update(canonical(JSON.parse(text)))
    .digest('base64url');
}
