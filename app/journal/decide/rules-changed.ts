import type { ApprovalId } from '../../records/index.ts';

/** The question is taken back, and whoever has the call in hand puts it anew. */
export function rulesChanged(approval: ApprovalId) {
  const cause = 'The rules for this call have changed since it was asked.';
  return { type: 'call-cancelled', approval, cause, again: true } as const;
}
