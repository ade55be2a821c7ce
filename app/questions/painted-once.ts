import { type AskedQuestion, isSame, owedQuestions, questionEntry } from '../journal/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { QuestionRecord } from '../records/index.ts';
import type { DebtOutcome } from '../surface.ts';
import { createTurns } from '../time/index.ts';
import { type DrawingDeps, NOT_PAINTED, orOwing } from './drawing.ts';
import { onCard } from './one-painter.ts';

/** Paints the cards of inquiries and doubts, once, when the question is settled. Never rejects. */

/** Two parts of one process may want the same painting, so they take turns. */
export function createPaintOnce(deps: DrawingDeps) {
  const inTurn = createTurns();
  return (journal: RunJournal, asked: AskedQuestion): Promise<DebtOutcome> =>
    inTurn(asked.id, () => paintOnce(deps, journal, asked));
}

function paintOnce(deps: DrawingDeps, journal: RunJournal, { kind, id }: AskedQuestion): Promise<DebtOutcome> {
  return orOwing(deps.log.warn, NOT_PAINTED, { [kind]: id }, async () => {
    // The painting before this one may have recorded it.
    if ((await journal.refresh())?.questions.get(id)?.painted === true) return 'paid';
    const card = await journal.question(id);
    if (card === undefined) return 'paid';
    const painted = await deps.byOne(journal, onCard(card), () => paintAndWrite(deps, journal, card));
    return painted === 'elsewhere' ? 'paid' : painted;
  });
}

async function paintAndWrite(
  { surface, step }: DrawingDeps,
  journal: RunJournal,
  card: QuestionRecord,
): Promise<DebtOutcome> {
  const { kind, asks } = card;
  const standsAt = asks.card ?? (await surface.findCard(card));
  if (standsAt !== undefined) {
    await surface.paintCard(card, standsAt);
    await step('painting-sent');
  }
  const shows = await journal.commit((state) => {
    const now = state?.questions.get(asks.id);
    // Another process may have written a receipt meanwhile, of a message that this painting did not reach.
    if (now?.card !== undefined && !isSame(standsAt, now.card)) return { entries: [], result: false };
    const isOwed = state !== undefined && owedQuestions(state).some(({ id }) => id === asks.id);
    return { entries: isOwed ? [questionEntry({ kind, id: asks.id }, 'painted')] : [], result: true };
  });
  return shows === true ? 'paid' : 'owing';
}
