import type { Log } from './log.ts';
import type { Approval, ApprovalId, CardReceipt, Doubt, Inquiry, ListCard } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import type { AtStep } from './step.ts';
import type { Surface } from './surface.ts';

/**
 * Cards follow the journal, never the one who changed it. A final state owes its card a painting, and the debt is in the
 * journal: whoever comes next pays it.
 */
export interface Cards {
  /** Paints what this run owes. Never rejects: what cannot be painted now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<'paid' | 'owing'>;
}

/** A list card that changes faster than it is painted is left to whoever changed it last. */
const REPAINTS = 5;

export function createCards({
  surface,
  log,
  step,
}: {
  readonly surface: Pick<
    Surface,
    'paintCard' | 'findCard' | 'paintList' | 'findList' | 'paintInquiry' | 'findInquiry' | 'paintDoubt' | 'findDoubt'
  >;
  readonly log: Log;
  readonly step: AtStep;
}): Cards {
  const paint = async (journal: RunJournal, approval: Approval): Promise<boolean> => {
    try {
      const card = approval.card ?? (await find(journal, approval));
      if (card !== undefined) {
        await surface.paintCard({ ...approval, card });
        await step('painting-sent');
      }
      await journal.commit((state) => {
        const painted = state?.approvals.get(approval.id)?.painted ?? 0;
        const known = painted >= approval.revision;
        return {
          entries: known ? [] : [{ type: 'card-painted', approval: approval.id, revision: approval.revision }],
          result: undefined,
        };
      });
      return true;
    } catch (error) {
      log.warn('A card could not be painted yet.', { approval: approval.id, error });
      return false;
    }
  };

  const inTurn = createTurnsOfLists();

  /** All that is owed on one list card is one painting; whoever comes while it is under way waits, and may find it paid. */
  const paintList = (journal: RunJournal, id: ApprovalId): Promise<boolean> =>
    inTurn(id, async () => {
      try {
        for (let tries = 0; tries < REPAINTS; tries += 1) {
          const owed = (await journal.owed()).filter((row) => row.list === id);
          const list = await journal.list(id);
          if (owed.length === 0 || list === undefined) return true;
          await drawList(journal, list);
          // Another process may have painted another row meanwhile, and this painting have come after it.
          await journal.refresh();
          if ((await journal.list(id))?.revision !== list.revision) continue;
          await journal.commit((state) => ({
            entries: owed
              .filter((row) => (state?.approvals.get(row.id)?.painted ?? 0) < row.revision)
              .map((row) => ({ type: 'card-painted', approval: row.id, revision: row.revision })),
            result: undefined,
          }));
          return true;
        }
        return false;
      } catch (error) {
        log.warn('A list card could not be painted yet.', { list: id, error });
        return false;
      }
    });

  const drawList = async (journal: RunJournal, list: ListCard): Promise<void> => {
    const card = list.card ?? (await findList(journal, list));
    if (card === undefined) return;
    await surface.paintList({ ...list, card });
    await step('painting-sent');
  };

  const paintInquiry = async (journal: RunJournal, inquiry: Inquiry): Promise<boolean> => {
    try {
      const card = inquiry.card ?? (await surface.findInquiry(inquiry));
      if (card !== undefined) {
        await surface.paintInquiry({ ...inquiry, card });
        await step('painting-sent');
      }
      await journal.commit((state) => ({
        entries:
          state?.inquiries.get(inquiry.id)?.painted === false ? [{ type: 'inquiry-painted', inquiry: inquiry.id }] : [],
        result: undefined,
      }));
      return true;
    } catch (error) {
      log.warn('The card of an inquiry could not be painted yet.', { inquiry: inquiry.id, error });
      return false;
    }
  };

  const paintDoubt = async (journal: RunJournal, doubt: Doubt): Promise<boolean> => {
    try {
      const card = doubt.card ?? (await surface.findDoubt(doubt));
      if (card !== undefined) {
        await surface.paintDoubt({ ...doubt, card });
        await step('painting-sent');
      }
      await journal.commit((state) => ({
        entries: state?.doubts.get(doubt.id)?.painted === false ? [{ type: 'doubt-painted', doubt: doubt.id }] : [],
        result: undefined,
      }));
      return true;
    } catch (error) {
      log.warn('The card of a doubt could not be painted yet.', { doubt: doubt.id, error });
      return false;
    }
  };

  /** No receipt is not no card: whoever posted it may have died before it was written, and it has buttons. */
  const find = async (journal: RunJournal, approval: Approval): Promise<CardReceipt | undefined> => {
    const card = await surface.findCard(approval);
    if (card === undefined) return undefined;
    await journal.commit((state) => ({
      entries:
        state?.approvals.get(approval.id)?.card === undefined
          ? [{ type: 'card-posted', approval: approval.id, card }]
          : [],
      result: undefined,
    }));
    return card;
  };

  const findList = async (journal: RunJournal, list: ListCard): Promise<CardReceipt | undefined> => {
    const card = await surface.findList(list);
    if (card === undefined) return undefined;
    await journal.commit((state) => ({
      entries: list.rows
        .filter(({ id }) => state?.approvals.get(id)?.card === undefined)
        .map(({ id }) => ({ type: 'card-posted', approval: id, card })),
      result: undefined,
    }));
    return card;
  };

  return {
    settle: async (journal) => {
      const both = await Promise.all([journal.owed(), journal.owedDoubts()]).catch(() => undefined);
      if (both === undefined) return 'owing';
      const [owed, doubts] = both;
      const paid = await Promise.all([
        ...doubts.map((doubt) => paintDoubt(journal, doubt)),
        ...owed.flatMap((approval) => (approval.list === undefined ? [paint(journal, approval)] : [])),
        ...[...new Set(owed.flatMap(({ list }) => list ?? []))].map((list) => paintList(journal, list)),
        ...journal.owedInquiries().map((inquiry) => paintInquiry(journal, inquiry)),
      ]);
      return paid.every(Boolean) ? 'paid' : 'owing';
    },
  };
}

/** One after the other for each card, and side by side for different ones. */
function createTurnsOfLists() {
  const last = new Map<ApprovalId, Promise<boolean>>();
  return (id: ApprovalId, work: () => Promise<boolean>): Promise<boolean> => {
    const turn = (last.get(id) ?? Promise.resolve(true)).then(work);
    last.set(id, turn);
    void turn.finally(() => {
      if (last.get(id) === turn) last.delete(id);
    });
    return turn;
  };
}
