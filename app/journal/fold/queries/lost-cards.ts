import type { ApprovalId, CardReceipt } from '../../../records/index.ts';
import type { RunState } from '../state.ts';

/** It waits, and where its card stands is not written yet: whether that was this one, nobody can say. */
export function isOnItsWay(state: RunState, id: ApprovalId, card: CardReceipt): boolean {
  const listed = [...state.approvals.values()].filter(({ list }) => list === id);
  const named = [state.approvals.get(id), state.questions.get(id), ...listed];
  return named.some((one) => one?.standing.status === 'pending' && one.card === undefined && !stoodAt(one, card));
}

/** Where the card of a question stands, or stood before somebody deleted it. */
export interface Placed {
  readonly card?: CardReceipt | undefined;
  readonly lostCards: readonly CardReceipt[];
}

/** Its card stood there once and showed the same, so what was pressed there counts. */
export function stoodAt({ lostCards }: Placed, card: CardReceipt): boolean {
  return lostCards.some((lost) => isSame(lost, card));
}

export function isSame(one: CardReceipt | undefined, other: CardReceipt): boolean {
  return one?.channel === other.channel && one.ts === other.ts;
}
