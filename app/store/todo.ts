import type { RunId, ThreadKey } from '../records/index.ts';

/** The list of threads that a process must advance, by time. */
export interface Todo {
  /** Takes the threads that are due in `todo`. Each is due again after `leaseMs`, so one caller at a time gets it. */
  claimTodo(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly ThreadKey[]>;
  /**
   * The same for one thread, also when it is due within `earlyMs`. `false` when it is not due: another process has it, or
   * it needs no work.
   */
  claimThread(thread: ThreadKey, leaseMs: number, earlyMs: number): Promise<boolean>;
  /** Extends the lease of a thread that a process advances. */
  renewTodo(thread: ThreadKey, leaseMs: number): Promise<void>;
  /**
   * Removes a thread from `todo` if nothing has happened since the caller looked: same run, same version of its
   * journal, same length of the inbox. Answers whether it did.
   */
  restTodo(seen: SeenThread): Promise<boolean>;
}

export interface SeenThread {
  readonly thread: ThreadKey;
  readonly run: RunId | undefined;
  readonly version: number;
  readonly inboxLength: number;
}
