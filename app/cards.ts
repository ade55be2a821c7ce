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

/** Where a question that still waits can be seen no more. */
export interface LostCard {
  readonly approval: ApprovalId;
  readonly card: CardReceipt;
}

/** A list card that changes faster than it is painted is left to whoever changed it last. */
const REPAINTS = 5;

export function createCards({
  surface,
  showAgain,
  log,
  step,
}: {
  readonly surface: Pick<
    Surface,
    'paintCard' | 'findCard' | 'paintList' | 'findList' | 'paintInquiry' | 'findInquiry' | 'paintDoubt' | 'findDoubt'
  >;
  /** Posts once more what stood there. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  readonly log: Log;
  readonly step: AtStep;
}): Cards {
  const paint = async (journal: RunJournal, approval: Approval): Promise<Paid> => {
    try {
      const card = approval.card ?? (await find(journal, approval));
      if (card !== undefined) {
        const painting = await surface.paintCard({ ...approval, card });
        if (painting === 'gone' && approval.status === 'pending')
          return lostAt({ approval: approval.id, card }, await surface.findCard(approval));
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
      return 'paid';
    } catch (error) {
      log.warn('A card could not be painted yet.', { approval: approval.id, error });
      return 'owing';
    }
  };

  const inTurn = createTurnsOfLists<Paid>();

  /** All that is owed on one list card is one painting; whoever comes while it is under way waits, and may find it paid. */
  const paintList = (journal: RunJournal, id: ApprovalId): Promise<Paid> =>
    inTurn(id, async () => {
      try {
        for (let tries = 0; tries < REPAINTS; tries += 1) {
          const owed = (await journal.owed()).filter((row) => row.list === id);
          const list = await journal.list(id);
          if (owed.length === 0 || list === undefined) return 'paid';
          const lost = await drawList(journal, list);
          if (lost !== undefined) return lost;
          // Another process may have painted another row meanwhile, and this painting have come after it.
          await journal.refresh();
          if ((await journal.list(id))?.revision !== list.revision) continue;
          await journal.commit((state) => ({
            entries: owed
              .filter((row) => (state?.approvals.get(row.id)?.painted ?? 0) < row.revision)
              .map((row) => ({ type: 'card-painted', approval: row.id, revision: row.revision })),
            result: undefined,
          }));
          return 'paid';
        }
        return 'owing';
      } catch (error) {
        log.warn('A list card could not be painted yet.', { list: id, error });
        return 'owing';
      }
    });

  const drawList = async (journal: RunJournal, list: ListCard): Promise<LostCard | 'owing' | undefined> => {
    const card = list.card ?? (await findList(journal, list));
    if (card === undefined) return undefined;
    const painting = await surface.paintList({ ...list, card });
    if (painting === 'gone' && list.rows.some(({ status }) => status === 'pending'))
      return lostAt({ approval: list.id, card }, await surface.findList(list));
    await step('painting-sent');
    return undefined;
  };

  const paintInquiry = async (journal: RunJournal, inquiry: Inquiry): Promise<Paid> => {
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
      return 'paid';
    } catch (error) {
      log.warn('The card of an inquiry could not be painted yet.', { inquiry: inquiry.id, error });
      return 'owing';
    }
  };

  const paintDoubt = async (journal: RunJournal, doubt: Doubt): Promise<Paid> => {
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
      return 'paid';
    } catch (error) {
      log.warn('The card of a doubt could not be painted yet.', { doubt: doubt.id, error });
      return 'owing';
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

  const postAnew = (journal: RunJournal, lost: LostCard): Promise<Paid> =>
    showAgain(journal, lost).then(
      () => 'paid',
      (error: unknown) => {
        log.warn('A card that is gone could not be shown again yet.', { approval: lost.approval, error });
        return 'owing';
      },
    );

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
      // Only here, when nobody is at the card any more: it is painted again once it stands.
      const shown = await Promise.all(paid.map((one) => (typeof one === 'string' ? one : postAnew(journal, one))));
      return shown.every((one) => one === 'paid') ? 'paid' : 'owing';
    },
  };
}

type Paid = 'paid' | 'owing' | LostCard;

/** A thread that has the card says more than one answer of Slack, which may not know yet what it has just taken. */
function lostAt(lost: LostCard, found: CardReceipt | undefined): LostCard | 'owing' {
  return found === undefined ? lost : 'owing';
}

/** One after the other for each card, and side by side for different ones. */
function createTurnsOfLists<Result>() {
  const last = new Map<ApprovalId, Promise<Result | undefined>>();
  return (id: ApprovalId, work: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(id) ?? Promise.resolve(undefined)).then(work);
    last.set(id, turn);
    void turn.finally(() => {
      if (last.get(id) === turn) last.delete(id);
    });
    return turn;
  };
}
