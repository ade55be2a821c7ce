import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { RunId, ThreadKey } from '../../records/index.ts';
import type { Hint } from '../../store/index.ts';
import type { Hold } from './hold.ts';

/** A run that this process has in hand, from when it takes the run up until the run comes to rest here. */
export interface RunInHand extends Hold {
  readonly journal: RunJournal;
  readonly thread: ThreadKey;
}

export type RunsInHand = Map<RunId, RunInHand>;

/** What the process tells the runs it has in hand. */
export interface Attending {
  /** The journal of this run was appended to. */
  readonly onHint: (hint: Hint) => void;
  readonly onGap: () => void;
  /** Frees memory: parks runs that have only waited for longer than this. */
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
  /** Reads whether a run was stopped, which happens to working runs as well. After a failed read, the next hint reads again. */
  const lookIfStopped = (run: RunId, journal: RunJournal, version?: number, told?: Hint['entries']): Promise<void> =>
    journal.refresh(version, told).then(
      () => letGoIfStopped(inHand, run),
      (error: unknown) =>
        log.info('The process could not read whether a run was stopped; it looks again later.', { run, error }),
    );
  /** Reads what a hint tells of, even if no call waits: a wait that begins during this read does not read the journal itself. */
  const lookUpTo = async ({ run, version, entries }: Hint, journal: RunJournal): Promise<void> => {
    await waiting.look(run, version, entries);
    await lookIfStopped(run, journal, version, entries);
    await waiting.look(run, version);
  };
  return {
    onHint: (hint) => {
      const { run, thread } = hint;
      const found = inHand.get(run);
      if (found === undefined) return;
      // Keeps other processes from taking a run that is awake here. The store may be away; then they may take it.
      void orLog(log.info, 'A thread could not be kept in hand; another process may go on with it.', { thread }, () =>
        keep(thread),
      );
      void lookUpTo(hint, found.journal);
    },
    onGap: () => {
      void waiting.lookAtAll();
      for (const [run, { journal }] of inHand) void lookIfStopped(run, journal);
    },
    parkWaiting: (longerThanMs) => {
      const nowMs = elapsed();
      for (const { run, sinceMs } of waitingRuns(inHand)) if (nowMs - sinceMs > longerThanMs) run.letGo('parked');
    },
    parkAll: () => {
      for (const run of inHand.values()) run.letGoSoon();
    },
  };
}

/** Frees memory: parks the runs that have waited longest, when more wait than are kept. Call when a run begins to wait. */
export function parkTooMany(inHand: RunsInHand): void {
  const waiting = waitingRuns(inHand);
  const tooMany = waiting.length - LIMITS.hotRuns;
  if (tooMany <= 0) return;
  const oldest = waiting.sort((one, other) => one.sinceMs - other.sinceMs).slice(0, tooMany);
  for (const { run } of oldest) run.letGo('parked');
}

/** The runs that wait and are not parked yet. */
function waitingRuns(inHand: RunsInHand): { readonly run: RunInHand; readonly sinceMs: number }[] {
  return [...inHand.values()].flatMap((run) => {
    const sinceMs = run.waitingSinceMs();
    return sinceMs === undefined || run.signal.aborted ? [] : [{ run, sinceMs }];
  });
}

export function letGoIfStopped(inHand: RunsInHand, run: RunId): void {
  const found = inHand.get(run);
  if (found?.journal.state()?.status.type === 'stopped') found.letGo('cancelled');
}
