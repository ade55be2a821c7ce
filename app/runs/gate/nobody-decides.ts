import { type Judgement, membersNamed, type People, somebodyCanDecide } from '../../authority/index.ts';
import { alsoSteeredBy, type RunState } from '../../journal/index.ts';
import { WORDS } from '../telling/words.ts';

/** Why no person may ever say yes to a call, for each of those who hear it. */
export interface NobodyDecides {
  readonly toThread: string;
  readonly toModel: string;
  /** On the card of a question that is taken back for it. */
  readonly onCard: string;
}

/** Looks for a person who may decide about this call; answers why there is none. */
export async function whyNobodyDecides(
  people: People,
  state: RunState,
  { key, tool, rule, effect }: Pick<Judgement, 'rule'> & { key: string; tool: string; effect: 'asked' | 'guarded' },
): Promise<NobodyDecides | undefined> {
  const { requester, thread } = state;
  // A person has said yes to it before it was begun.
  if (isBegun(state, key)) return undefined;
  if (!somebodyCanDecide(rule, effect, requester)) return nobodyIsNamed(tool);
  // With nobody named, the requester decides, and has to be a person who may.
  if (rule.approvers.length === 0) return (await isPerson(people, state)) ? undefined : nobodyIsNamed(tool);
  const authors = alsoSteeredBy(state, key);
  if (rule.selfApproval || authors.length === 0) return undefined;
  const members = await membersNamed(people, rule, thread);
  return somebodyCanDecide(rule, effect, requester, { alsoSteeredBy: authors, members }) ? undefined : allSteered(tool);
}

/** Only what may be repeated is looked at again, and the last gate looks whether it may. */
export const isBegun = (state: RunState, call: string): boolean => state.calls.get(call)?.execution.type === 'unknown';

/** What Slack does not say now, it may say later. */
async function isPerson(people: People, { requester, thread }: RunState): Promise<boolean> {
  const account = await people.account({ user: requester, team: thread.team });
  return account === 'person' || account === 'unknown';
}

const nobodyIsNamed = (tool: string): NobodyDecides => ({
  toThread: WORDS.noApprover(tool),
  toModel: `Nobody is configured who may approve ${tool}, so it cannot be used. Do not try it again.`,
  onCard: 'By the rules of now, nobody may approve this call.',
});

const allSteered = (tool: string): NobodyDecides => ({
  toThread: WORDS.allSteered(tool),
  toModel: `The people who may approve ${tool} have written in this thread, so none of them may approve this call. Do not try it again here. Tell the person to start a new thread and to leave the approvers out of it.`,
  onCard: 'The people who may approve this call had written in this thread before it was asked.',
});
