import { isSame, questionEntry } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { QuestionRecord } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { DebtOutcome, Surface } from '../surface.ts';
import { createTurns } from '../time/index.ts';
import { orOwing } from './drawing.ts';
import { onCard, type PaintByOne } from './one-painter.ts';

/** Paints the cards of inquiries and doubts, once, when the question is settled. Never rejects. */

export interface PaintOnceDeps {
  readonly surface: Pick<Surface, 'paintCard' | 'findCard'>;
  readonly byOne: PaintByOne;
  readonly log: Log;
  readonly step: AtStep;
}

/** Two parts of one process may want the same painting, so they take turns. */
export function createPaintOnce(deps: PaintOnceDeps) {
  const inTurn = createTurns();
  return (journal: RunJournal, card: QuestionRecord): Promise<DebtOutcome> =>
    inTurn(card.asks.id, () => paintOnce(deps, journal, card));
}

function paintOnce(deps: PaintOnceDeps, journal: RunJournal, card: QuestionRecord): Promise<DebtOutcome> {
  const { id } = card.asks;
  return orOwing(deps.log, { [card.kind]: id }, async () => {
    // The one before may have recorded it.
    if ((await journal.refresh())?.questions.get(id)?.painted === true) return 'paid';
    const painted = await deps.byOne(journal, onCard(card), () => paintAndWrite(deps, journal, card));
    return painted === 'elsewhere' ? 'paid' : painted;
  });
}

async function paintAndWrite(
  { surface, step }: PaintOnceDeps,
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
    return { entries: now?.painted === false ? [questionEntry({ kind, id: asks.id }, 'painted')] : [], result: true };
  });
  return shows.type === 'done' && shows.result ? 'paid' : 'owing';
}
