import { type Judgement, membersNamed, type People, somebodyCanDecide } from '../../authority/index.ts';
import { alsoSteeredBy, type RunState } from '../../journal/index.ts';
import { WORDS } from '../telling/words.ts';

/** Why no person may approve a call, in words for the thread, the model and the card. */
export interface NobodyDecides {
  readonly toThread: string;
  readonly toModel: string;
  /** For the card of a question that is taken back for this reason. */
  readonly onCard: string;
}

/** Looks for a person who may decide about this call, and returns why there is none. */
export async function whyNobodyDecides(
  people: People,
  state: RunState,
  { key, tool, rule, effect }: Pick<Judgement, 'rule'> & { key: string; tool: string; effect: 'asked' | 'guarded' },
): Promise<NobodyDecides | undefined> {
  const { requester, thread } = state;
  // A call that has begun was allowed before it began.
  if (isBegun(state, key)) return undefined;
  if (!somebodyCanDecide(rule, effect, requester)) return nobodyIsNamed(tool);
  // Without named approvers the requester decides, and has to be a person.
  if (rule.approvers.length === 0) return (await isPerson(people, state)) ? undefined : nobodyIsNamed(tool);
  const authors = alsoSteeredBy(state, key);
  if (rule.selfApproval || authors.length === 0) return undefined;
  const members = await membersNamed(people, rule, thread);
  return somebodyCanDecide(rule, effect, requester, { alsoSteeredBy: authors, members }) ? undefined : allSteered(tool);
}

/** Whether the call began and its end is unknown. The last gate checks that such a call is safe to repeat. */
export const isBegun = (state: RunState, call: string): boolean => state.calls.get(call)?.execution.type === 'unknown';

/** An account of which Slack says nothing now counts as a person: Slack may tell later. */
async function isPerson(people: People, { requester, thread }: RunState): Promise<boolean> {
  const account = await people.account({ user: requester, team: thread.team });
  return account === 'person' || account === 'unknown';
}

const nobodyIsNamed = (tool: string): NobodyDecides => ({
  toThread: WORDS.noApprover(tool),
  toModel: `No approver is configured for ${tool}, so it cannot be used. Do not try it again.`,
  onCard: 'By the rules of now, nobody may approve this call.',
});

const allSteered = (tool: string): NobodyDecides => ({
  toThread: WORDS.allSteered(tool),
  toModel: `The people who may approve ${tool} have written in this thread, so none of them may approve this call. Do not try it again here. Tell the person to start a new thread and to leave the approvers out of it.`,
  onCard: 'The people who may approve this call had written in this thread before it was asked.',
});
