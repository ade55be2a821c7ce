import { expect, it } from 'vitest';
import { defineRule } from '../../../../app/authority/index.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

/** What a yes rests on may change between the card and the start. */

it('asks again when the precondition has changed since it was shown, and runs nothing on the old approval', async () => {
  let world = 'version 1';
  const bot = await inProcess({ tools: [tool('restart', { precondition: () => world })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const first = bot.card();
  world = 'version 2';

  await bot.press(ANN, first, 'approve');
  expect(bot.ran()).toEqual([]);
  const second = bot.card();
  expect(second.id).not.toBe(first.id);
  await bot.press(ANN, second, 'approve');

  expect(bot.ran()).toHaveLength(1);
});

it('shows on the card that the yes counts no more when the precondition has changed and people cannot be asked again', async () => {
  const world = ['version 1', 'version 2'];
  const precondition = () => {
    const seen = world.shift();
    if (seen === undefined) throw new Error('no connection');
    return seen;
  };
  const bot = await inProcess({ tools: [tool('restart', { precondition })] });
  bot.model.says(call('restart'), new Promise(() => {}));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual([]);
  expect(bot.model.requests).toHaveLength(2);
  expect(bot.thread.cards()).toMatchObject([{ outdated: 'world' }]);
});

it('starts nothing when the precondition cannot be checked, and tells the model so', async () => {
  let sees = true;
  const precondition = async () => {
    if (!sees) throw new Error('no connection');
    return 'version 1';
  };
  const bot = await inProcess({ tools: [tool('restart', { precondition })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  sees = false;

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual([]);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: error .*did not run/s)]);
  expect(bot.thread.cards()).toHaveLength(1);
});

it('uses up nothing of a cap with a call that did not start because its precondition had changed', async () => {
  let world = 'version 1';
  const restart = tool('restart', { precondition: () => world });
  const bot = await inProcess({ tools: [restart], limits: { perTool: { restart: { calls: 1 } } } });
  bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b'));
  await bot.mention(ANN, 'restart payments');
  world = 'version 2';
  await bot.press(ANN, bot.card(), 'approve');
  await bot.press(ANN, bot.card(), 'deny');

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual(['restart {"service":"b"}']);
});

it('runs a call whose precondition is unchanged, and asks once', async () => {
  const bot = await inProcess({ tools: [tool('restart', { precondition: () => 'version 1' })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.thread.cards()).toHaveLength(1);
  expect(await bot.journal()).not.toContain('precondition-changed');
});

it('asks no person about a call whose precondition cannot be checked, and tells the model so', async () => {
  const precondition = () => Promise.reject(new Error('no connection'));
  const bot = await inProcess({ tools: [tool('restart', { precondition })] });
  bot.model.says(call('restart'));

  await bot.mention(ANN, 'restart payments');

  expect(bot.thread.cards()).toEqual([]);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: error .*did not run/s)]);
  expect(bot.posts()).toEqual(['Done.']);
});

const OTHER = tool('restart', { description: 'Does something else.' });

it('does not take an approval of a tool that has changed since it was shown, and asks again (EDGE-3)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.restarts({ tools: [OTHER] });

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('outdated');
  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart cancelled', 'restart pending']);

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});

it('does not start a tool that has changed since its call was approved, and asks again (EDGE-3)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('waiter-woken');
  await bot.press(ANN, bot.card(), 'approve');

  await bot.restarts({ tools: [OTHER] });

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart approved', 'restart pending']);
  await bot.press(ANN, bot.card(), 'approve');
  expect(bot.ran()).toHaveLength(1);
});

it('does not take an approval of a tool that is gone, takes the card back, and tells the model so (EDGE-3)', async () => {
  const bot = await inProcess({ tools: [tool('restart'), tool('other')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.restarts({ tools: [tool('other')] });

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('outdated');

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.model.told().join()).toContain('restart');
});

it('takes a denial of a tool that has changed since it was shown', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.restarts({ tools: [OTHER] });

  expect(await bot.press(ANN, bot.card(), 'deny')).toBe('decided');
  expect(bot.cards()).toEqual(['restart denied']);
});

it('does not start a call that was approved under other rules, and asks the approvers under the new rules', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('waiter-woken');
  await bot.press(ANN, bot.card(), 'approve');

  await bot.restarts({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] })] });

  expect(bot.ran()).toEqual([]);
  expect(bot.card().rule.approvers).toEqual([BEN]);
  await bot.press(BEN, bot.card(), 'approve');
  expect(bot.ran()).toHaveLength(1);
});

it('withdraws the card when a rule denies the call while its card waits, and tells the model', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const card = bot.card();
  const rule = { name: 'Freeze', effect: 'deny', tool: 'restart', because: 'It is the sale.' } as const;
  await bot.restarts({ rules: [defineRule(rule)] });

  expect(await bot.press(ANN, card, 'approve')).not.toBe('decided');
  await bot.passes(LIMITS.leaseMs);

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.model.told().join()).toContain('It is the sale.');
});
