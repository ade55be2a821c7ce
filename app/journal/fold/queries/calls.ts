import type { CallState, RunState } from '../state.ts';
import { approvalOf } from './approvals.ts';
import { doubtOf } from './questions.ts';

/* A request of the model is a call; a person may replace a lost call by a new attempt at the same request. */

/** The key has the turn in it, because a model may use the same id again in a later turn. */
export function callKey(turn: number, toolUseId: string): string {
  return `${turn}/${toolUseId}`;
}

/** The present call for a request of the newest turn: the original, or the last retry that a person chose. */
export function callNow({ turns, calls }: Pick<RunState, 'turns' | 'calls'>, toolUseId: string): string {
  return lastRetry(calls, callKey(turns, toolUseId));
}

/** The last retry of a call, which has the answer; the call itself when it has no retry. */
export function lastRetry(calls: RunState['calls'], call: string): string {
  const retry = calls.get(call)?.retriedAs;
  return retry === undefined ? call : lastRetry(calls, retry);
}

/** True when this call is a retry of a lost call. */
export function isRetry({ calls }: Pick<RunState, 'calls'>, call: string): boolean {
  for (const { retriedAs } of calls.values()) if (retriedAs === call) return true;
  return false;
}

/** The model's own id of the request that a call answers. */
export function toolUseIdOf({ calls }: Pick<RunState, 'calls'>, call: string): string {
  for (const [key, { retriedAs }] of calls) if (retriedAs === call) return toolUseIdOf({ calls }, key);
  return call.slice(call.indexOf('/') + 1);
}

/** Whether a run goes on by itself: the model or a tool works. False where it waits for people, or is over. */
export function goesOn(state: RunState): boolean {
  const open: [call: string, CallState][] = [];
  for (const [key, call] of state.calls) {
    if (call.answer === undefined && call.retriedAs === undefined) open.push([key, call]);
  }
  const asked = open.every(([call, { execution, doubt: id }]) => {
    const doubt = doubtOf(state, id);
    if (execution.type === 'unknown') return doubt?.standing.status === 'pending' && doubt.card !== undefined;
    const approval = approvalOf(state, call);
    // A question without a card has not reached people yet.
    return execution.type === 'none' && approval?.standing.status === 'pending' && approval.card !== undefined;
  });
  return state.status.type === 'running' && (open.length === 0 || !asked);
}
