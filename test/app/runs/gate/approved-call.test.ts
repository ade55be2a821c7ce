import { expect, it } from 'vitest';
import { ANN, BEN, ZOE } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

it('runs a call after the yes of the person who asked for it, and shows it on the card', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  expect(bot.ran()).toEqual([]);

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toEqual(['restart {"service":"payments"}']);
  expect(bot.model.told()).toEqual(['restart-1: success restart is done']);
  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.cards()).toEqual(['restart approved']);
});

it('runs nothing after a no, and tells the model the reason', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'deny', { reason: 'not during the sale' });

  expect(bot.ran()).toEqual([]);
  expect(bot.model.told()).toEqual([expect.stringContaining('error')]);
  expect(bot.model.told()).toEqual([expect.stringContaining('not during the sale')]);
  expect(bot.cards()).toEqual(['restart denied']);
});

it('runs nothing when no person answers in time, and tells the model that this is not a denial', async () => {
  const bot = await inProcess({ tools: [tool('restart')], times: { approvalLifetimeMs: 3_600_000 } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.passes(3_599_999);
  expect(bot.cards()).toEqual(['restart pending']);
  await bot.passes(1);

  expect(bot.cards()).toEqual(['restart expired']);
  expect(bot.ran()).toEqual([]);
  expect(bot.model.told()).toEqual([expect.stringMatching(/error .*(answered|time)/i)]);
});

it('runs nothing after the press of a person who may not decide', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('not-yours');

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart pending']);
});

it('runs a call that needs two people after the second yes', async () => {
  const wipe = tool('wipe', { effect: 'guarded', approvers: [BEN, ZOE], quorum: 2 });
  const bot = await inProcess({ tools: [wipe] });
  bot.model.says(call('wipe'));
  await bot.mention(ANN, 'wipe payments');

  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('counted');
  expect(bot.ran()).toEqual([]);
  expect(await bot.press(ZOE, bot.card(), 'approve')).toBe('decided');

  expect(bot.ran()).toEqual(['wipe {"service":"payments"}']);
});

it('runs what an approver wrote in place of the input, and tells the model what really ran', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":"search"}' });

  expect(bot.ran()).toEqual(['restart {"service":"search"}']);
  expect(bot.model.told().join()).toContain('A person changed the input before approving it');
  expect(bot.model.told().join()).toContain('in place of what you asked for: {"service":"search"}');
  expect(bot.thread.cards()).toHaveLength(1);
});

it('gives the model the words of an edited call that fails, and what really ran', async () => {
  const fails = tool('restart', { run: () => Promise.reject(new Error('no such service')) });
  const bot = await inProcess({ tools: [fails] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":"search"}' });

  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: error .*"search".*no such service/s)]);
});

it('gives the model the answer of a person in place of the result, and runs nothing', async () => {
  const bot = await inProcess({ tools: [] });
  bot.model.says(call('ask_person', { question: 'Which one?' }));
  await bot.mention(ANN, 'restart one of them');

  expect(await bot.press(ANN, bot.card(), 'answer', { answer: 'the second' })).toBe('decided');

  expect(bot.ran()).toEqual([]);
  expect(bot.model.told().join()).toContain('the second');
});

it('writes that a call starts before its tool begins', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  let held = () => {};
  bot.at('call-started', () => new Promise<void>((resolve) => (held = resolve)));

  await bot.press(ANN, bot.card(), 'approve');
  expect((await bot.journal()).at(-1)).toBe('call-started');
  expect(bot.ran()).toEqual([]);
  held();
  await bot.settles();

  expect(bot.ran()).toHaveLength(1);
});

it('runs a free tool without a question, and names its call below the next post', async () => {
  const bot = await inProcess({
    tools: [tool('look', OPEN), tool('peek', { ...OPEN, run: () => Promise.reject('no') })],
  });
  bot.model.says([call('look'), call('peek')], 'All is well.');

  await bot.mention(ANN, 'look around');

  expect(bot.ran()).toEqual(['look {"service":"payments"}', 'peek {"service":"payments"}']);
  expect(bot.thread.cards()).toEqual([]);
  expect(bot.thread.posts()).toMatchObject([
    {
      text: 'All is well.',
      calls: [
        { tool: 'look', outcome: 'ran' },
        { tool: 'peek', outcome: 'failed' },
      ],
    },
  ]);
});

it('tells the model that a tool does not exist, and asks no person', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restarts'));

  await bot.mention(ANN, 'restart payments');

  expect(bot.thread.cards()).toEqual([]);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restarts-1: error/)]);
  expect(bot.posts()).toEqual(['Done.']);
});
