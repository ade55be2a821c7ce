import { expect, it } from 'vitest';
import { type Told, tell } from './story.ts';
import type { World } from './world.ts';

/* Breaks a promise on which the others rely. The wild nights must report it. */

it.each<[string, (world: World) => void]>([
  [
    'an append that is let in at any version',
    ({ store: { facts } }) => {
      const { append } = facts;
      facts.append = async (request) =>
        append({ ...request, expectedVersion: (await facts.read(request.journal)).version });
    },
  ],
  [
    'a delivery that is taken as often as it comes',
    ({ store: { facts } }) => {
      const { take } = facts;
      let times = 0;
      facts.take = (delivery) => {
        times += 1;
        return take({ ...delivery, key: `${delivery.key}#${times}` });
      };
    },
  ],
])('the nights find %s', async (_what, spoil) => {
  const told: Told[] = [];
  for (let seed = 1; seed <= 100; seed += 1) told.push(await tell(seed, spoil));

  expect(told.flatMap(({ broken }) => broken)).not.toEqual([]);
});
