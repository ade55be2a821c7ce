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
  const asked = await takenBack.watch({ ...words, delivery: 'C1:2.0' });
  let askedLater = asked;
  await takenBack.once({ ...words, tool: 'all' }, async () => {
    askedLater = await takenBack.watch({ ...words, delivery: 'C1:3.0' });
  });

  expect([await asked(), await askedLater()]).toEqual([true, false]);
});

it('trust that Slack delivers again is taken back by untrust that came after its first delivery (T11)', async () => {
  const takenBack = createTakenBack(createModelStore({ now: () => 0 }));
  const trust = { ...words, delivery: 'C1:2.0' };
  await takenBack.watch(trust);
  await takenBack.once(words, async () => 'ended');

  const again = await takenBack.watch(trust);
  expect(await again()).toBe(true);
});

it('the first answer to words of trust stands for each process that carries them out at the same time (T11)', async () => {
  const takenBack = createTakenBack(createModelStore({ now: () => 0 }));
  const trust = { ...words, delivery: 'C1:2.0' };

  const refused = { why: 'I could not find out who you are.' };

  expect(await takenBack.settle(trust, refused)).toEqual(refused);
  expect(await takenBack.settle(trust, { why: undefined })).toEqual(refused);
  expect(await takenBack.answerTo(trust)).toEqual(refused);
});
