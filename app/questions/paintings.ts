import { owedPaintings, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId } from '../records/index.ts';
import { type Settled, whyOwed } from '../surface.ts';
import { createTurns, type Turns } from '../time/index.ts';
import { type DrawingDeps, type Drawn, drawCard, drawList, type LostCard } from './drawing.ts';

/** A card that is `owing` may show something older than its record. */
export type Paid = Settled | LostCard;

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
  const shareNext = createSharedPaintings(inTurn);
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
function createSharedPaintings(inTurn: Turns): SharePainting {
  const waiting = new Map<ApprovalId, Promise<Paid>>();
  return (journal, id, paint) => {
    const before = waiting.get(id);
    if (before !== undefined) return before;
    const mine = inTurn(id, async () => {
      waiting.delete(id);
      // Another caller who joined may have written what this journal has not read.
      const read = await journal.refresh().then(
        () => true,
        () => false,
      );
      return read ? paint() : 'owing';
    });
    waiting.set(id, mine);
    return mine;
  };
}

function paintCard(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const approval = await journal.approval(id);
    return approval && { revision: approval.revision, rows: [approval], draw: () => drawCard(deps, journal, approval) };
  });
}

function paintList(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  return paintUntilNewest(deps, journal, id, async () => {
    const list = await journal.list(id);
    return list && { revision: list.revision, rows: list.rows, draw: () => drawList(deps, journal, list) };
  });
}

async function paintListIfOwed(deps: PaintingsDeps, journal: RunJournal, id: ApprovalId): Promise<Paid> {
  const owed = await journal.owed().catch(() => undefined);
  if (owed === undefined) return 'owing';
  return owed.some(({ list }) => list === id) ? paintList(deps, journal, id) : 'paid';
}

/** One message of the thread as its record is now. */
interface Sheet {
  readonly revision: number;
  readonly rows: readonly Approval[];
  readonly draw: () => Promise<Drawn>;
}

/** A card that changes faster than it is painted is left to the process that changed it last. */
const REPAINTS = 5;

/**
 * Slack shows the painting that came last, and cannot be told of which revision it has to be. So the process looks at the
 * journal once more after each painting, and paints again what is newer: such a look follows the last painting of all.
 */
async function paintUntilNewest(
  { log }: PaintingsDeps,
  journal: RunJournal,
  id: ApprovalId,
  look: () => Promise<Sheet | undefined>,
): Promise<Paid> {
  try {
    let sheet = await look();
    for (let tries = 0; sheet !== undefined && tries < REPAINTS; tries += 1) {
      const { revision, rows, draw } = sheet;
      const drawn = await draw();
      if (drawn !== 'there') return drawn;
      await journal.refresh();
      await journal.commit((state) => ({ entries: shows(state, rows), result: undefined }));
      sheet = await look();
      if (sheet === undefined || sheet.revision <= revision) return 'paid';
    }
    return sheet === undefined ? 'paid' : 'owing';
  } catch (error) {
    log.warn('A card could not be painted yet.', { card: id, error });
    return whyOwed(error);
  }
}

/** Written where the journal says otherwise: the newest was owed, or something newer is believed to be there. */
function shows(state: RunState | undefined, rows: readonly Approval[]) {
  const owed = new Set(state === undefined ? [] : owedPaintings(state).map(({ id }) => id));
  return rows.flatMap(({ id, revision }) => {
    const now = state?.approvals.get(id);
    if (now === undefined) return [];
    const says = now.painted > revision || (now.revision === revision && owed.has(id));
    return says ? [{ type: 'card-painted' as const, approval: id, revision }] : [];
  });
}
