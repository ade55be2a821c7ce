import type { RunState } from '../state.ts';

/* Which call is meant: the model names requests, and people may put another attempt in the place of one. */

/** Model's ids may come again in a later turn: a call is its id within its turn. */
export function callKey(turn: number, toolUseId: string): string {
  return `${turn}/${toolUseId}`;
}

/** The call that stands for a request of the newest turn: the request itself, or what a person put in its place. */
export function callNow({ turns, calls }: Pick<RunState, 'turns' | 'calls'>, toolUseId: string): string {
  return lastRetry(calls, callKey(turns, toolUseId));
}

/** Where the answer to a request is found. */
export function lastRetry(calls: RunState['calls'], call: string): string {
  const retry = calls.get(call)?.retriedAs;
  return retry === undefined ? call : lastRetry(calls, retry);
}

/** Was there an attempt before this one, of which nobody saw the end? */
export function isRetry({ calls }: Pick<RunState, 'calls'>, call: string): boolean {
  return [...calls.values()].some(({ retriedAs }) => retriedAs === call);
}

/** The model's own id of the request that a call stands for. */
export function toolUseIdOf({ calls }: Pick<RunState, 'calls'>, call: string): string {
  for (const [key, { retriedAs }] of calls) if (retriedAs === call) return toolUseIdOf({ calls }, key);
  return call.slice(call.indexOf('/') + 1);
}
