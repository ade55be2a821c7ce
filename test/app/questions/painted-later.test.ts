import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { ANN } from '../../../sandbox/people.ts';
import { appending } from '../../support/in-process/appending.ts';
import { type Bot, call, tool } from '../../support/in-process/index.ts';

const paintings = ({ thread }: Bot): number => thread.calls().filter((name) => name === 'paint approval').length;
const written = (appends: readonly string[]): number => appends.join(' ').split('card-painted').length - 1;

it('a painting that was not written when its process died is sent once more, and then it is written (P21)', async () => {
  const { bot, appends } = await appending();
  bot.model.says(call('restart'), new Promise(() => {}), 'Done.');
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');
  expect([paintings(bot), written(appends)]).toEqual([2, 0]);

  await bot.restarts();

  expect(bot.posts()).toEqual(['Done.']);
  expect([paintings(bot), written(appends)]).toEqual([3, 1]);
});

it('a card that shows its newest state is not painted again because of a press on another card', async () => {
  let ends = () => {};
  const run = () => new Promise<string>((resolve) => (ends = () => resolve('restarted')));
  const { bot, appends } = await appending({ tools: [tool('restart', { run }), tool('scale')] });
  bot.model.says([call('restart', {}, 'a'), call('scale', {}, 'b')]);
  await bot.mention(ANN, 'restart and scale payments');
  const [restart, scale] = bot.thread.cards();
  if (restart === undefined || scale === undefined) throw new Error('There are not two cards.');
  await bot.press(ANN, restart, 'approve');
  await bot.passes(LIMITS.showRunningMs);
  expect(paintings(bot)).toBe(2);

  await bot.press(ANN, scale, 'deny');
  expect(paintings(bot)).toBe(3);
  ends();
  await bot.settles();

  expect(bot.cards()).toEqual(['restart approved', 'scale denied']);
  expect([paintings(bot), written(appends)]).toEqual([4, 2]);
});

it('a call is shown as running once it has run for a while, and not before', async () => {
  let ends = () => {};
  const run = () => new Promise<string>((resolve) => (ends = () => resolve('restarted')));
  const { bot } = await appending({ tools: [tool('restart', { run })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(LIMITS.showRunningMs - 1);
  expect(paintings(bot)).toBe(1);

  await bot.passes(1);
  expect(paintings(bot)).toBe(2);

  ends();
  await bot.settles();
  expect(paintings(bot)).toBe(3);
});

it('a painting while nothing but people can move the run is written at once', async () => {
  const { bot, appends } = await appending({ tools: [tool('restart'), tool('scale')] });
  bot.model.says([call('restart', {}, 'a'), call('scale', {}, 'b')]);
  await bot.mention(ANN, 'restart and scale payments');
  const [restart] = bot.thread.cards();
  if (restart === undefined) throw new Error('There is no card.');

  await bot.press(ANN, restart, 'approve');

  expect(written(appends)).toBe(1);
  expect(appends.at(-1)).toBe('card-painted');
});
