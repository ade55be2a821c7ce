import { z } from 'zod';
import { ApprovalId, CardReceipt } from '../../records/index.ts';
import type { RunState } from '../fold/state.ts';
import type { Stamp } from '../line/line.ts';
import type { Decided } from './decide.ts';

/** Somebody deleted the card of a question that still waits: nobody can see it any more, so it is to be shown again. */
export const LOST_CARD_ENTRIES = [
  /** Whatever was asked there: an approval, what became of a call, or what a tool server wants to know. */
  z.object({ type: z.literal('card-lost'), approval: ApprovalId, card: CardReceipt }),
] as const;
type CardLost = z.infer<(typeof LOST_CARD_ENTRIES)[number]>;

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

/** It waits, and where its card stands is not written yet: whether that was this one, nobody can say. */
export function isOnItsWay(state: RunState, id: ApprovalId, card: CardReceipt): boolean {
  const listed = [...state.approvals.values()].filter(({ list }) => list === id);
  const named = [state.approvals.get(id), state.doubts.get(id), state.inquiries.get(id), ...listed];
  return named.some((one) => one?.standing.status === 'pending' && one.card === undefined && !stoodAt(one, card));
}

/** Where the card of a question stands, or stood before somebody deleted it. */
export interface Placed {
  readonly card?: CardReceipt | undefined;
  readonly lostCards?: readonly CardReceipt[] | undefined;
}

/** Its card stood there once and showed the same, so what was pressed there counts. */
export function stoodAt({ lostCards = [] }: Placed, card: CardReceipt): boolean {
  return lostCards.some((lost) => isSame(lost, card));
}

export function isSame(one: CardReceipt | undefined, other: CardReceipt): boolean {
  return one?.channel === other.channel && one.ts === other.ts;
}

export function foldLostCard(state: RunState, { approval: id, card }: CardLost & Stamp): RunState {
  const { list } = state.approvals.get(id) ?? {};
  // Nobody has begun to post the next one.
  const keys = [`card/${id}`, `card/${list ?? id}`, `doubt/${id}`, `inquiry/${id}`];
  return {
    ...state,
    approvals: lostIn(state.approvals, id, card),
    doubts: lostIn(state.doubts, id, card),
    inquiries: lostIn(state.inquiries, id, card),
    posting: new Map([...state.posting].filter(([key]) => !keys.includes(key))),
  };
}

function lostIn<Question extends Placed>(
  questions: ReadonlyMap<ApprovalId, Question>,
  id: ApprovalId,
  card: CardReceipt,
): ReadonlyMap<ApprovalId, Question> {
  const question = questions.get(id);
  if (question === undefined) return questions;
  const lostCards = [...(question.lostCards ?? []), card];
  const { card: _gone, ...without }: Question = { ...question, lostCards };
  // Of a question only its optional card was left out.
  return new Map([...questions, [id, without as Question]]);
}
