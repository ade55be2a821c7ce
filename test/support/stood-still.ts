import type { Stage } from './bot.ts';
import type { History } from './history.ts';
import { entriesOf } from './read-history.ts';

/**
 * What was posted by a process that stood still between its intent and its post, for so long that nothing had arrived when
 * another process wrote the last intent. It takes its own post back, unless it is killed before it can.
 */
export function postedLate({ world }: Stage, { runs }: History): readonly string[] {
  return runs.flatMap((run) => {
    const begun = entriesOf(run, 'post-begun');
    return [...new Set(begun.map(({ key }) => key))].flatMap((key) => {
      const intents = begun.filter((entry) => entry.key === key);
      const last = intents.at(-1);
      const name = `${run.run}/${key}`;
      const first = world.requests.find(({ arguments: { metadata } }) => JSON.stringify(metadata ?? '').includes(name));
      const isLate = intents.length > 1 && last !== undefined && first !== undefined && first.atMs > last.atMs;
      return isLate ? [name] : [];
    });
  });
}
