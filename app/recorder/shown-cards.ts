import { type AskedApproval, type EntryBody, isSame, type RunState } from '../journal/index.ts';
import type { ApprovalId, CardReceipt } from '../records/index.ts';

/** A card as this process painted it. */
export interface ShownCard {
  readonly card: CardReceipt;
  readonly revision: number;
}

export type ShownCards = ReadonlyMap<ApprovalId, ShownCard>;

/** The paintings to write for the cards that change no more. Those of a call that goes on will be painted again anyway. */
export function unwritten({ approvals, calls }: RunState, shown: ShownCards = new Map()): readonly EntryBody[] {
  const paintings: EntryBody[] = [];
  // Each append looks at all cards of the run, and the paintings of most are written.
  for (const [id, { revision }] of shown) {
    const now = approvals.get(id);
    if (now === undefined || now.painted >= revision || !isShown(now, shown)) continue;
    if (calls.get(now.call)?.answer === undefined) continue;
    paintings.push({ type: 'card-painted', approval: id, revision });
  }
  return paintings;
}

/** Whether the card shows the newest revision. One that was posted again since does not. */
export function isShown(now: AskedApproval | undefined, shown: ShownCards = new Map()): boolean {
  const painted = now && shown.get(now.id);
  return painted !== undefined && painted.revision === now?.revision && isSame(now.card, painted.card);
}
