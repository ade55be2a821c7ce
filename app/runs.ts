import type { InboxMessage, Thread, UserId } from './records.ts';

/** The story of a run, from a message to the last reply, as the rest of the bot sees it. */
export interface Runs {
  /** Takes a message once, however often it is delivered. Resolves when it is safely stored; rejects if it is not. */
  readonly take: (message: InboxMessage) => Promise<'taken' | 'seen'>;
  /** Marks something that happened in a thread as seen, so that its repetition does nothing. */
  readonly once: (thread: Thread, key: string) => Promise<boolean>;
  /** Is this a thread the agent takes part in? */
  readonly knows: (thread: Thread) => Promise<boolean>;
  readonly standing: (thread: Thread) => Promise<'idle' | 'working' | 'waiting'>;
  /** Stops the thread's run and cancels what it asked. Always safe, so anybody in the thread may. */
  readonly stop: (thread: Thread, by: UserId) => Promise<'stopped' | 'nothing-runs'>;
}
