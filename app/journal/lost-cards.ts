import { z } from 'zod';
import { ApprovalId, CardReceipt } from '../records.ts';
import type { Decided } from './decide.ts';
import type { RunState } from './state.ts';

/** Somebody deleted the card of a question that still waits: nobody can see it any more, so it is to be shown again. */
export const LOST_CARD_ENTRIES = [
  z.object({ type: z.literal('card-lost'), approval: ApprovalId, card: CardReceipt }),
] as const;

/** Answers with the questions that wait and stood there. What is decided needs a card only where it shares one with them. */
export function decideCardLost(state: RunState, card: CardReceipt): Decided<readonly ApprovalId[]> {
  if (state.status.type !== 'running') return { entries: [], result: [] };
  const there = [...state.approvals.values()].filter((approval) => isSame(approval.card, card));
  const lost = there.filter(({ standing }) => standing.status === 'pending').map(({ id }) => id);
  return {
    entries: lost.length === 0 ? [] : there.map(({ id }) => ({ type: 'card-lost', approval: id, card })),
    result: lost,
  };
}

export function isSame(one: CardReceipt | undefined, other: CardReceipt): boolean {
  return one?.channel === other.channel && one.ts === other.ts;
}
