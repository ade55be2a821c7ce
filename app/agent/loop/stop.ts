import { AbortedError, type ToolResultBlock } from '../../../interventions/index.ts';
import { closingResults, inOrder, isUntouched, textMessage, toolResultsOf } from '../transcript.ts';
import type { Run } from './run.ts';

export const CANCELLED = 'Tool execution cancelled';

/** Why the loop was stopped from outside; `undefined` when something failed. */
export function stoppedBy(run: Run, error: unknown): 'cancelled' | 'parked' | undefined {
  const outside = run.options.signal;
  if (outside?.aborted !== true || !(error instanceof AbortedError)) return undefined;
  return outside.reason === 'parked' ? 'parked' : 'cancelled';
}

/**
 * Leaves a conversation that can go on after a cancel. Each call gets a result. A message closes the turn, unless no
 * call had begun: then the results alone say so. A pause survives unchanged.
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

/** The results of the newest calls, as the conversation will hold them when the batch is given up. */
export function resultsOnStop(run: Run, error: unknown): readonly ToolResultBlock[] {
  const { messages, pending, interrupts = [] } = run.state();
  if (pending === undefined) return toolResultsOf(messages.at(-1));
  if (interrupts.length > 0 || stoppedBy(run, error) !== 'cancelled') return pending.results;
  return inOrder(pending.message, [...pending.results, ...closingResults(pending, CANCELLED)]);
}
