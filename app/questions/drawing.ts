import type { Log, LogLine } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, Card, CardReceipt } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type DebtOutcome, type Painting, type Surface, UnreachableError } from '../surface.ts';
import { keepNewest } from '../time/index.ts';
import type { PaintByOne } from './one-painter.ts';

/** Names what a run owes its cards and direct messages. These debts change only when its journal does. */
export const debtsOf = ({ run, state }: RunJournal): string => `${run}@${state()?.version}`;

/** Paints one card once, as the given record says, and remembers which cards Slack lets the bot change no more. */

export interface DrawingDeps {
  readonly surface: Pick<Surface, 'paintCard' | 'findCard'>;
  readonly byOne: PaintByOne;
  readonly log: Log;
  readonly step: AtStep;
}

/** A card that shows approvals. It is painted as often as they change. */
export type DrawnCard = Extract<Card, { readonly kind: 'approval' | 'list' }>;

export type Drawn = 'there' | 'owing' | LostCard;

/** The deleted card of a question that still waits. */
export interface LostCard {
  readonly approval: ApprovalId;
  readonly card: CardReceipt;
}

export async function draw({ surface, step }: DrawingDeps, journal: RunJournal, card: DrawnCard): Promise<Drawn> {
  const rows = rowsOf(card);
  const standsAt = card.asks.card ?? (await findAndRecord(journal, rows, () => surface.findCard(card)));
  if (standsAt === undefined) return 'there';
  const painting = await surface.paintCard(card, standsAt);
  if (painting === 'gone' && rows.some(({ status }) => status === 'pending'))
    return lostAt({ approval: card.asks.id, card: standsAt }, await surface.findCard(card));
  await step('painting-sent');
  return 'there';
}

/** The approvals that the card shows. */
export const rowsOf = ({ kind, asks }: DrawnCard): readonly Approval[] => (kind === 'list' ? asks.rows : [asks]);

/** Slack may briefly not know a message that it has just posted, so a card that is found in the thread is not lost. */
function lostAt(lost: LostCard, found: CardReceipt | undefined): LostCard | 'owing' {
  return found === undefined ? lost : 'owing';
}

/** The process that posted the card may have died before it wrote the receipt. The card has buttons, so it is searched. */
async function findAndRecord(
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

/** The outcome of paying a debt. After a failure the log says why, and the outcome whether a later try may pay it. */
export async function orOwing<Outcome extends DebtOutcome | LostCard>(
  line: LogLine,
  what: string,
  about: Readonly<Record<string, unknown>>,
  pay: () => Promise<Outcome>,
): Promise<Outcome | DebtOutcome> {
  try {
    return await pay();
    // Slack or the store may fail, or another process pays. It stays owed, unless Slack says that it never will be taken.
  } catch (error) {
    line(what, { ...about, error });
    return error instanceof UnreachableError ? error : 'owing';
  }
}

export const NOT_PAINTED = 'A card could not be painted yet.';

/** Which cards and lines cannot show their record any more, as far as this process has tried to paint them. */
export interface PaintingsWatch {
  /** Returns the painting as it was given, and remembers its outcome. */
  readonly watched: (standsAt: CardReceipt, painting: Promise<Painting>) => Promise<Painting>;
  /** `false` where Slack refused the last painting for good. Resolves when no painting of the card is under way. */
  readonly isShown: (card: CardReceipt) => Promise<boolean>;
}

/** A presser asks within seconds, so the oldest may be forgotten. */
const MOST_UNSHOWN = 1_000;

export function watchPaintings(): PaintingsWatch {
  const unshown = new Map<string, true>();
  const underWay = new Map<string, Promise<unknown>>();
  return {
    watched: async (standsAt, painting) => {
      const name = nameOf(standsAt);
      const settled = Promise.allSettled([painting]);
      underWay.set(name, settled);
      try {
        const painted = await painting;
        if (painted === 'painted') unshown.delete(name);
        else keepNewest(unshown, name, true, MOST_UNSHOWN);
        return painted;
      } finally {
        if (underWay.get(name) === settled) underWay.delete(name);
      }
    },
    isShown: async (card) => {
      const name = nameOf(card);
      while (underWay.has(name)) await underWay.get(name);
      return !unshown.has(name);
    },
  };
}

const nameOf = ({ channel, ts }: CardReceipt): string => `${channel}:${ts}`;
