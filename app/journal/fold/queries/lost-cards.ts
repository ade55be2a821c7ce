import type { ApprovalId, CardReceipt } from '../../../records/index.ts';
import type { RunState } from '../state.ts';

/** The question is pending and its receipt is not written yet, so `card` may be its card. */
export function isOnItsWay(state: RunState, id: ApprovalId, card: CardReceipt): boolean {
  const listed = [...state.approvals.values()].filter(({ list }) => list === id);
  const named = [state.approvals.get(id), state.questions.get(id), ...listed];
  return named.some((one) => one?.standing.status === 'pending' && one.card === undefined && !stoodAt(one, card));
}

/** The card of a question, and its deleted cards. */
export interface Placed {
  readonly card?: CardReceipt | undefined;
  readonly lostCards: readonly CardReceipt[];
}

/** True for a deleted card of the question. It showed the same, so a press on it counts. */
export function stoodAt({ lostCards }: Placed, card: CardReceipt): boolean {
  return lostCards.some((lost) => isSame(lost, card));
}

export function isSame(one: CardReceipt | undefined, other: CardReceipt): boolean {
  return one?.channel === other.channel && one.ts === other.ts;
}
