import { type EntryBody, isSame, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { CardReceipt, Doubt, Inquiry } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Settled, type Surface, whyOwed } from '../surface.ts';

/** The cards of inquiries and doubts: painted when they are settled, and never again. None of it rejects. */

export interface PaintOnceDeps {
  readonly surface: Pick<Surface, 'paintInquiry' | 'findInquiry' | 'paintDoubt' | 'findDoubt'>;
  readonly log: Log;
  readonly step: AtStep;
}

export function paintInquiry(deps: PaintOnceDeps, journal: RunJournal, inquiry: Inquiry): Promise<Settled> {
  const { surface } = deps;
  return paintOnce(deps, journal, {
    what: 'inquiry',
    asked: inquiry,
    find: () => surface.findInquiry(inquiry),
    paint: (card) => surface.paintInquiry({ ...inquiry, card }),
    known: (state) => state.inquiries.get(inquiry.id),
    entry: { type: 'inquiry-painted', inquiry: inquiry.id },
  });
}

export function paintDoubt(deps: PaintOnceDeps, journal: RunJournal, doubt: Doubt): Promise<Settled> {
  const { surface } = deps;
  return paintOnce(deps, journal, {
    what: 'doubt',
    asked: doubt,
    find: () => surface.findDoubt(doubt),
    paint: (card) => surface.paintDoubt({ ...doubt, card }),
    known: (state) => state.doubts.get(doubt.id),
    entry: { type: 'doubt-painted', doubt: doubt.id },
  });
}

interface PaintedOnce {
  readonly what: 'doubt' | 'inquiry';
  readonly asked: Pick<Doubt | Inquiry, 'id' | 'card'>;
  readonly find: () => Promise<CardReceipt | undefined>;
  readonly paint: (card: CardReceipt) => Promise<unknown>;
  readonly known: (state: RunState) => { readonly card?: CardReceipt; readonly painted: boolean } | undefined;
  readonly entry: EntryBody;
}

async function paintOnce(
  { log, step }: PaintOnceDeps,
  journal: RunJournal,
  { what, asked: { id, card: placed }, find, paint, known, entry }: PaintedOnce,
): Promise<Settled> {
  try {
    const card = placed ?? (await find());
    if (card !== undefined) {
      await paint(card);
      await step('painting-sent');
    }
    const shows = await journal.commit((state) => {
      const now = state && known(state);
      // Another process wrote the receipt meanwhile, and it names another message than the one that was painted, if any.
      if (now?.card !== undefined && !isSame(card, now.card)) return { entries: [], result: false };
      return { entries: now?.painted === false ? [entry] : [], result: true };
    });
    return shows.type === 'done' && shows.result ? 'paid' : 'owing';
  } catch (error) {
    log.warn('A card could not be painted yet.', { [what]: id, error });
    return whyOwed(error);
  }
}
