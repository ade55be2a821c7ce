import { withLimit } from './with-limit.ts';

/**
 * Runs `work` when all earlier work under the same name is over, also failed work, or after `mostMs`. Other names do not
 * wait.
 */
export type Turns = <Result>(name: string, work: () => Promise<Result>, mostMs?: number) => Promise<Result>;

export function createTurns(): Turns {
  const lines = new Map<string, Promise<unknown>>();
  return (name, work, mostMs) => {
    const before = lines.get(name) ?? Promise.resolve();
    const turn = mostMs === undefined ? before : withLimit(before, { ms: mostMs, late: undefined });
    const result = turn.then(work);
    const end = () => {
      if (lines.get(name) === line) lines.delete(name);
    };
    // The caller hears of a failure by `result`.
    const line: Promise<unknown> = result.then(end, end);
    lines.set(name, line);
    return result;
  };
}

/** Does `work` unless work under the same name is under way: then the caller gets the result of that. */
export function createSharedWork<Result>(): (name: string, work: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (name, work) => {
    const before = underWay.get(name);
    if (before !== undefined) return before;
    const now = work().finally(() => underWay.delete(name));
    underWay.set(name, now);
    return now;
  };
}
