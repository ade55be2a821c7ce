import type { History } from './history.ts';
import { entriesOf } from './read-history.ts';

/**
 * How many answers of the model deaths at these times can have cut off. The model answers one turn of a run at a time, so
 * a death costs a run the turn it is at: the one that is answered next, if any is.
 */
export function turnsThatDeathsCut({ runs }: Pick<History, 'runs'>, diedAtMs: readonly number[]): number {
  const cut = runs.flatMap((run) => {
    const answeredAtMs = entriesOf(run, 'turn-answered').map(({ atMs }) => atMs);
    const [begunAtMs = 0] = run.entries.map(({ atMs }) => atMs);
    return answeredAtMs.map((atMs, turn) => {
      const sinceMs = answeredAtMs[turn - 1] ?? begunAtMs;
      return diedAtMs.filter((died) => died >= sinceMs && died <= atMs).length;
    });
  });
  return cut.reduce((sum, deaths) => sum + deaths, 0);
}
