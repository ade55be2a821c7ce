import type { Borders } from '../borders.ts';
import {
  type Cards,
  type Copies,
  createCards,
  createCopies,
  createInquiries,
  createWaiting,
  type LostCard,
  type Waiting,
} from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import { createTrustedLines, postInquiryCard, showAgain } from '../runs/index.ts';
import type { Journals } from './journals.ts';
import type { Process } from './process.ts';

export interface Questions {
  readonly waiting: Waiting;
  readonly copies: Copies;
  readonly cards: Cards;
  readonly lines: ReturnType<typeof createTrustedLines>;
  /** Posts once more what stood on a card that is gone. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  readonly inquiries: ReturnType<typeof createInquiries>;
}

/** What people are asked in a thread: the cards, who waits for them, and the questions of tool servers. */
export function makeQuestions(
  { quick, surface, misfit, log, step }: Borders,
  { journals, process }: { readonly journals: Journals; readonly process: Process },
): Questions {
  const { posting } = process;
  const waiting = createWaiting({ log });
  const copies = createCopies({ surface, log, step });
  // A painting may find that its card is gone, and the card that is posted in its place is painted once more.
  const showLost: Questions['showAgain'] = (journal, lost) =>
    showAgain({ surface, waiting, posting, cards, log, step }, journal, lost);
  const cards: Cards = createCards({ surface, showAgain: showLost, copies, log, step });
  const inquiries = createInquiries({
    store: quick,
    journalOf: journals.journalOf,
    quickJournalOf: journals.quickJournalOf,
    surface,
    showCard: (journal, id) => postInquiryCard({ surface, posting, waiting, log, step }, journal, id),
    cards,
    waiting,
    log,
    step,
    newInquiryId: journals.newQuestionId,
    misfit,
  });
  const lines = createTrustedLines({ surface, posting, log, step });
  return { waiting, copies, cards, lines, showAgain: showLost, inquiries };
}
