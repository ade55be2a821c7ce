import type { BodyOf, Entry } from '../facts/entries.ts';
import type { RunState } from './state.ts';

/** How long the model and tools have worked in a run. Computed from the entries alone. */
export type Worked = Pick<RunState, 'workedMs' | 'turnMs' | 'sinceMs'>;

/** Longer than any answer takes. More time than this means that the process was paused or gone. */
const LONGEST_TURN_MS = 15 * 60_000;

/**
 * The model works from the last input it got until it answers. A tool works as long as `call-finished` says. The wait for a
 * person does not count, also in the middle of a call.
 */
export function worked(state: RunState, entry: Entry): Worked {
  const { workedMs, turnMs, sinceMs } = state;
  switch (entry.type) {
    case 'turn-answered': {
      const took = Math.min(Math.max(0, entry.atMs - sinceMs), LONGEST_TURN_MS);
      return { workedMs: workedMs + took, turnMs: took, sinceMs: entry.atMs };
    }
    case 'call-finished':
      return { workedMs: workedMs + workedIn(state, entry), turnMs, sinceMs: entry.atMs };
    case 'person-said':
    case 'guided':
    case 'call-answered':
    case 'call-unknown':
      return { workedMs, turnMs, sinceMs: entry.atMs };
    default:
      return { workedMs, turnMs, sinceMs };
  }
}

/** How long a tool worked in a call that has finished. */
export function workedIn(state: RunState, { call, ms }: BodyOf<'call-finished'>): number {
  return Math.max(0, ms - waitedMs(state, call));
}

/** How long the questions of a tool server waited in this call. Some may have waited at the same time. */
function waitedMs({ questions }: RunState, call: string): number {
  let waited = 0;
  let until = 0;
  for (const { kind, call: of, askedAtMs, settledAtMs = askedAtMs } of questions.values()) {
    if (kind !== 'inquiry' || of !== call) continue;
    waited += Math.max(0, settledAtMs - Math.max(askedAtMs, until));
    until = Math.max(until, settledAtMs);
  }
  return waited;
}
