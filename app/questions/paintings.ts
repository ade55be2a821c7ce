import { goesOn, owedCards, owedPaintings, type RunState } from '../journal/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId } from '../records/index.ts';
import type { DebtOutcome } from '../surface.ts';
import { createTurns } from '../time/index.ts';
import { type DrawingDeps, type DrawnCard, draw, type LostCard, NOT_PAINTED, orOwing, rowsOf } from './drawing.ts';
import { onCard } from './one-painter.ts';

/** A card that is `owing` may show an older revision. */
export type Paid = DebtOutcome | LostCard;

export const isLost = (paid: Paid): paid is LostCard => typeof paid === 'object' && 'card' in paid;

/** Paints the cards of approvals. No method rejects. */
export interface ApprovalPaintings {
  /** Paints the card of an approval, or a list card, if it owes a painting. One painting pays all rows of a list card. */
  readonly paint: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** Paints the card of this id, or the list card that has a row for it, even if nothing is owed. */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
}

export interface PaintingsDeps extends DrawingDeps {
  /** No other process paints. The paintings of one card then arrive in turn, and none covers a newer one. */
  readonly paintsAlone: boolean;
}

export function createApprovalPaintings(given: PaintingsDeps): ApprovalPaintings {
  const deps = { ...given, drawn: new Map<ApprovalId, number>() };
  const paintNext = createSharedPaintings((journal, id, isAgain) =>
    paintUntilNewest({ ...deps, isAgain }, journal, id),
  );
  return {
    paint: (journal, id) => paintNext(journal, id, false),
    repaint: (journal, id) => paintNext(journal, journal.state()?.approvals.get(id)?.list ?? id, true),
  };
}

function owesPainting(journal: RunJournal, id: ApprovalId): boolean {
  const state = journal.state();
  return state !== undefined && owedCards(state).has(id);
}

/** @param isAgain a caller wants the card drawn, even if nothing is owed. */
type Paint = (journal: RunJournal, id: ApprovalId, isAgain: boolean) => Promise<Paid>;

interface NextPainting {
  journal: RunJournal;
  isAgain: boolean;
  readonly painted: Promise<Paid>;
}

/**
 * Many presses on one card at once share one more painting, of the newest revision when its turn comes. Slack takes few
 * changes a minute, and a reply must not wait behind one painting for each press.
 */
function createSharedPaintings(paint: Paint): Paint {
  const inTurn = createTurns();
  const waiting = new Map<ApprovalId, NextPainting>();
  return (journal, id, isAgain) => {
    const before = waiting.get(id);
    if (before !== undefined) {
      // The last caller to join knows what all have written, or finds it when it writes.
      before.journal = journal;
      before.isAgain ||= isAgain;
      return before.painted;
    }
    const painted = inTurn(id, () => {
      const last = waiting.get(id) ?? { journal, isAgain };
      waiting.delete(id);
      return paint(last.journal, id, last.isAgain);
    });
    waiting.set(id, { journal, isAgain, painted });
    return painted;
  };
}

interface PaintDeps extends PaintingsDeps {
  /** The revision of each row that this process drew last. */
  readonly drawn: Map<ApprovalId, number>;
  /** The card is drawn even if this process knows that it shows its newest revision. */
  readonly isAgain: boolean;
}

/** A card that changes faster than it is painted is left to the process that changed it last. */
const REPAINTS = 5;

/**
 * Slack shows the painting that arrived last, whatever its revision. So the process writes into the journal after each
 * painting, or reads it, and paints again if the journal is newer. The last painting of all is followed by such a look, too.
 */
async function paintUntilNewest(deps: PaintDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return orOwing(deps.log.warn, NOT_PAINTED, { card: id }, async () => {
    for (let tries = 0; tries < REPAINTS; tries += 1) {
      const card = await find(journal, id);
      if (card === undefined) return 'paid';
      const painted = await deps.byOne(journal, onCard(card), () => paintAndWrite(deps, journal, card));
      if (painted === 'elsewhere' && !owesPainting(journal, id)) return 'paid';
      if (painted !== 'elsewhere' && painted !== 'again') return painted;
    }
    return 'owing';
  });
}

async function find(journal: RunJournal, id: ApprovalId): Promise<DrawnCard | undefined> {
  const approval = await journal.approval(id);
  if (approval !== undefined) return { kind: 'approval', asks: approval };
  const list = await journal.list(id);
  return list && { kind: 'list', asks: list };
}

/** `again`: the journal has something newer, or a painting of something older may have come last. */
async function paintAndWrite(deps: PaintDeps, journal: RunJournal, card: DrawnCard): Promise<Paid | 'again'> {
  const rows = rowsOf(card);
  const begunAt = journal.state()?.version ?? 0;
  const isDrawn = !deps.isAgain && (await showsAll(deps, journal, card));
  const drawn = isDrawn ? 'there' : await draw(deps, journal, card);
  if (drawn !== 'there') return drawn;
  remember(deps.drawn, rows);
  if (deps.paintsAlone && (await isNoted(journal, card))) return 'paid';
  const { paintsAlone } = deps;
  const written = await journal.confirm((state) => shows(state, { rows, begunAt, paintsAlone }));
  return written === 'newest' ? 'paid' : 'again';
}

/**
 * Whether the card shows these rows already. Two parts of one process may want the same painting, and the later one may not have
 * read that it was recorded.
 */
async function showsAll({ drawn }: PaintDeps, journal: RunJournal, card: DrawnCard): Promise<boolean> {
  const rows = rowsOf(card);
  if (rows.every(({ id }) => journal.showsNewest(id))) return true;
  if (!rows.every(({ id, revision }) => drawn.get(id) === revision)) return false;
  await journal.refresh();
  return !owesPainting(journal, card.asks.id);
}

const MOST_DRAWN = 10_000;

function remember(drawn: Map<ApprovalId, number>, rows: readonly Approval[]): void {
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  for (const { id, revision } of rows) drawn.set(id, revision);
}

/**
 * While the run goes on by itself, its next entry is soon written, and the painting with it. If this process dies before, the
 * card is painted once more.
 */
async function isNoted(journal: RunJournal, card: DrawnCard): Promise<boolean> {
  const state = await journal.refresh();
  if (state === undefined || !goesOn(state)) return false;
  return rowsOf(card).every(({ id, revision, card: standsAt }) => {
    const now = state.approvals.get(id);
    const isEnded = now?.revision === revision && now.standing.status !== 'pending';
    return isEnded && standsAt !== undefined && journal.noteShown(id, { card: standsAt, revision });
  });
}

/** The painted rows, and the version of the journal when their painting began. */
interface Painted extends Pick<PaintingsDeps, 'paintsAlone'> {
  readonly rows: readonly Approval[];
  readonly begunAt: number;
}

/**
 * What the journal records after a painting. A painting of an older revision is recorded too: it may have covered another
 * process's newer one, and that process paints again when it reads this. This process does the same in that situation. A
 * process that paints alone just paints again: the journal already knows that the card owes a newer revision.
 */
function shows(state: RunState | undefined, { rows, begunAt, paintsAlone }: Painted) {
  const owed = new Set(state === undefined ? [] : owedPaintings(state).map(({ id }) => id));
  const found = rows.flatMap(({ id, revision }) => {
    const now = state?.approvals.get(id);
    return now === undefined ? [] : [{ id, revision, now }];
  });
  if (found.some(({ revision, now }) => now.paintedAt > begunAt && now.painted < revision))
    return { entries: [], result: 'again' as const };
  const entries = found
    .filter(({ id, revision, now }) => (now.revision > revision ? !paintsAlone : owed.has(id)))
    .map(({ id, revision }) => ({ type: 'card-painted' as const, approval: id, revision }));
  const isNewest = found.every(({ revision, now }) => now.revision <= revision);
  return { entries, result: isNewest ? ('newest' as const) : ('again' as const) };
}
