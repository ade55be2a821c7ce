import type { ApprovalId } from '../../records/index.ts';
import { pendingApprovals } from '../fold/queries/approvals.ts';
import type { RunState } from '../fold/state.ts';
import type { Decided } from './decided.ts';

/** Cancels the question. The process that runs the thread asks again. */
export function rulesChanged(approval: ApprovalId) {
  const cause = 'The rules for this call have changed since I asked.';
  return { type: 'call-cancelled', approval, cause, again: true } as const;
}

/** What a deployment did to a tool while people were asked about a call of it. */
export type ToolNow = 'changed' | 'removed';

/** Cancels the question. A call of a changed tool is asked again. */
export function toolChanged(approval: ApprovalId, tool: ToolNow) {
  if (tool === 'removed')
    return {
      type: 'call-cancelled',
      approval,
      cause: 'This tool was removed since I asked.',
    } as const;
  const cause = 'This tool has changed since I asked.';
  return { type: 'call-cancelled', approval, cause, again: true } as const;
}

/** Cancels each open question about a tool that a deployment has removed or changed. */
export function decideChangedTools(
  state: RunState,
  toolNow: (asked: { readonly tool: string; readonly definition: string }) => ToolNow | undefined,
): Decided<number> {
  const entries = pendingApprovals(state).flatMap((asked) => {
    const tool = toolNow(asked);
    return tool === undefined ? [] : [toolChanged(asked.id, tool)];
  });
  return { entries, result: entries.length };
}
