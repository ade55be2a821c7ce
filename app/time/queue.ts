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
