import type { Timers } from '../../../interventions/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { StoreUnavailableError } from '../../store/index.ts';

export interface UntilWrittenDeps {
  readonly timers: Timers;
  readonly log: Log;
}

/**
 * Writes the end of a call, and repeats the write while the store is away: the result is only in the memory of this
 * process, which keeps the call as its own until then. Any other failure is final and rejects.
 */
export async function untilWritten<Result>(
  { timers, log }: UntilWrittenDeps,
  about: { readonly run: string; readonly call: string; readonly tool: string },
  write: () => Promise<Result>,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await write();
      // The store may be away for a while. The loop writes again; every other failure goes to the caller.
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (isFirst)
        log.warn('The end of a call could not be written. It is tried until the store takes it.', { ...about, error });
    }
    await new Promise<void>((resolve) => void timers.after(LIMITS.rewriteAfterMs, resolve));
  }
}
