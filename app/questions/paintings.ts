import { owedPaintings, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId } from '../records/index.ts';
import { type DebtOutcome, whyOwed } from '../surface.ts';
import { createTurns, type Turns } from '../time/index.ts';
import { type DrawingDeps, type DrawnCard, draw, type LostCard, rowsOf } from './drawing.ts';

/** A card that is `owing` may show something older than its record. */
export type Paid = DebtOutcome | LostCard;

export const isLost = (paid: Paid): paid is LostCard => typeof paid === 'object' && 'card' in paid;

/** None of it rejects. */
export interface ApprovalPaintings {
  readonly card: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** All that is owed on one list card is one painting. A caller who comes while it is under way waits, and may find it paid. */
  readonly list: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** The card of this id, or the one it has a row on, even if nothing is owed there. */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
}

export interface PaintingsDeps extends DrawingDeps {
  readonly log: Log;
}

export function createApprovalPaintings(deps: PaintingsDeps): ApprovalPaintings {
  const inTurn = createTurns();
  const shareNext = createSharedPaintings(deps, inTurn);
  return {
    card: (journal, id) => shareNext(journal, id, () => paintCard(deps, journal, id)),
    list: (journal, id) => inTurn(id, () => paintListIfOwed(deps, journal, id)),
    repaint: (journal, id) => {
      const approval = journal.state()?.approvals.get(id);
      const { list } = approval ?? { list: id };
      return shareNext(journal, list ?? id, () =>
        list === undefined ? paintCard(deps, journal, id) : paintList(deps, journal, list),
      );
    },
  };
}

type SharePainting = (journal: RunJournal, id: ApprovalId, paint: () => Promise<Paid>) => Promise<Paid>;

/**
 * Many who press the same card at once need one more painting, of what is newest when its turn comes. Slack takes few
 * changes a minute, and a reply must not wait behind one for each press.
 */
function createSharedPaintings({ log }: PaintingsDeps, inTurn: Turns): SharePainting {
  const waiting = new Map<ApprovalId, Promise<Paid>>();
  return (journal, id, paint) => {
    const before = waiting.get(id);
    if (before !== undefined) return before;
    const mine = inTurn(id, async () => {
      waiting.delete(id);
      // Another caller who joined may have written what this journal has not read.
      try {
        await journal.refresh();
      } catch (error) {
        log.warn('A card could not be painted yet: its journal could not be read.', { card: id, error });
        return 'owing';
      }
      return paint();
    });
    waiting.set(id, mine);
    return mine;
  };
}

function paintCard(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const asks = await journal.approval(id);
    return asks && { kind: 'approval', asks };
  });
}

function paintList(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const asks = await journal.list(id);
    return asks && { kind: 'list', asks };
  });
}

async function paintListIfOwed(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  const owed = await journal.owed().catch((error: unknown) => {
    deps.log.warn('A card could not be painted yet: what it owes could not be read.', { card: id, error });
  });
  if (owed === undefined) return 'owing';
  return owed.some(({ list }) => list === id) ? paintList(deps, journal, id) : 'paid';
}

/** A card that changes faster than it is painted is left to the process that changed it last. */
const REPAINTS = 5;

/**
 * Slack shows the painting that came last, and cannot be told of which revision it has to be. So the process looks at the
 * journal once more after each painting, and paints again what is newer: such a look follows the last painting of all.
 */
async function paintUntilNewest(
  deps: PaintingsDeps,
  journal: RunJournal,
  id: ApprovalId,
  look: () => Promise<DrawnCard | undefined>,
): Promise<Paid> {
  try {
    for (let tries = 0; tries < REPAINTS; tries += 1) {
      const lookedAt = journal.state()?.version ?? 0;
      const card = await look();
      if (card === undefined) return 'paid';
      const drawn = await draw(deps, journal, card);
      if (drawn !== 'there') return drawn;
      await journal.refresh();
      const written = await journal.commit((state) => shows(state, { rows: rowsOf(card), lookedAt }));
      if (written.type === 'done' && written.result === 'newest') return 'paid';
    }
    return 'owing';
  } catch (error) {
    deps.log.warn('A card could not be painted yet.', { card: id, error });
    return whyOwed(error);
  }
}

/** What was painted, and the version of the journal before the process looked what to paint. */
interface Painted {
  readonly rows: readonly Approval[];
  readonly lookedAt: number;
}

/**
 * What the journal is to say after a painting. A painting that is older than the record is written: another process may
 * have painted the newest before it came, and paints again when it reads that. So does this one where it reads the same.
 */
function shows(state: RunState | undefined, { rows, lookedAt }: Painted) {
  const owed = new Set(state === undefined ? [] : owedPaintings(state).map(({ id }) => id));
  const found = rows.flatMap(({ id, revision }) => {
    const now = state?.approvals.get(id);
    return now === undefined ? [] : [{ id, revision, now }];
  });
  if (found.some(({ revision, now }) => now.paintedAt > lookedAt && now.painted < revision))
    return { entries: [], result: 'again' as const };
  const entries = found
    .filter(({ id, revision, now }) => now.revision > revision || owed.has(id))
    .map(({ id, revision }) => ({ type: 'card-painted' as const, approval: id, revision }));
  const isNewest = found.every(({ revision, now }) => now.revision <= revision);
  return { entries, result: isNewest ? ('newest' as const) : ('again' as const) };
}
