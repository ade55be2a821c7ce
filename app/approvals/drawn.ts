import type { Approval } from '../records/index.ts';
import type { VerdictPress } from './answers.ts';

export interface Draws {
  /** A card that hides a part of the input draws no yes; only its full view does. */
  readonly showsWholeInput: (approval: Approval) => boolean;
  /** The same for a row of a list card, which has less room. */
  readonly showsWholeInRow: (approval: Approval) => boolean;
  /** Can all of it be shown in a form? Only then can it be edited, and approved from there. */
  readonly isEditable: (approval: Approval) => boolean;
}

/** Is there such a button where this was pressed? What is not drawn cannot be chosen. */
export function isDrawn(draws: Draws, approval: Approval, { verdict, edit, from }: VerdictPress): boolean {
  // Typed into a form that is opened from the card alone.
  if (verdict === 'answer') return from.type === 'card' && edit === undefined;
  if (from.type === 'full-view') return verdict !== 'trust';
  if (from.type === 'web') return verdict !== 'trust' && edit === undefined && from.digest === approval.digest;
  if (edit !== undefined) return verdict === 'approve' && draws.isEditable(approval);
  if (approval.list !== undefined)
    return verdict === 'deny' || (verdict === 'approve' && draws.showsWholeInRow(approval));
  return verdict === 'deny' || draws.showsWholeInput(approval);
}
