import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { RunId, ThreadKey } from '../../records/index.ts';
import type { Hold } from './hold.ts';

/** A run that this process has in hand, from when it takes the run up until the run comes to rest here. */
export interface RunInHand extends Hold {
  readonly journal: RunJournal;
  readonly thread: ThreadKey;
}

export type RunsInHand = Map<RunId, RunInHand>;

/** What the process tells of the world around the runs it has in hand. */
export interface Attending {
  /** Somebody wrote to this run. */
  readonly onHint: (hint: { readonly run: RunId; readonly thread: ThreadKey }) => void;
  readonly onGap: () => void;
  /** Runs that have only been waiting for so long, and the oldest of too many, give their memory back. They go on from the journal. */
  readonly parkWaiting: (longerThanMs: number) => void;
  /** The process ends: every run lets go at its next safe point. */
  readonly parkAll: () => void;
}

export interface AttendingDeps {
  readonly waiting: Waiting;
  readonly hold: (thread: ThreadKey) => Promise<boolean>;
  readonly elapsed: () => number;
  readonly log: Log;
}

export function createAttending({ waiting, hold: keep, elapsed, log }: AttendingDeps, inHand: RunsInHand): Attending {
  /** A run that waits for no person can be stopped as well. A failed look is made up for by the next one. */
  const lookIfStopped = (run: RunId, journal: RunJournal): void => {
    journal.refresh().then(
      () => letGoIfStopped(inHand, run),
      (error: unknown) =>
        log.info('The process could not read whether a run was stopped; it looks again later.', { run, error }),
    );
  };
  return {
    onHint: ({ run, thread }) => {
      const found = inHand.get(run);
      if (found === undefined) return;
      // Before the grace is over, so that no other process takes what this one is awake for.
      keep(thread).catch((error: unknown) => {
        log.info('A thread could not be kept in hand; another process may go on with it.', { thread, error });
      });
      void waiting.look(run);
      lookIfStopped(run, found.journal);
    },
    onGap: () => {
      void waiting.lookAtAll();
      for (const [run, { journal }] of inHand) lookIfStopped(run, journal);
    },
    parkWaiting: (longerThanMs) => {
      const nowMs = elapsed();
      const waits = [...inHand.values()].flatMap((run) => {
        const sinceMs = run.waitingSinceMs();
        return sinceMs === undefined ? [] : [{ run, sinceMs }];
      });
      const oldest = waits.sort((one, other) => one.sinceMs - other.sinceMs);
      for (const [at, { run, sinceMs }] of oldest.entries()) {
        if (nowMs - sinceMs > longerThanMs || at < oldest.length - LIMITS.hotRuns) run.letGo('parked');
      }
    },
    parkAll: () => {
      for (const run of inHand.values()) run.letGoSoon();
    },
  };
}

export function letGoIfStopped(inHand: RunsInHand, run: RunId): void {
  const found = inHand.get(run);
  if (found?.journal.state()?.status.type === 'stopped') found.letGo('cancelled');
}
