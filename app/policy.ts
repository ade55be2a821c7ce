import { mayDecide as judge, unreachable } from '../interventions/index.ts';
import type { DecisionRule, ToolEffect, TrustOffer, UserId } from './records.ts';
import { UserId as UserIdSchema } from './records.ts';
import type { Tool, ToolTable } from './tools/index.ts';

/** Who may decide about calls of this tool, as the card will say and the press will be judged by. */
export function ruleOf(tool: Tool): DecisionRule {
  return { approvers: tool.approvers.map((id) => UserIdSchema.parse(id)), selfApproval: tool.selfApproval };
}

/** The gate's list: open tools by name, guarded ones with a `!`, which no trust reaches. A tool nobody lists asks. */
export function gateList(tools: ToolTable): readonly string[] {
  return tools.all.flatMap(({ name, effect }) => listed(name, effect));
}

function listed(name: string, effect: ToolEffect): readonly string[] {
  switch (effect) {
    case 'open':
      return [name];
    case 'guarded':
      return [`!${name}`];
    case 'asked':
      return [];
  }
}

export interface PresserFacts {
  readonly requester: UserId;
  readonly presser: UserId;
  /** The workspace of the presser, and the one the thread lives in. */
  readonly presserTeam: string;
  readonly threadTeam: string;
}

export type Right = { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };

/** May this person decide, now? The answer of the one pure function, with a sentence that says who can. */
export function rightToDecide(rule: DecisionRule, effect: 'asked' | 'guarded', facts: PresserFacts): Right {
  if (facts.presserTeam !== facts.threadTeam) {
    return { type: 'refused', why: 'You belong to another workspace, and only people of this one can decide.' };
  }
  const answer = judge(
    { effect, approvers: rule.approvers, selfApproval: rule.selfApproval },
    { requester: facts.requester, presser: facts.presser, account: 'person' },
  );
  if (answer.type === 'allowed') return answer;
  return { type: 'refused', why: answer.message };
}

/** The one table of trust lines. What it says is what is stored, listed and matched. */
export function trustLine(tool: string, { match, scope, forMs }: Omit<TrustOffer, 'line'>): string {
  return `${tool}, ${MATCHES[match]}, ${SCOPES[scope]}, for ${duration(forMs)}`;
}

const MATCHES: Readonly<Record<TrustOffer['match'], string>> = {
  exact: 'with exactly this input',
  any: 'with any input',
};
const SCOPES: Readonly<Record<TrustOffer['scope'], string>> = {
  thread: 'in this thread',
  channel: 'in this channel',
  requester: 'whenever the same person asks',
};

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function duration(ms: number): string {
  for (const [unit, size] of UNITS) {
    if (ms < size || ms % size !== 0) continue;
    const count = ms / size;
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return `${Math.round(ms / 1000)} seconds`;
}

export interface TrustWishFacts {
  readonly name: string;
  readonly by: UserId;
  readonly scope: TrustOffer['scope'];
  /** Who began the run in this thread, if there is one. */
  readonly requester: UserId | undefined;
}

/**
 * Why this person cannot trust this tool in words, or nothing. Trust says yes to later calls, so it takes the right to
 * decide about them: named approvers have it; without any, each person has it over their own calls and no others.
 */
export function whyNotTrusted(
  tool: Tool | undefined,
  { name, by, scope, requester }: TrustWishFacts,
): string | undefined {
  if (tool === undefined) return `There is no tool named ${name}. Nothing was changed.`;
  switch (tool.effect) {
    case 'open':
      return `${name} is open: it runs without asking already. Nothing was changed.`;
    case 'guarded':
      return `${name} is guarded: it needs a person's yes every time and cannot be trusted. Nothing was changed.`;
    case 'asked': {
      const { approvers, selfApproval } = ruleOf(tool);
      if (approvers.length === 0) return whyNotOwn(name, { by, scope, requester });
      if (!approvers.includes(by)) return `Only the approvers of ${name} can trust it. Nothing was changed.`;
      const own = scope === 'requester' || (scope === 'thread' && requester === by);
      if (!selfApproval && own)
        return `You cannot trust ${name} for your own calls: somebody else has to decide about them. Nothing was changed.`;
      return undefined;
    }
    default:
      return unreachable(tool.effect);
  }
}

function whyNotOwn(name: string, { by, scope, requester }: Omit<TrustWishFacts, 'name'>): string | undefined {
  switch (scope) {
    case 'requester':
      return undefined;
    case 'channel':
      return `No approvers are named for ${name}, so nobody can trust it for a whole channel. Trust it for yourself, or in a thread that you began. Nothing was changed.`;
    case 'thread':
      if (requester === by) return undefined;
      return requester === undefined
        ? `Nobody has asked me for anything in this thread yet, so nobody can trust ${name} here. Nothing was changed.`
        : `Somebody else began this thread, so only they can trust ${name} here. Nothing was changed.`;
  }
}
