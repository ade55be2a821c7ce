import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import type { Surface } from '../../../../app/surface.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

const never = (): Promise<never> => new Promise(() => {});

it('writes nothing below a card that waits for an answer, and shows its work again after the answer', async () => {
  let finds = (): void => {};
  const found = new Promise<string>((resolve) => {
    finds = () => resolve('found');
  });
  const bot = await inProcess({ tools: [tool('find', { ...OPEN, run: () => found }), tool('restart')] });
  bot.model.says([call('find'), call('restart', {}, 'two')], never());
  await bot.mention(ANN, 'find and restart');

  finds();
  await bot.settles();
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(bot.thread.growing()).toEqual([]);
  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.thread.growing()).toEqual(['']);
});

it('takes back the shown work when the process is told to stop, after the call that was started has ended', async () => {
  let finds = (): void => {};
  const found = new Promise<string>((resolve) => {
    finds = () => resolve('found');
  });
  const bot = await inProcess({ tools: [tool('find', { ...OPEN, run: () => found })] });
  bot.model.says(call('find'));
  await bot.mention(ANN, 'find it');
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(bot.thread.growing()).toEqual(['']);

  await bot.leaves();
  finds();
  await bot.settles();

  expect(bot.holds()).toBe(false);
  expect(bot.thread.growing()).toEqual([]);
});

it('shows of each call what it does and whether it ran or failed', async () => {
  let shown: readonly string[] = [];
  const growReply: Surface['growReply'] = async (_card, { calls }) => {
    shown = calls.map(({ summary, status }) => `${summary} ${status}`);
  };
  const fails = () => Promise.reject(new Error('no'));
  const bot = await inProcess({ tools: [tool('find', OPEN), tool('look', { ...OPEN, run: fails })] });
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, growReply } } });
  bot.model.says([call('find'), call('look')], never());

  await bot.mention(ANN, 'find and look');
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(shown).toEqual(['Run find. ran', 'Run look. failed']);
});

it('takes back the shown work when a later call of the turn asks people, and shows it again after their answer', async () => {
  let tells = (_account: 'person') => {};
  const account = new Promise<'person'>((resolve) => (tells = resolve));
  const find = tool('find', { ...OPEN, run: never });
  const bot = await inProcess({ tools: [find, tool('restart')], people: { account: () => account } });
  bot.model.says([call('find'), call('restart')]);
  await bot.mention(ANN, 'find and restart');
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(bot.thread.growing()).toEqual(['']);

  tells('person');
  await bot.settles();

  expect(bot.cards()).toEqual(['restart pending']);
  expect(bot.thread.growing()).toEqual([]);
  await bot.press(ANN, bot.card(), 'deny');
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.thread.growing()).toEqual(['']);
});

it('names below an answer the one call that ran for it, and nothing where no call ran', async () => {
  const bot = await inProcess({ tools: [tool('find', OPEN)] });
  bot.model.says([{ type: 'text', text: 'I look.' }, call('find')], 'I found it.');

  await bot.mention(ANN, 'find it');

  const [before, after] = bot.thread.posts();
  expect(before).not.toHaveProperty('calls');
  expect(after).toMatchObject({ text: 'I found it.', calls: [{ tool: 'find', outcome: 'ran' }] });
});
