import type { Entry } from '../facts/entries.ts';
import type { RunState } from './state.ts';

/** How long the model and tools have worked in a run. Computed from the entries alone. */
export type Worked = Pick<RunState, 'workedMs' | 'turnMs' | 'sinceMs'>;

/** Longer than any answer takes. More time than this means that the process was paused or gone. */
const LONGEST_TURN_MS = 15 * 60_000;

/**
 * The model works from the last input it got until it answers. A tool works as long as `call-finished` says. The wait for a
 * person does not count.
 */
export function worked(state: RunState, entry: Entry): Worked {
  const { workedMs, turnMs, sinceMs } = state;
  switch (entry.type) {
    case 'turn-answered': {
      const took = Math.min(Math.max(0, entry.atMs - sinceMs), LONGEST_TURN_MS);
      return { workedMs: workedMs + took, turnMs: took, sinceMs: entry.atMs };
    }
    case 'call-finished':
      return { workedMs: workedMs + entry.ms, turnMs, sinceMs: entry.atMs };
    case 'person-said':
    case 'guided':
    case 'call-answered':
    case 'call-unknown':
      return { workedMs, turnMs, sinceMs: entry.atMs };
    default:
      return { workedMs, turnMs, sinceMs };
  }
}
