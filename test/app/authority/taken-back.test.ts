import { expect, it } from 'vitest';
import { createTakenBack } from '../../../app/authority/taken-back.ts';
import { UserId } from '../../../app/records/index.ts';
import { ANN, TEAM } from '../../../sandbox/people.ts';
import { createModelStore } from '../../support/model-store.ts';

const by = { user: UserId.parse(ANN), team: TEAM };
const words = { by, tool: 'restart', delivery: 'C1:1.0' };

it('words that end trust are carried out again where the store was away before they were done, and not after that (T11, FS2)', async () => {
  const takenBack = createTakenBack(createModelStore({ now: () => 0 }));
  const away = async () => {
    throw new Error('The store is away.');
  };
  await expect(takenBack.once(words, away)).rejects.toThrow('away');

  expect(await takenBack.once(words, async () => 'ended')).toBe('ended');
  expect(await takenBack.once(words, async () => 'ended')).toBe('before');
});

it('trust that was asked for after untrust is not taken back by it, also when that is still under way (T11)', async () => {
  const takenBack = createTakenBack(createModelStore({ now: () => 0 }));
  const asked = await takenBack.watch(by, 'restart');
  let askedLater = asked;
  await takenBack.once({ ...words, tool: 'all' }, async () => {
    askedLater = await takenBack.watch(by, 'restart');
  });

  expect([await asked(), await askedLater()]).toEqual([true, false]);
});
