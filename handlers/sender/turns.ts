/** One thing at a time for each key, in the order it was asked for; other keys go on. */
export type Turns = <Answer>(key: string, work: () => Promise<Answer>) => Promise<Answer>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    // Whoever waited in front has heard of its own failure.
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
