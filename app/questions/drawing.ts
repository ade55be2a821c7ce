import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, CardReceipt, ListCard } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Surface } from '../surface.ts';

/** Draws one message of the thread once, as the given record says. */

export interface DrawingDeps {
  readonly surface: Pick<Surface, 'paintCard' | 'findCard' | 'paintList' | 'findList'>;
  readonly step: AtStep;
}

export type Drawn = 'there' | 'owing' | LostCard;

/** Where a question that still waits can be seen no more. */
export interface LostCard {
  readonly approval: ApprovalId;
  readonly card: CardReceipt;
}

export async function drawCard(
  { surface, step }: DrawingDeps,
  journal: RunJournal,
  approval: Approval,
): Promise<Drawn> {
  const card = approval.card ?? (await findAndRecord(journal, [approval], () => surface.findCard(approval)));
  if (card === undefined) return 'there';
  const painting = await surface.paintCard({ ...approval, card });
  if (painting === 'gone' && approval.status === 'pending')
    return lostAt({ approval: approval.id, card }, await surface.findCard(approval));
  await step('painting-sent');
  return 'there';
}

export async function drawList({ surface, step }: DrawingDeps, journal: RunJournal, list: ListCard): Promise<Drawn> {
  const card = list.card ?? (await findAndRecord(journal, list.rows, () => surface.findList(list)));
  if (card === undefined) return 'there';
  const painting = await surface.paintList({ ...list, card });
  if (painting === 'gone' && list.rows.some(({ status }) => status === 'pending'))
    return lostAt({ approval: list.id, card }, await surface.findList(list));
  await step('painting-sent');
  return 'there';
}

/** Slack may not know yet what it has just taken, so a card that is found in the thread is not lost. */
function lostAt(lost: LostCard, found: CardReceipt | undefined): LostCard | 'owing' {
  return found === undefined ? lost : 'owing';
}

/** The process that posted the card may have died before it wrote the receipt, and the card has buttons. */
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
