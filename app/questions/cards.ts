import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, CardReceipt, QuestionRecord } from '../records/index.ts';
import { type DebtOutcome, type Surface, settledBy, whyOwed } from '../surface.ts';
import { withLimit } from '../time/index.ts';
import type { Copies } from './copies.ts';
import type { LostCard } from './drawing.ts';
import { type PaintOnceDeps, paintOnce } from './painted-once.ts';
import { type ApprovalPaintings, createApprovalPaintings, isLost, type Paid, type PaintingsDeps } from './paintings.ts';

/**
 * Cards follow the journal, not the process that changed it. A final state owes its card a painting, and the debt is in
 * the journal: the next process that reads it pays it.
 */
export interface Cards {
  /** Paints what this run owes. Never rejects: what cannot be painted now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<DebtOutcome>;
  /**
   * Paints the card of an approval, or a list card, though nothing may be owed on it: a person has seen it older than its
   * record. Never rejects.
   */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<unknown>;
  /** Removes a second card about the same, which a person pressed. Never rejects. */
  readonly takeBack: (approval: Approval, pressed: CardReceipt) => Promise<unknown>;
}

export interface CardsDeps extends PaintingsDeps, PaintOnceDeps {
  readonly surface: PaintingsDeps['surface'] & PaintOnceDeps['surface'] & Pick<Surface, 'takeBackSecond'>;
  /** Posts once more what stood there. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  readonly copies: Pick<Copies, 'settle'>;
}

export function createCards(deps: CardsDeps): Cards {
  const paintings = createApprovalPaintings(deps);
  return {
    settle: (journal) => paintAllOwed({ ...deps, paintings }, journal),
    repaint: async (journal, id) => {
      const paid = await paintings.repaint(journal, id);
      return isLost(paid) ? postAnew(deps, journal, paid) : paid;
    },
    takeBack: (approval, pressed) => takeBack(deps, approval, pressed),
  };
}

interface PaintDeps extends CardsDeps {
  readonly paintings: ApprovalPaintings;
}

async function paintAllOwed(deps: PaintDeps, journal: RunJournal): Promise<DebtOutcome> {
  // Not awaited: a reply must not wait until every person who was told has been told how it ended.
  void deps.copies.settle(journal);
  const both = await Promise.all([journal.owed(), journal.owedQuestions()]).catch((error: unknown) => {
    deps.log.warn('Cards could not be painted yet: what a run owes could not be read.', { run: journal.run, error });
  });
  if (both === undefined) return 'owing';
  const [approvals, questions] = both;
  const paid = await Promise.all(paintEach(deps, journal, { approvals, questions }));
  // Only here, when no painting is at the card any more: the new card is painted again once it stands.
  const shown = await Promise.all(paid.map((one) => (isLost(one) ? postAnew(deps, journal, one) : one)));
  return settledBy(shown);
}

interface Owed {
  readonly approvals: readonly Approval[];
  readonly questions: readonly QuestionRecord[];
}

function paintEach(deps: PaintDeps, journal: RunJournal, { approvals, questions }: Owed): readonly Promise<Paid>[] {
  const { paintings } = deps;
  const alone = approvals.filter(({ list }) => list === undefined);
  const lists = new Set(approvals.flatMap(({ list }) => list ?? []));
  return [
    ...questions.map((question) => paintOnce(deps, journal, question)),
    ...alone.map(({ id }) => paintings.card(journal, id)),
    ...[...lists].map((list) => paintings.list(journal, list)),
  ];
}

function postAnew({ showAgain, log }: CardsDeps, journal: RunJournal, lost: LostCard): Promise<DebtOutcome> {
  return showAgain(journal, lost).then(
    () => 'paid',
    (error: unknown) => {
      log.warn('A card that is gone could not be shown again yet.', { approval: lost.approval, error });
      return whyOwed(error);
    },
  );
}

function takeBack({ surface, log }: CardsDeps, approval: Approval, pressed: CardReceipt): Promise<unknown> {
  return surface.takeBackSecond(approval, pressed).catch((error: unknown) => {
    log.warn('A second card about the same could not be taken back.', { ...pressed, error });
  });
}

/** Whoever pressed looks at the screen, and Slack may want no more paintings for half a minute. */
const SOON_MS = 1_000;

/** Paints what this run owes. Nobody waits longer for that than this: the painting goes on by itself, and stays owed. */
export async function settleSoon(cards: Pick<Cards, 'settle'>, journal: RunJournal, soonMs = SOON_MS): Promise<void> {
  await withLimit(cards.settle(journal), { ms: soonMs, late: undefined });
}
