import type { Copies } from './approvals/copies.ts';
import { createApprovalPaintings, isLost, type LostCard, type Paid } from './approvals/paintings.ts';
import type { Log } from './log.ts';
import type { Approval, ApprovalId, CardReceipt, Doubt, Inquiry } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import type { AtStep } from './step.ts';
import { type Settled, type Surface, settledBy, whyOwed } from './surface.ts';

/**
 * Cards follow the journal, never the one who changed it. A final state owes its card a painting, and the debt is in the
 * journal: whoever comes next pays it.
 */
export interface Cards {
  /** Paints what this run owes. Never rejects: what cannot be painted now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<Settled>;
  /**
   * Paints the card of an approval, or a list card, though nothing may be owed on it: somebody has seen it older than its
   * record. Never rejects.
   */
  readonly repaint: (journal: RunJournal, id: ApprovalId) => Promise<unknown>;
  /** Removes a second card about the same, which somebody pressed. Never rejects. */
  readonly takeBack: (approval: Approval, pressed: CardReceipt) => Promise<unknown>;
}

export function createCards({
  surface,
  showAgain,
  copies,
  log,
  step,
}: {
  readonly surface: Pick<
    Surface,
    | 'takeBackSecond'
    | 'paintCard'
    | 'findCard'
    | 'paintList'
    | 'findList'
    | 'paintInquiry'
    | 'findInquiry'
    | 'paintDoubt'
    | 'findDoubt'
  >;
  /** Posts once more what stood there. */
  readonly showAgain: (journal: RunJournal, lost: LostCard) => Promise<void>;
  readonly copies: Copies;
  readonly log: Log;
  readonly step: AtStep;
}): Cards {
  const paintings = createApprovalPaintings({ surface, log, step });

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
      return whyOwed(error);
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
      return whyOwed(error);
    }
  };

  const postAnew = (journal: RunJournal, lost: LostCard): Promise<Settled> =>
    showAgain(journal, lost).then(
      () => 'paid',
      (error: unknown) => {
        log.warn('A card that is gone could not be shown again yet.', { approval: lost.approval, error });
        return whyOwed(error);
      },
    );

  return {
    takeBack: (approval, pressed) =>
      surface.takeBackSecond(approval, pressed).catch((error: unknown) => {
        log.warn('A second card about the same could not be taken back.', { ...pressed, error });
      }),
    repaint: async (journal, id) => {
      const paid = await paintings.anyway(journal, id);
      return isLost(paid) ? postAnew(journal, paid) : paid;
    },
    settle: async (journal) => {
      // Beside it: a reply must not wait until everybody who was told has been told how it ended.
      void copies.settle(journal);
      const both = await Promise.all([journal.owed(), journal.owedDoubts()]).catch(() => undefined);
      if (both === undefined) return 'owing';
      const [owed, doubts] = both;
      const paid = await Promise.all([
        ...doubts.map((doubt) => paintDoubt(journal, doubt)),
        ...owed.flatMap((approval) => (approval.list === undefined ? [paintings.card(journal, approval.id)] : [])),
        ...[...new Set(owed.flatMap(({ list }) => list ?? []))].map((list) => paintings.list(journal, list)),
        ...journal.owedInquiries().map((inquiry) => paintInquiry(journal, inquiry)),
      ]);
      // Only here, when nobody is at the card any more: it is painted again once it stands.
      const shown = await Promise.all(paid.map((one) => (isLost(one) ? postAnew(journal, one) : one)));
      return settledBy(shown);
    },
  };
}
