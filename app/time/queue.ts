/** Runs `work` when all earlier work under the same name is over, also when that failed. Other names do not wait. */
export type Turns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): Turns {
  const lines = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (lines.get(name) ?? Promise.resolve()).then(work);
    const line: Promise<unknown> = result
      .catch(() => {})
      .then(() => {
        if (lines.get(name) === line) lines.delete(name);
      });
    lines.set(name, line);
    return result;
  };
}

const known = new WeakMap<object, Turns>();

/**
 * Sixty presses on one run would each find that somebody was faster, up to sixty times: in one process they queue
 * instead. One line for each way to the store, so that what waits for a lost connection holds up nobody who would rather
 * fail at once. It makes things quick and nothing true.
 */
export function turnsOf(store: object): Turns {
  const turns = known.get(store) ?? createTurns();
  known.set(store, turns);
  return turns;
}
