import { type Advancing, type AdvancingDeps, createAdvancing } from './story/advancing.ts';
import { type Attending, type AttendingDeps, createAttending, type RunsInHand } from './story/in-hand.ts';
import { createThreadRuns, type Runs, type ThreadRunsDeps } from './thread-runs.ts';

export type { Runs } from './thread-runs.ts';

/** What `app/work/` and the lifecycle of the process call. */
export interface RunsAtWork extends Advancing, Attending {}

export interface RunsDeps extends AdvancingDeps, AttendingDeps, ThreadRunsDeps {}

/** Joins what other rooms ask of runs, how runs go on in this process, and what the process tells them. */
export function createRuns(deps: RunsDeps): Runs & RunsAtWork {
  const inHand: RunsInHand = new Map();
  return {
    ...createThreadRuns(deps, inHand),
    ...createAdvancing(deps, inHand),
    ...createAttending(deps, inHand),
  };
}
