import { expect, it } from 'vitest';
import { tell } from './story.ts';
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
  [
    'an end of trust that is lost',
    ({ store: { facts } }) => {
      const { append } = facts;
      facts.append = async (request) =>
        request.entries.some(({ text }) => text.includes('"grant-revoked"'))
          ? { type: 'ok', version: request.expectedVersion + 1, receivers: 0 }
          : append(request);
    },
  ],
])('the nights find %s', async (_what, spoil) => {
  const broken: string[] = [];
  for (let seed = 1; seed <= 100 && broken.length === 0; seed += 1) broken.push(...(await tell(seed, spoil)).broken);

  expect(broken).not.toEqual([]);
});
