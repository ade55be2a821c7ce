/** Runs `work` when all earlier work under the same name is over, also failed work. Other names do not wait. */
export type Turns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): Turns {
  const lines = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (lines.get(name) ?? Promise.resolve()).then(work);
    const end = () => {
      if (lines.get(name) === line) lines.delete(name);
    };
    // The caller hears of a failure by `result`.
    const line: Promise<unknown> = result.then(end, end);
    lines.set(name, line);
    return result;
  };
}

const known = new WeakMap<object, Turns>();

/**
 * Queues appends to one journal within this process. Without it, sixty presses on one run would conflict up to sixty times
 * each. Each store object has its own queue, so that an append that waits through an outage does not hold up one that must
 * fail soon. The queue only saves time; the version of the journal decides.
 */
export function turnsOf(store: object): Turns {
  const turns = known.get(store) ?? createTurns();
  known.set(store, turns);
  return turns;
}
