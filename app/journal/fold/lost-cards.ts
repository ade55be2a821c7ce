import type { ApprovalId, CardReceipt } from '../../records/index.ts';
import type { CardLost } from '../facts/lost-cards.ts';
import type { Stamp } from '../line/line.ts';
import type { Placed } from './queries/lost-cards.ts';
import type { RunState } from './state.ts';

export function foldLostCard(state: RunState, { approval: id, card }: CardLost & Stamp): RunState {
  const { list } = state.approvals.get(id) ?? {};
  // The intents of the lost card must not count for its replacement.
  const keys = [`card/${id}`, `card/${list ?? id}`, `${state.questions.get(id)?.kind}/${id}`];
  return {
    ...state,
    approvals: lostIn(state.approvals, id, card),
    questions: lostIn(state.questions, id, card),
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
  const lostCards = [...question.lostCards, card];
  const { card: _gone, ...without }: Question = { ...question, lostCards };
  // Only the optional `card` was left out, so this is still a `Question`.
  return new Map([...questions, [id, without as Question]]);
}
