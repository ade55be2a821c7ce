import { expect, it } from 'vitest';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, runId } from '../../support/journal.ts';

/** A bot whose store has one run with one question, and whose cards name this place. */
async function placed(named: { readonly place?: string }) {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.dies();
  await bot.starts({ changes: named });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { id, run } = bot.card();
  const [first] = (await bot.store.read(run)).entries;
  if (first === undefined) throw new Error('The run has no entries.');
  const { isLost, isUnknown } = bot.core.approvals;
  return { isLost, isUnknown, known: id, origin: { run, firstEntry: first.id } };
}
const LOST = approvalId(77);

it('tells a question that is on record from one that is not', async () => {
  const { isUnknown, known } = await placed({});

  expect(await isUnknown(known)).toBe(false);
  expect(await isUnknown(LOST)).toBe(true);
});

it('takes a card for lost that was posted from its own place and is not on record', async () => {
  const { isLost } = await placed({ place: 'here' });

  expect(await isLost({ approval: LOST, origin: undefined, place: 'here' })).toBe(true);
});

it('leaves the card of another deployment alone, which has another place or names none', async () => {
  const { isLost } = await placed({ place: 'here' });

  expect(await isLost({ approval: LOST, origin: undefined, place: 'there' })).toBe(false);
  expect(await isLost({ approval: LOST, origin: undefined, place: undefined })).toBe(false);
  const nowhere = await placed({});
  expect(await nowhere.isLost({ approval: LOST, origin: undefined, place: undefined })).toBe(false);
});

it('takes a card for lost whose run has the first entry that the card names, and no other card of that run', async () => {
  const { isLost, origin } = await placed({ place: 'here' });

  expect(await isLost({ approval: LOST, origin, place: 'there' })).toBe(true);
  expect(await isLost({ approval: LOST, origin: { ...origin, firstEntry: 'other' }, place: 'there' })).toBe(false);
  expect(await isLost({ approval: LOST, origin: { ...origin, run: runId(9) }, place: 'there' })).toBe(false);
});

it('takes no card for lost that is on record, whatever the card says of itself', async () => {
  const { isLost, known, origin } = await placed({ place: 'here' });

  expect(await isLost({ approval: known, origin, place: 'here' })).toBe(false);
});
