import { type EntryBody, isSame, type RunState } from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Card } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Settled, type Surface, whyOwed } from '../surface.ts';

/** The cards of inquiries and doubts: painted when they are settled, and never again. None of it rejects. */

export interface PaintOnceDeps {
  readonly surface: Pick<Surface, 'paintCard' | 'findCard'>;
  readonly log: Log;
  readonly step: AtStep;
}

export type OncePainted = Extract<Card, { readonly kind: 'inquiry' | 'doubt' }>;

export async function paintOnce(
  { surface, log, step }: PaintOnceDeps,
  journal: RunJournal,
  card: OncePainted,
): Promise<Settled> {
  const { kind, asks } = card;
  try {
    const standsAt = asks.card ?? (await surface.findCard(card));
    if (standsAt !== undefined) {
      await surface.paintCard(card, standsAt);
      await step('painting-sent');
    }
    const shows = await journal.commit((state) => {
      const now = state && known(state, card);
      // Another process wrote the receipt meanwhile, and it names another message than the one that was painted, if any.
      if (now?.card !== undefined && !isSame(standsAt, now.card)) return { entries: [], result: false };
      return { entries: now?.painted === false ? [painted(card)] : [], result: true };
    });
    return shows.type === 'done' && shows.result ? 'paid' : 'owing';
  } catch (error) {
    log.warn('A card could not be painted yet.', { [kind]: asks.id, error });
    return whyOwed(error);
  }
}

const known = ({ inquiries, doubts }: RunState, { kind, asks: { id } }: OncePainted) =>
  kind === 'inquiry' ? inquiries.get(id) : doubts.get(id);

const painted = ({ kind, asks: { id } }: OncePainted): EntryBody =>
  kind === 'inquiry' ? { type: 'inquiry-painted', inquiry: id } : { type: 'doubt-painted', doubt: id };
