import type { ApprovalId } from '../../records/index.ts';

/** Cancels the question. The process that runs the thread asks again. */
export function rulesChanged(approval: ApprovalId) {
  const cause = 'The rules for this call have changed since it was asked.';
  return { type: 'call-cancelled', approval, cause, again: true } as const;
}
