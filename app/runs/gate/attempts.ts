/** The started calls that run in this process now. */
export interface Attempts {
  /** Runs the work as a new attempt. The attempt belongs to this process until the work ends. */
  readonly run: <Result>(work: (attempt: string) => Promise<Result>) => Promise<Result>;
  readonly isMine: (attempt: string) => boolean;
  readonly allEnded: () => Promise<void>;
}

/**
 * The attempts of one process. A call that is started in the journal but has no attempt running here may have ended
 * elsewhere, so a drive writes it as unknown.
 */
export function createAttempts(newId: () => string): Attempts {
  const running = new Map<string, Promise<unknown>>();
  return {
    run: (work) => {
      const attempt = newId();
      const result = work(attempt);
      // The caller handles a failure of the work. Here it only ends the attempt.
      const ended = Promise.allSettled([result]).finally(() => running.delete(attempt));
      running.set(attempt, ended);
      return result;
    },
    isMine: (attempt) => running.has(attempt),
    allEnded: async () => {
      await Promise.all(running.values());
    },
  };
}
