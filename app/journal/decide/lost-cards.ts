import type { ApprovalId, CardReceipt } from '../../records/index.ts';
import { isSame, stoodAt } from '../fold/queries/lost-cards.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

/**
 * Answers with the questions that wait and are to be shown again: those that stood there, and those that were lost there
 * before and whose next card nobody has posted yet. What is decided needs a card only where it shares one with them.
 */
export function decideCardLost(state: RunState, card: CardReceipt): Decided<readonly ApprovalId[]> {
  if (state.status.type !== 'running') return { entries: [], result: [] };
  const all = [...state.approvals.values(), ...state.doubts.values(), ...state.inquiries.values()];
  const there = all.filter((question) => isSame(question.card, card));
  const waits = all.filter(({ standing }) => standing.status === 'pending');
  const lost = there.some((question) => waits.includes(question)) ? there : [];
  return {
    entries: lost.map(({ id }) => ({ type: 'card-lost', approval: id, card })),
    result: waits
      .filter((one) => lost.includes(one) || (one.card === undefined && stoodAt(one, card)))
      .map(({ id }) => id),
  };
}
