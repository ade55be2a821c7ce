import type { RunId } from '../../records/index.ts';

/** The started calls that run in this process now. */
export interface Attempts {
  /** Does the work as a new attempt of this run. The attempt belongs to this process until the work ends. */
  readonly run: <Result>(of: RunId, work: (attempt: string) => Promise<Result>) => Promise<Result>;
  readonly isMine: (attempt: string) => boolean;
  /** Waits for the attempts of this run alone: a tool of another run may take minutes. */
  readonly allEnded: (of: RunId) => Promise<void>;
}

/**
 * The attempts of one process. A call that is started in the journal but has no attempt running here may have ended
 * elsewhere, so a drive writes it as unknown.
 */
export function createAttempts(newId: () => string): Attempts {
  const running = new Map<string, { readonly of: RunId; readonly ended: Promise<unknown> }>();
  return {
    run: (of, work) => {
      const attempt = newId();
      const result = work(attempt);
      // The caller handles a failure of the work. Here it only ends the attempt.
      const ended = Promise.allSettled([result]).finally(() => running.delete(attempt));
      running.set(attempt, { of, ended });
      return result;
    },
    isMine: (attempt) => running.has(attempt),
    allEnded: async (of) => {
      await Promise.all([...running.values()].flatMap((one) => (one.of === of ? [one.ended] : [])));
    },
  };
}
