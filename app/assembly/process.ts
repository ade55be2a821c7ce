import type { Borders } from '../borders.ts';
import { LIMITS } from '../limits.ts';
import type { ThreadKey } from '../records/index.ts';
import { createAttempts } from '../runs/index.ts';

/** How this process names itself in journals, and how long it waits before it takes over the work of other processes. */
export interface Process {
  readonly attempts: ReturnType<typeof createAttempts>;
  readonly by: string;
  readonly patienceMs: number;
  /** Tells the process that has the thread in hand; after the grace, another process takes it. */
  readonly wake: (thread: ThreadKey) => void;
}

export function makeProcess({ store, work, entryId }: Borders): Process {
  const attempts = createAttempts(entryId);
  const { isExclusive } = store;
  return {
    attempts,
    by: entryId(),
    patienceMs: isExclusive ? 0 : LIMITS.leaseMs,
    wake: (thread) => work.kick(thread, isExclusive ? 0 : LIMITS.graceMs),
  };
}
