import type { Borders } from '../borders.ts';
import {
  type Cards,
  type Copies,
  createCards,
  createCopies,
  createPaintByOne,
  createWaiting,
  type LostCard,
  paintAtOnce,
  type Waiting,
} from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import { createTrustedLines, showAgain } from '../runs/index.ts';
import type { Process } from './process.ts';

export interface QuestionServices {
  readonly waiting: Waiting;
  readonly copies: Copies;
  readonly cards: Cards;
  readonly lines: ReturnType<typeof createTrustedLines>;
  /** Posts a new card for a question whose card is gone. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
}

/** Makes the cards of questions in a thread, and the waiting for their answers. */
export function makeQuestions(
  { surface, store, failFast, log, step }: Borders,
  { by }: Pick<Process, 'by'>,
): QuestionServices {
  const paintsAlone = store.isExclusive;
  const waiting = createWaiting({ log });
  const byOne = paintsAlone ? paintAtOnce : createPaintByOne({ store: failFast, by, waiting });
  const copies = createCopies({ surface, byOne, log, step });
  // `cards` may find that a card is gone, and `showAgain` paints the card that it posts in its place.
  const showLost: QuestionServices['showAgain'] = (journal, lost) =>
    showAgain({ surface, waiting, by, cards, log, step }, journal, lost);
  const cards: ReturnType<typeof createCards> = createCards({
    surface,
    paintsAlone,
    byOne,
    showAgain: showLost,
    copies,
    waiting,
    log,
    step,
  });
  // A press on *Stop trusting* is answered by the line that it stands on, like a press on a card.
  const amend: Borders['surface']['amend'] = (thread, line, post) =>
    cards.watched(line, surface.amend(thread, line, post));
  const lines = createTrustedLines({ surface: { ...surface, amend }, byOne, by, log, step });
  return { waiting, copies, cards, lines, showAgain: showLost };
}
