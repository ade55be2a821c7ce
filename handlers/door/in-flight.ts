/** Counts work that is under way, so that a stop can wait for its end. */
export interface InFlight {
  /** Returns the work as it was given. */
  readonly count: (work: Promise<void>) => Promise<void>;
  /** Resolves when no work is under way, including work that began while this waited. */
  readonly idle: () => Promise<void>;
}

export function createInFlight(): InFlight {
  const inFlight = new Set<Promise<void>>();
  return {
    count: (work) => {
      inFlight.add(work);
      const done = () => inFlight.delete(work);
      work.then(done, done);
      return work;
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}
