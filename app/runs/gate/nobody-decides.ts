import { type Judgement, type People, whyNoApproverNow } from '../../authority/index.ts';
import {
  alsoSteeredBy,
  approvalOf,
  approvedDigest,
  askedUnder,
  judgedAlike,
  outdatedBy,
  type RunState,
} from '../../journal/index.ts';
import { WORDS } from '../telling/words.ts';

/** Why no person may approve a call, in words for the thread, the model and the card. */
export interface NobodyDecides {
  readonly toThread: string;
  readonly toModel: string;
  /** For the card of a question that is taken back for this reason. */
  readonly onCard: string;
}

export interface JudgedForPeople {
  readonly key: string;
  readonly tool: string;
  readonly judged: Judgement;
  readonly effect: 'asked' | 'guarded';
}

/** Looks for a person who may decide about this call, and returns why there is none. */
export async function whyNobodyDecides(
  people: People,
  state: RunState,
  { key, tool, judged, effect }: JudgedForPeople,
): Promise<NobodyDecides | undefined> {
  const { requester, thread } = state;
  const { rule } = judged;
  // A call that has begun was allowed before it began, and an answered question needs no person any more.
  if (isBegun(state, key) || isAnswered(state, key, judged)) return undefined;
  const call = { requester, alsoSteeredBy: alsoSteeredBy(state, key), thread };
  const none = await whyNoApproverNow(people, { rule, effect }, call);
  if (none === undefined) return undefined;
  return none.isSteered ? steered(tool, none.why) : nobodyCan(tool, none.why);
}

function isAnswered(state: RunState, key: string, judged: Judgement): boolean {
  const approval = approvalOf(state, key);
  if (approval?.standing.status !== 'decided' || outdatedBy(approval) !== undefined) return false;
  return judgedAlike(askedUnder(approval, approvedDigest(approval)), judged);
}

/** Whether the call began and its end is unknown. The last gate checks that such a call is safe to repeat. */
export const isBegun = (state: RunState, call: string): boolean => state.calls.get(call)?.execution.type === 'unknown';

const nobodyCan = (tool: string, why: string): NobodyDecides => ({
  toThread: WORDS.noApprover(tool, why),
  toModel: `No person can approve this call of ${tool}: ${why}. Do not try it again.`,
  onCard: `By the rules of now, no person can approve this call: ${why}.`,
});

const steered = (tool: string, why: string): NobodyDecides => ({
  toThread: WORDS.steered(tool, why),
  toModel: `No person can approve this call of ${tool}: ${why}. Do not try it again here. Tell the person to start a new thread and to leave the approvers out of it.`,
  onCard: `No person can approve this call: ${why}.`,
});
