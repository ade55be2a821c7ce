import type { Approval } from '../records/index.ts';
import type { VerdictPress } from './answers.ts';

export interface Draws {
  /** Whether the card shows the whole input. A card that hides a part has no *Approve*; only its full view does. */
  readonly showsWholeInput: (approval: Approval) => boolean;
  /** The same for a row of a list card, which has less room. */
  readonly showsWholeInRow: (approval: Approval) => boolean;
  /** Whether the whole input fits into a form. Only then can it be edited, and approved from there. */
  readonly isEditable: (approval: Approval) => boolean;
  /** Whether the card says all of what a trust would cover. Only then does it have *Trust*. */
  readonly offersTrust: (approval: Approval) => boolean;
}

/** Whether this verdict has a button where it was pressed. A verdict without a button cannot be chosen. */
export function isDrawn(draws: Draws, approval: Approval, { verdict, edit, from, confirms }: VerdictPress): boolean {
  // What was confirmed has to be what is on record. A person who edits is asked again about another call than the confirmed one.
  if (confirms !== undefined && edit === undefined && confirms !== approval.digest) return false;
  // The answer is typed into a form that only the card opens.
  if (verdict === 'answer') return from.type === 'card' && edit === undefined;
  if (from.type === 'full-view') return verdict !== 'trust';
  if (from.type === 'web') return verdict !== 'trust' && edit === undefined && from.digest === approval.digest;
  if (edit !== undefined) return verdict === 'approve' && draws.isEditable(approval);
  if (approval.list !== undefined)
    return verdict === 'deny' || (verdict === 'approve' && draws.showsWholeInRow(approval));
  if (verdict === 'trust' && !draws.offersTrust(approval)) return false;
  return verdict === 'deny' || draws.showsWholeInput(approval);
}
