import { type Advancing, type AdvancingDeps, createAdvancing } from './story/advancing.ts';
import { type Attending, type AttendingDeps, createAttending, type RunsInHand } from './story/in-hand.ts';
import { createThreadRuns, type Runs, type ThreadRunsDeps } from './thread-runs.ts';

export type { Runs } from './thread-runs.ts';

/** What the process needs besides. */
export interface RunsAtWork extends Advancing, Attending {}

export interface RunsDeps extends AdvancingDeps, AttendingDeps, ThreadRunsDeps {}

export function createRuns(deps: RunsDeps): Runs & RunsAtWork {
  const inHand: RunsInHand = new Map();
  return {
    ...createThreadRuns(deps, inHand),
    ...createAdvancing(deps, inHand),
    ...createAttending(deps, inHand),
  };
}
