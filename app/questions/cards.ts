import { type EntryBody, isSame, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, CardReceipt, Doubt, Inquiry } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Settled, type Surface, settledBy, whyOwed } from '../surface.ts';
import type { Copies } from './copies.ts';
import type { LostCard } from './drawing.ts';
import { createApprovalPaintings, isLost, type Paid } from './paintings.ts';

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

interface PaintedOnce {
  readonly what: 'doubt' | 'inquiry';
  readonly asked: Pick<Doubt | Inquiry, 'id' | 'card'>;
  readonly find: () => Promise<CardReceipt | undefined>;
  readonly paint: (card: CardReceipt) => Promise<unknown>;
  readonly known: (state: RunState) => { readonly card?: CardReceipt; readonly painted: boolean } | undefined;
  readonly entry: EntryBody;
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
  readonly copies: Pick<Copies, 'settle'>;
  readonly log: Log;
  readonly step: AtStep;
}): Cards {
  const paintings = createApprovalPaintings({ surface, log, step });

  const paintInquiry = (journal: RunJournal, inquiry: Inquiry): Promise<Paid> =>
    paintOnce(journal, {
      what: 'inquiry',
      asked: inquiry,
      find: () => surface.findInquiry(inquiry),
      paint: (card) => surface.paintInquiry({ ...inquiry, card }),
      known: (state) => state.inquiries.get(inquiry.id),
      entry: { type: 'inquiry-painted', inquiry: inquiry.id },
    });

  const paintDoubt = (journal: RunJournal, doubt: Doubt): Promise<Paid> =>
    paintOnce(journal, {
      what: 'doubt',
      asked: doubt,
      find: () => surface.findDoubt(doubt),
      paint: (card) => surface.paintDoubt({ ...doubt, card }),
      known: (state) => state.doubts.get(doubt.id),
      entry: { type: 'doubt-painted', doubt: doubt.id },
    });

  /** It is painted when it is settled, and never again. */
  const paintOnce = async (
    journal: RunJournal,
    { what, asked: { id, card: placed }, find, paint, known, entry }: PaintedOnce,
  ): Promise<Paid> => {
    try {
      const card = placed ?? (await find());
      if (card !== undefined) {
        await paint(card);
        await step('painting-sent');
      }
      const shows = await journal.commit((state) => {
        const now = state && known(state);
        // Its receipt was written meanwhile, and names another message than the one that was painted, if any was.
        if (now?.card !== undefined && !isSame(card, now.card)) return { entries: [], result: false };
        return { entries: now?.painted === false ? [entry] : [], result: true };
      });
      return shows.type === 'done' && shows.result ? 'paid' : 'owing';
    } catch (error) {
      log.warn('A card could not be painted yet.', { [what]: id, error });
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
