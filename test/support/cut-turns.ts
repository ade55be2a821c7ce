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

/** A request to the model. */
export interface Asked {
  readonly by: { readonly name: string; readonly losses: number };
  /** The process that asked before was another one, and it still worked. */
  readonly besideAnother: boolean;
}

/**
 * How many answers to these requests, in their order, can have been lost. An answer that its asker did not write is lost if
 * something happened to the asker, or if another process was at the same turn: one that still worked and had asked right
 * before, or one that asked right after. The id of an entry begins with the name of its writer.
 */
export function answersLost({ runs }: Pick<History, 'runs'>, asked: readonly Asked[]): number {
  const writers = runs.flatMap((run) => entriesOf(run, 'turn-answered').map(({ id }) => id.split('-')[0]));
  const lost = [...new Set(asked.map(({ by }) => by))].map((asker) => {
    const requests = asked.filter(({ by }) => by === asker).length;
    const unwritten = requests - writers.filter((writer) => writer === asker.name).length;
    const overtaken = asked.filter(
      ({ by, besideAnother }, at) => by === asker && (besideAnother || (asked[at + 1]?.by ?? asker) !== asker),
    ).length;
    return Math.min(unwritten, asker.losses + overtaken);
  });
  return lost.reduce((sum, answers) => sum + answers, 0);
}
