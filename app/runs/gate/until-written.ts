import type { Timers } from '../../../interventions/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { StoreUnavailableError } from '../../store/index.ts';

export interface UntilWrittenDeps {
  readonly timers: Timers;
  readonly log: Log;
}

/** What only this process knows, and the store does not have yet. */
interface Unwritten {
  /** The beginning of a sentence for the log. */
  readonly what: string;
  readonly about: Readonly<Record<string, unknown>>;
  /** Called after the first refusal. */
  readonly onRefused?: () => Promise<void>;
  /** True when the process no longer waits for the store. The last refusal then rejects. */
  readonly isOver?: () => boolean;
}

/**
 * Writes what is only in the memory of this process, and repeats the write while the store is away or full. Any other
 * failure is final and rejects.
 */
export async function untilWritten<Result>(
  { timers, log }: UntilWrittenDeps,
  { what, about, onRefused = async () => {}, isOver = () => false }: Unwritten,
  write: () => Promise<Result>,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await write();
      // The store may be away for a while. The loop writes again; every other failure goes to the caller.
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || isOver()) throw error;
      if (isFirst) {
        log.warn(`${what} could not be written. It is tried until the store takes it.`, { ...about, error });
        await onRefused();
      }
    }
    await new Promise<void>((resolve) => void timers.after(LIMITS.rewriteAfterMs, resolve));
  }
}
