import type { StoredDecisionRule, UserId } from '../../../records/index.ts';
import type { RunState } from '../state.ts';

type Conversation = Pick<RunState, 'said' | 'requester'>;

/**
 * The people who steered a call: the requester, and every author of a message that the model got in this run before the turn
 * that asked for the call. The order of the journal shows this, because an answer is recorded only if the model got every
 * message before it. A call that no turn asked for counts as steered by every author.
 */
export function steeredBy({ said, requester }: Conversation, call: string): readonly UserId[] {
  const turn = Number(call.slice(0, call.indexOf('/')));
  const authors = new Set([requester]);
  for (const one of said) {
    if (one.type === 'turn' && one.turn === turn) break;
    if (one.type !== 'message') continue;
    if (one.by !== undefined) authors.add(one.by);
    for (const author of one.alsoSteeredBy ?? []) authors.add(author);
  }
  return [...authors];
}

/** The same without the requester, whom every rule knows already. */
export function alsoSteeredBy(conversation: Conversation, call: string): readonly UserId[] {
  return steeredBy(conversation, call).filter((author) => author !== conversation.requester);
}

interface Steered {
  readonly requester: UserId;
  readonly alsoSteeredBy: readonly UserId[];
}

/** The people whose yes to a call does not count under this rule: everyone who steered it, where self-approval is off. */
export function barredFrom(rule: Pick<StoredDecisionRule, 'selfApproval'>, call: Steered): readonly UserId[] {
  return rule.selfApproval ? [] : [call.requester, ...call.alsoSteeredBy];
}
