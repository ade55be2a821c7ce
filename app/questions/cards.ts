import { owedCards, owedQuestions } from '../journal/index.ts';
import { orLog } from '../or-log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, CardReceipt } from '../records/index.ts';
import { type DebtOutcome, type Surface, settledBy } from '../surface.ts';
import { createSharedWork, withLimit } from '../time/index.ts';
import type { Copies } from './copies.ts';
import { debtsOf, type LostCard, orOwing, type PaintingsWatch, watchPaintings } from './drawing.ts';
import { untilPainted } from './one-painter.ts';
import { createPaintOnce } from './painted-once.ts';
import { type ApprovalPaintings, createApprovalPaintings, isLost, type PaintingsDeps } from './paintings.ts';
import type { Waiting } from './waiting.ts';

/**
 * Cards show what the journal says. A final state owes its card a painting, and the journal holds that debt: any process that
 * reads it can pay it.
 */
export interface Cards {
  /** Paints what this run owes. Never rejects: what cannot be painted now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<DebtOutcome>;
  /**
   * The same, for the process that waited for the answer to this question. The process that stored the answer paints the card,
   * and is given the time to do so: two processes would send Slack the same painting twice.
   */
  readonly settleAnswered: (journal: RunJournal, id: ApprovalId) => Promise<DebtOutcome>;
  /**
   * Paints the card of an approval, a list card or the card of a settled question, even if no painting is owed: a person has
   * pressed a card that shows something older. Never rejects.
   */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<unknown>;
  /** Removes a second card about the same question, which a person pressed. Never rejects. */
  readonly takeBack: (approval: Approval, pressed: CardReceipt) => Promise<unknown>;
  /** Whether this card, or line of a trust, can show its record. Resolves when no painting of it is under way. Never rejects. */
  readonly isShown: (card: CardReceipt) => Promise<boolean>;
}

export interface CardsDeps extends PaintingsDeps {
  readonly surface: PaintingsDeps['surface'] & Pick<Surface, 'takeBackSecond'>;
  /** Posts the lost card again. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  readonly copies: Pick<Copies, 'settle'>;
  readonly waiting: Pick<Waiting, 'untilFound'>;
}

export function createCards({ surface, ...others }: CardsDeps): Cards & Pick<PaintingsWatch, 'watched'> {
  const { watched, isShown } = watchPaintings();
  const paintCard: Surface['paintCard'] = (card, standsAt) => watched(standsAt, surface.paintCard(card, standsAt));
  const deps = { ...others, surface: { ...surface, paintCard } };
  const paintings = createApprovalPaintings(deps);
  const paintOnce = createPaintOnce(deps);
  const shared = createSharedWork<DebtOutcome>();
  // A painting may wait for minutes until Slack takes it, and its thread comes up again and again.
  const settle: Cards['settle'] = (journal) =>
    shared(debtsOf(journal), () => paintAllOwed({ ...deps, paintings, paintOnce }, journal));
  return {
    settle,
    settleAnswered: async (journal, id) => {
      if (!deps.paintsAlone) await untilPainted(deps.waiting, journal, id);
      return settle(journal);
    },
    repaint: async (journal, id) => {
      const question = journal.state()?.questions.get(id);
      if (question !== undefined) return paintOnce(journal, question);
      const paid = await paintings.repaint(journal, id);
      return isLost(paid) ? postAnew(deps, journal, paid) : paid;
    },
    takeBack: (approval, pressed) => takeBack(deps, approval, pressed),
    isShown,
    watched,
  };
}

interface PaintDeps extends CardsDeps {
  readonly paintings: ApprovalPaintings;
  readonly paintOnce: ReturnType<typeof createPaintOnce>;
}

async function paintAllOwed(deps: PaintDeps, journal: RunJournal): Promise<DebtOutcome> {
  // Not awaited: a reply must not wait until every person who was told has been told how it ended.
  void deps.copies.settle(journal);
  const state = journal.state();
  if (state === undefined) return 'paid';
  const paid = await Promise.all([
    ...owedQuestions(state).map((asked) => deps.paintOnce(journal, asked)),
    ...[...owedCards(state)].map((id) => deps.paintings.paint(journal, id)),
  ]);
  // Only now that no painting of these cards is under way: a new card is painted once it is posted.
  const shown = await Promise.all(paid.map((one) => (isLost(one) ? postAnew(deps, journal, one) : one)));
  return settledBy(shown);
}

function postAnew({ showAgain, log }: CardsDeps, journal: RunJournal, lost: LostCard): Promise<DebtOutcome> {
  const { approval } = lost;
  return orOwing(log.warn, 'A card that is gone could not be shown again yet.', { approval }, async () => {
    await showAgain(journal, lost);
    return 'paid';
  });
}

function takeBack({ surface, log }: CardsDeps, approval: Approval, pressed: CardReceipt): Promise<unknown> {
  // Slack may refuse. The second card then stays; its buttons decide nothing.
  return orLog(log.warn, 'A second card about the same question could not be removed.', { ...pressed }, () =>
    surface.takeBackSecond(approval, pressed),
  );
}

/** The presser looks at the screen, and Slack may take no more paintings for half a minute. */
const SOON_MS = 1_000;

/** Paints what this run owes. The caller waits a second at most: then the painting goes on alone, and stays owed. */
export async function settleSoon(cards: Pick<Cards, 'settle'>, journal: RunJournal): Promise<void> {
  await withLimit(cards.settle(journal), { ms: SOON_MS, late: undefined });
}
