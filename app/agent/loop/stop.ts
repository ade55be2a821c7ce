import { AbortedError, type ToolResultBlock } from '../../../interventions/index.ts';
import { closingResults, inOrder, isUntouched, textMessage, toolResultsOf } from '../transcript.ts';
import type { Run } from './run.ts';

export const CANCELLED = 'Tool execution cancelled';

/** Why the caller stopped the loop; `undefined` if the caller did not, so something failed. */
export function stoppedBy(run: Run, error: unknown): 'cancelled' | 'parked' | undefined {
  const outside = run.options.signal;
  if (outside?.aborted !== true || !(error instanceof AbortedError)) return undefined;
  return outside.reason === 'parked' ? 'parked' : 'cancelled';
}

/**
 * Completes the conversation after a cancel, so that it can go on. Each call gets a result. If a call of the batch had
 * begun, or there was no batch, a message closes the turn. A paused run stays as it is.
 */
export async function tidyUp(run: Run): Promise<void> {
  const { pending, interrupts = [] } = run.state();
  if (interrupts.length > 0) return;
  for (const result of pending === undefined ? [] : closingResults(pending, CANCELLED)) {
    await run.remember({ type: 'result', result, executed: false });
  }
  if (pending !== undefined && isUntouched(pending)) return;
  if (run.state().messages.at(-1)?.role === 'user') {
    await run.remember({ type: 'message', message: textMessage('assistant', 'Cancelled by user', 'intervention') });
  }
}

/** The results of the newest batch of calls, as the conversation holds them after the stop. */
export function resultsOnStop(run: Run, error: unknown): readonly ToolResultBlock[] {
  const { messages, pending, interrupts = [] } = run.state();
  if (pending === undefined) return toolResultsOf(messages.at(-1));
  if (interrupts.length > 0 || stoppedBy(run, error) !== 'cancelled') return pending.results;
  return inOrder(pending.message, [...pending.results, ...closingResults(pending, CANCELLED)]);
}
