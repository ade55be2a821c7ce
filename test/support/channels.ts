import { OPS } from '../../sandbox/people.ts';
import type { Stage } from './bot.ts';

/** More channels with the same people in them: Slack takes about one post a second in each. */
export function channelsLikeOps({ world }: Stage, count: number): readonly string[] {
  const ops = world.channels.get(OPS);
  if (ops === undefined) throw new Error('The sandbox has no channel.');
  return Array.from({ length: count }, (_, at) => {
    const id = `C0MORE${1_000 + at}`;
    world.channels.set(id, { ...ops, id, name: id.toLowerCase() });
    return id;
  });
}
