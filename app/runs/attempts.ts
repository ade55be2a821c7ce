/** Which started calls are this process's own, and which of them still run. */
export interface Attempts {
  readonly begin: () => string;
  readonly isMine: (attempt: string) => boolean;
  readonly track: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly allEnded: () => Promise<void>;
}

/** Attempts of one process. A restarted process starts with none, so what it finds started is not its own. */
export function createAttempts(newId: () => string): Attempts {
  const mine = new Set<string>();
  const running = new Set<Promise<unknown>>();
  return {
    begin: () => {
      const attempt = newId();
      mine.add(attempt);
      return attempt;
    },
    isMine: (attempt) => mine.has(attempt),
    track: (work) => {
      const ended = work.catch(() => {}).finally(() => running.delete(ended));
      running.add(ended);
      return work;
    },
    allEnded: async () => {
      await Promise.all(running);
    },
  };
}
