import { goesOn, owedPaintings, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId } from '../records/index.ts';
import type { DebtOutcome } from '../surface.ts';
import { createTurns, type Turns } from '../time/index.ts';
import { type DrawingDeps, type DrawnCard, draw, type LostCard, orOwing, rowsOf } from './drawing.ts';
import { onCard, type PaintByOne } from './one-painter.ts';

/** A card that is `owing` may show an older revision. */
export type Paid = DebtOutcome | LostCard;

export const isLost = (paid: Paid): paid is LostCard => typeof paid === 'object' && 'card' in paid;

/** Paints the cards of approvals. No method rejects. */
export interface ApprovalPaintings {
  readonly card: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** One painting pays all rows of a list card. A call during a painting waits for it, and may then find nothing owed. */
  readonly list: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** Paints the card of this id, or the list card that has a row for it, even if nothing is owed. */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
}

export interface PaintingsDeps extends DrawingDeps {
  readonly byOne: PaintByOne;
  /** No other process paints. The paintings of one card then arrive in turn, and none covers a newer one. */
  readonly paintsAlone: boolean;
  readonly log: Log;
}

export function createApprovalPaintings(given: PaintingsDeps): ApprovalPaintings {
  const deps = { ...given, drawn: new Map<ApprovalId, number>() };
  const inTurn = createTurns();
  const shareNext = createSharedPaintings(inTurn);
  return {
    card: (journal, id) =>
      shareNext(journal, id, (newest, isAgain) =>
        isAgain || owesPainting(newest.state(), id) ? paintCard({ ...deps, isAgain }, newest, id) : PAID,
      ),
    list: (journal, id) => inTurn(id, () => paintListIfOwed(deps, journal, id)),
    repaint: (journal, id) => {
      const approval = journal.state()?.approvals.get(id);
      const { list } = approval ?? { list: id };
      const again = { ...deps, isAgain: true };
      const paint = (newest: RunJournal) =>
        list === undefined ? paintCard(again, newest, id) : paintList(again, newest, list);
      return shareNext(journal, list ?? id, paint, true);
    },
  };
}

/** The painting before this one may have shown and recorded all of it. */
const owesPainting = (state: RunState | undefined, id: ApprovalId): boolean =>
  state !== undefined && owedPaintings(state).some((owed) => owed.id === id);

const PAID = Promise.resolve('paid' as const);

type SharePainting = (
  journal: RunJournal,
  id: ApprovalId,
  paint: (journal: RunJournal, isAgain: boolean) => Promise<Paid>,
  isAgain?: boolean,
) => Promise<Paid>;

interface NextPainting {
  journal: RunJournal;
  /** A caller wants the card drawn, even if nothing is owed. */
  isAgain: boolean;
  readonly painted: Promise<Paid>;
}

/**
 * Many presses on one card at once share one more painting, of the newest revision when its turn comes. Slack takes few
 * changes a minute, and a reply must not wait behind one painting for each press.
 */
function createSharedPaintings(inTurn: Turns): SharePainting {
  const waiting = new Map<ApprovalId, NextPainting>();
  return (journal, id, paint, isAgain = false) => {
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
      return paint(last.journal, last.isAgain);
    });
    waiting.set(id, { journal, isAgain, painted });
    return painted;
  };
}

interface PaintDeps extends PaintingsDeps {
  /** The revision of each row that this process drew last. */
  readonly drawn: Map<ApprovalId, number>;
  /** The card is drawn even if this process knows that it shows its newest revision. */
  readonly isAgain?: boolean;
}

function paintCard(deps: PaintDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const asks = await journal.approval(id);
    return asks && { kind: 'approval', asks };
  });
}

function paintList(deps: PaintDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const asks = await journal.list(id);
    return asks && { kind: 'list', asks };
  });
}

async function paintListIfOwed(deps: PaintDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  // The journal's items may be out of reach. The painting stays owed.
  const failed = 'A card could not be painted yet: what it owes could not be read.';
  const owed = await orLog(deps.log.warn, failed, { card: id }, () => journal.owed());
  if (owed === undefined) return 'owing';
  return owed.some(({ list }) => list === id) ? paintList(deps, journal, id) : 'paid';
}

/** A card that changes faster than it is painted is left to the process that changed it last. */
const REPAINTS = 5;

/**
 * Slack shows the painting that arrived last, whatever its revision. So the process writes into the journal after each
 * painting, or reads it, and paints again if the journal is newer. The last painting of all is followed by such a look, too.
 */
async function paintUntilNewest(
  deps: PaintDeps,
  journal: RunJournal,
  id: ApprovalId,
  look: () => Promise<DrawnCard | undefined>,
): Promise<Paid> {
  return orOwing(deps.log, { card: id }, async () => {
    for (let tries = 0; tries < REPAINTS; tries += 1) {
      const card = await look();
      if (card === undefined) return 'paid';
      const painted = await deps.byOne(journal, onCard(card), () => paintAndWrite(deps, journal, card));
      if (painted === 'elsewhere' && rowsOf(card).every(({ id }) => !owesPainting(journal.state(), id))) return 'paid';
      if (painted !== 'elsewhere' && painted !== 'again') return painted;
    }
    return 'owing';
  });
}

/** `again`: the journal has something newer, or a painting of something older may have come last. */
async function paintAndWrite(
  { isAgain = false, ...deps }: PaintDeps,
  journal: RunJournal,
  card: DrawnCard,
): Promise<Paid | 'again'> {
  const rows = rowsOf(card);
  const begunAt = journal.state()?.version ?? 0;
  const isDrawn = !isAgain && (await showsAll(deps, journal, rows));
  const drawn = isDrawn ? 'there' : await draw(deps, journal, card);
  if (drawn !== 'there') return drawn;
  remember(deps.drawn, rows);
  if (deps.paintsAlone && (await isNoted(journal, card))) return 'paid';
  const { paintsAlone } = deps;
  const written = await journal.confirm((state) => shows(state, { rows, begunAt, paintsAlone }));
  return written.type === 'done' && written.result === 'newest' ? 'paid' : 'again';
}

/**
 * Whether the card shows these rows already. Two parts of one process may want the same painting, and the later one may not have
 * read that it was recorded.
 */
async function showsAll({ drawn }: PaintDeps, journal: RunJournal, rows: readonly Approval[]): Promise<boolean> {
  if (rows.every(({ id }) => journal.showsNewest(id))) return true;
  if (!rows.every(({ id, revision }) => drawn.get(id) === revision)) return false;
  const state = await journal.refresh();
  const owed = new Set(state === undefined ? [] : owedPaintings(state).map(({ id }) => id));
  return rows.every(({ id }) => !owed.has(id));
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
