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

/** A process that asked the model, and how often something happened to it. */
export interface Asker {
  readonly name: string;
  readonly losses: number;
}

/**
 * How many answers can have been lost of requests by these processes, in their order. An answer that its asker did not write
 * is lost if something happened to the asker, or if another process was at the same turn: one that asked right before, one
 * that asked right after, one that brought a message into the run, which the answer does not know, or one that stopped the
 * run because its own request failed. The id of an entry begins with the name of its writer.
 */
export function answersLost({ runs }: Pick<History, 'runs'>, asked: readonly Asker[]): number {
  const writers = runs.flatMap((run) => entriesOf(run, 'turn-answered').map(writerOf));
  const bringers = runs.flatMap(bringersOf);
  const stoppers = runs.flatMap((run) =>
    entriesOf(run, 'run-stopped')
      .filter(({ by }) => by === undefined)
      .map(writerOf),
  );
  const lost = [...new Set(asked)].map((asker) => {
    const requests = asked.filter((one) => one === asker).length;
    const unwritten = requests - writers.filter((writer) => writer === asker.name).length;
    const isOther = (one: Asker | undefined) => one !== undefined && one !== asker;
    const besideAnother = asked.filter(
      (one, at) => one === asker && (isOther(asked[at - 1]) || isOther(asked[at + 1])),
    );
    const besideMessages = bringers.filter((turn) => turn.some((writer) => writer !== asker.name));
    const besideStops = stoppers.filter((writer) => writer !== asker.name);
    const beside = besideAnother.length + besideMessages.length + besideStops.length;
    return Math.min(unwritten, asker.losses + beside);
  });
  return lost.reduce((sum, answers) => sum + answers, 0);
}

/** For each turn of a run, which processes brought a message into it before its answer. The first messages began the run. */
function bringersOf(run: History['runs'][number]): readonly (readonly string[])[] {
  const [begunAtMs = 0] = run.entries.map(({ atMs }) => atMs);
  const turns: string[][] = [[]];
  for (const entry of run.entries) {
    if (entry.type === 'turn-answered') turns.push([]);
    if (entry.type === 'person-said' && entry.atMs > begunAtMs) turns.at(-1)?.push(writerOf(entry));
  }
  return turns;
}

const writerOf = ({ id }: { readonly id: string }): string => id.split('-')[0] ?? '';
