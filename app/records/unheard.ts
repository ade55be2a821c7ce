import type { RunId, Thread, UserId } from './ids.ts';

/** A run that Slack did not let its thread hear the end of. Its requester reads of it elsewhere. */
export interface UnheardRun {
  readonly run: RunId;
  readonly thread: Thread;
  readonly requester: UserId;
  /** A sentence for people. Runs that an older version ended have none. */
  readonly cause?: string;
  readonly atMs: number;
}
