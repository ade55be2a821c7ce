import { owedPaintings, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, CardReceipt, ListCard } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Settled, type Surface, whyOwed } from '../surface.ts';
import { createTurns } from '../time/index.ts';

/** A card that is `owing` may show something older than its record. */
export type Paid = Settled | LostCard;

export const isLost = (paid: Paid): paid is LostCard => typeof paid === 'object' && 'card' in paid;

/** Where a question that still waits can be seen no more. */
export interface LostCard {
  readonly approval: ApprovalId;
  readonly card: CardReceipt;
}

/** None of it rejects. */
export interface ApprovalPaintings {
  readonly card: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** All that is owed on one list card is one painting; whoever comes while it is under way waits, and may find it paid. */
  readonly list: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
  /** The card of this id, or the one it has a row on, even if nothing is owed there. */
  readonly anyway: (journal: RunJournal, id: ApprovalId) => Promise<Paid>;
}

/** One message of the thread as its record is now. */
interface Sheet {
  readonly revision: number;
  readonly rows: readonly Approval[];
  readonly draw: () => Promise<Drawn>;
}

type Drawn = 'there' | 'owing' | LostCard;

/** A card that changes faster than it is painted is left to whoever changed it last. */
const REPAINTS = 5;

/**
 * Slack shows whatever painting came last, and cannot be told of which revision it has to be. So whoever has painted looks
 * at the journal once more, and paints again what is newer: the last painting of all is then followed by such a look.
 */
export function createApprovalPaintings({
  surface,
  log,
  step,
}: {
  readonly surface: Pick<Surface, 'paintCard' | 'findCard' | 'paintList' | 'findList'>;
  readonly log: Log;
  readonly step: AtStep;
}): ApprovalPaintings {
  const inTurn = createTurns();
  const waiting = new Map<ApprovalId, Promise<Paid>>();

  const paintUp = async (
    journal: RunJournal,
    id: ApprovalId,
    look: () => Promise<Sheet | undefined>,
  ): Promise<Paid> => {
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
  };

  const paintCard = (journal: RunJournal, id: ApprovalId): Promise<Paid> =>
    paintUp(journal, id, async () => {
      const approval = await journal.approval(id);
      return approval && { revision: approval.revision, rows: [approval], draw: () => drawCard(journal, approval) };
    });

  const drawCard = async (journal: RunJournal, approval: Approval): Promise<Drawn> => {
    const card = approval.card ?? (await found(journal, [approval], () => surface.findCard(approval)));
    if (card === undefined) return 'there';
    const painting = await surface.paintCard({ ...approval, card });
    if (painting === 'gone' && approval.status === 'pending')
      return lostAt({ approval: approval.id, card }, await surface.findCard(approval));
    await step('painting-sent');
    return 'there';
  };

  const paintList = (journal: RunJournal, id: ApprovalId): Promise<Paid> =>
    paintUp(journal, id, async () => {
      const list = await journal.list(id);
      return list && { revision: list.revision, rows: list.rows, draw: () => drawList(journal, list) };
    });

  /**
   * Many who press the same card at once need one more painting, of what is newest when its turn comes. Slack takes few
   * changes a minute, and a reply must not wait behind one for each press.
   */
  const together = (journal: RunJournal, id: ApprovalId, paint: () => Promise<Paid>): Promise<Paid> => {
    const before = waiting.get(id);
    if (before !== undefined) return before;
    const mine = inTurn(id, async () => {
      waiting.delete(id);
      // Whoever joined may have written what this journal has not read.
      const read = await journal.refresh().then(
        () => true,
        () => false,
      );
      return read ? paint() : 'owing';
    });
    waiting.set(id, mine);
    return mine;
  };

  const drawList = async (journal: RunJournal, list: ListCard): Promise<Drawn> => {
    const card = list.card ?? (await found(journal, list.rows, () => surface.findList(list)));
    if (card === undefined) return 'there';
    const painting = await surface.paintList({ ...list, card });
    if (painting === 'gone' && list.rows.some(({ status }) => status === 'pending'))
      return lostAt({ approval: list.id, card }, await surface.findList(list));
    await step('painting-sent');
    return 'there';
  };

  return {
    card: (journal, id) => together(journal, id, () => paintCard(journal, id)),
    list: (journal, id) =>
      inTurn(id, async () => {
        const owed = await journal.owed().catch(() => undefined);
        if (owed === undefined) return 'owing';
        return owed.some(({ list }) => list === id) ? paintList(journal, id) : 'paid';
      }),
    anyway: (journal, id) => {
      const approval = journal.state()?.approvals.get(id);
      const { list } = approval ?? { list: id };
      return together(journal, list ?? id, () =>
        list === undefined ? paintCard(journal, id) : paintList(journal, list),
      );
    },
  };
}

/** A thread that has the card says more than one answer of Slack, which may not know yet what it has just taken. */
function lostAt(lost: LostCard, found: CardReceipt | undefined): LostCard | 'owing' {
  return found === undefined ? lost : 'owing';
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

/** No receipt is not no card: whoever posted it may have died before it was written, and it has buttons. */
async function found(
  journal: RunJournal,
  rows: readonly Approval[],
  find: () => Promise<CardReceipt | undefined>,
): Promise<CardReceipt | undefined> {
  const card = await find();
  if (card === undefined) return undefined;
  await journal.commit((state) => ({
    entries: rows
      .filter(({ id }) => state?.approvals.get(id)?.card === undefined)
      .map(({ id }) => ({ type: 'card-posted' as const, approval: id, card })),
    result: undefined,
  }));
  return card;
}
