/** Which started calls this process runs now. */
export interface Attempts {
  /** Does the work as a new attempt, which belongs to this process until the work ends. */
  readonly run: <Result>(work: (attempt: string) => Promise<Result>) => Promise<Result>;
  readonly isMine: (attempt: string) => boolean;
  readonly allEnded: () => Promise<void>;
}

/**
 * Attempts of one process. A call that is started on record and belongs to no attempt that runs here may have ended
 * anywhere, so a drive calls it unknown.
 */
export function createAttempts(newId: () => string): Attempts {
  const running = new Map<string, Promise<unknown>>();
  return {
    run: (work) => {
      const attempt = newId();
      const result = work(attempt);
      const ended = result.catch(() => {}).finally(() => running.delete(attempt));
      running.set(attempt, ended);
      return result;
    },
    isMine: (attempt) => running.has(attempt),
    allEnded: async () => {
      await Promise.all(running.values());
    },
  };
}
