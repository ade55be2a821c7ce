import type { Json, Timers } from '../../../interventions/index.ts';
import { type Authority, type Judgement, type People, whyNoApproverNow } from '../../authority/index.ts';
import {
  alsoSteeredBy,
  approvalOf,
  approvedDigest,
  askedUnder,
  judgedAlike,
  outdatedBy,
  type RunState,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { StoredDecisionRule } from '../../records/index.ts';
import { withLimit } from '../../time/index.ts';
import type { Tool } from '../../tools/index.ts';
import { WORDS } from '../telling/words.ts';

/** Why no person may approve a call, in words for the thread, the model and the card. */
export interface NoDecider {
  readonly toThread: string;
  readonly toModel: string;
  /** For the card of a question that is taken back for this reason. */
  readonly onCard: string;
}

export interface AskedOfPeople {
  readonly key: string;
  readonly tool: Tool;
  readonly input: Json;
  readonly judged: Judgement;
  readonly effect: 'asked' | 'guarded';
}

export interface WhoDecidesDeps {
  readonly people: People;
  readonly authority: Pick<Authority, 'ruleNow'>;
  readonly timers: Timers;
}

/**
 * Finds out who decides about this call: the rule that people are shown, or why no person can approve it. People whom Slack
 * does not tell about soon count as able, because a question should not wait until Slack takes more look-ups.
 */
export async function whoDecides(
  { people, authority, timers }: WhoDecidesDeps,
  state: RunState,
  { key, tool, input, judged, effect }: AskedOfPeople,
): Promise<{ readonly rule: StoredDecisionRule } | NoDecider> {
  const { requester, thread } = state;
  // A call that has begun was allowed before it began, and an answered question needs no person any more.
  if (hasUnknownEnd(state, key) || isAnswered(state, key, judged)) return { rule: judged.rule };
  const shown = approvalOf(state, key);
  // An open question stays with the people whom its card names.
  const stays = shown?.standing.status === 'pending' && judgedAlike(askedUnder(shown, shown.digest), judged);
  const found = stays ? shown : await authority.ruleNow(judged, { tool, input, thread, requester });
  if ('why' in found) return notYet(tool.name, found.why);
  const { rule } = found;
  const call = { requester, alsoSteeredBy: alsoSteeredBy(state, key), thread };
  const looking = whyNoApproverNow(people, { rule, effect }, call);
  const none = await withLimit(looking, { ms: LIMITS.lookUpMs, late: undefined, timers });
  if (none === undefined) return { rule };
  return none.isSteered ? steered(tool.name, none.why) : noneCan(tool.name, none.why);
}

function isAnswered(state: RunState, key: string, judged: Judgement): boolean {
  const approval = approvalOf(state, key);
  if (approval?.standing.status !== 'decided' || outdatedBy(approval) !== undefined) return false;
  return judgedAlike(askedUnder(approval, approvedDigest(approval)), judged);
}

/** Whether the call began and its end is unknown. The last gate checks that such a call is safe to repeat. */
export const hasUnknownEnd = (state: RunState, call: string): boolean =>
  state.calls.get(call)?.execution.type === 'unknown';

const noneCan = (tool: string, why: string): NoDecider => ({
  toThread: WORDS.noApprover(tool, why),
  toModel: `No person can approve this call of ${tool}: ${why}. Do not try it again.`,
  onCard: `Under today’s rules, no person can approve this call: ${why}.`,
});

const notYet = (tool: string, why: string): NoDecider => ({
  toThread: WORDS.noApproverYet(tool, why),
  toModel: `No person can approve this call of ${tool} yet: ${why}. It did not run. Do not try it again before a person asks you to.`,
  onCard: `No person can approve this call: ${why}.`,
});

const steered = (tool: string, why: string): NoDecider => ({
  toThread: WORDS.steered(tool, why),
  toModel: `No person can approve this call of ${tool}: ${why}. Do not try it again here. Tell the person to start a new thread and to leave the approvers out of it.`,
  onCard: `No person can approve this call: ${why}.`,
});
