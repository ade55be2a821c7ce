import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../app/step.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { appending, takesOver } from '../../../support/in-process/appending.ts';
import { call } from '../../../support/in-process/index.ts';

describe('a question with a card of its own', () => {
  it.each([false, true])('is written together with the intent to post its card (shared store: %s)', async (shared) => {
    const { bot, appends } = await appending({ shared });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.cards()).toEqual(['restart pending']);
    expect(appends.filter((types) => /asked|post/.test(types))).toEqual(['call-asked post-begun', 'card-posted']);
  });

  it('is written without the intent when the store took too long for it, and has one card in the end', async () => {
    const { bot, appends } = await appending({ shared: true }, 'call-asked');
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.cards()).toEqual(['restart pending']);
    expect(appends.filter((types) => /asked|post/.test(types))).toEqual(['call-asked', 'post-begun', 'card-posted']);
  });

  it.each<[string, string | undefined, Step]>([
    ['with the intent', undefined, 'call-asked'],
    ['without the intent, as earlier versions wrote it,', 'call-asked', 'call-asked'],
    ['with an intent of its own', 'call-asked', 'card-begun'],
  ])('has one card after a process died with the question written %s', async (_how, late, at) => {
    const stage = await appending({ shared: true }, late);
    const { bot } = stage;
    bot.model.says(call('restart'));
    bot.diesAt(at);
    await bot.mention(ANN, 'restart payments');
    expect(bot.cards()).toEqual([]);

    await takesOver(stage);
    expect(bot.cards()).toEqual(['restart pending']);
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['Done.']);
  });
});

it('writes no intent for a card of its own where a question may become a row of a list card', async () => {
  const { bot, appends } = await appending();
  bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));

  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);

  expect(bot.thread.lists()).toHaveLength(1);
  expect(appends.filter((types) => types.includes('call-asked'))).toEqual(Array(4).fill('call-asked'));
  expect(appends.filter((types) => types.includes('post-begun'))).toEqual(['post-begun']);
});

describe('an answer with words', () => {
  it.each([false, true])('is written together with the intent to post them (shared store: %s)', async (shared) => {
    const { bot, appends } = await appending({ shared });

    await bot.mention(ANN, 'hello');

    expect(bot.posts()).toEqual(['Done.']);
    expect(appends.filter((types) => /answered|post/.test(types))).toEqual([
      'turn-answered post-begun',
      shared ? 'posted run-finished' : 'posted run-finished sealed',
    ]);
  });

  it('is written without the intent when the store took too long for it, and is posted once', async () => {
    const { bot, appends } = await appending({ shared: true }, 'turn-answered');

    await bot.mention(ANN, 'hello');

    expect(bot.posts()).toEqual(['Done.']);
    expect(bot.model.requests).toHaveLength(1);
    expect(appends.filter((types) => /answered|post/.test(types))).toEqual([
      'turn-answered',
      'post-begun',
      'posted run-finished',
    ]);
  });

  it.each<[string, string | undefined, Step]>([
    ['with the intent', undefined, 'turn-answered'],
    ['without the intent, as earlier versions wrote it,', 'turn-answered', 'turn-answered'],
    ['with an intent of its own', 'turn-answered', 'post-begun'],
    ['with the intent and posted, without a receipt', undefined, 'post-sent'],
  ])('is posted once after a process died with it written %s', async (_how, late, at) => {
    const stage = await appending({ shared: true }, late);
    const { bot } = stage;
    bot.diesAt(at);
    await bot.mention(ANN, 'hello');

    await takesOver(stage);

    expect(bot.posts()).toEqual(['Done.']);
    expect(bot.model.requests).toHaveLength(1);
  });

  it('waits for what the agent said before it, which Slack has not taken yet, and has no intent until then', async () => {
    const { bot, appends } = await appending();
    bot.model.says([{ type: 'text', text: 'I restart.' }, call('restart')]);
    bot.thread.breaks('say', new Error('Slack is away.'));
    await bot.mention(ANN, 'restart payments');
    expect(bot.posts()).toEqual([]);
    bot.thread.breaks('say');

    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.posts()).toEqual(['I restart.', 'Done.']);
    expect(appends.filter((types) => types.includes('turn-answered'))).toEqual([
      'turn-answered post-begun',
      'card-painted turn-answered',
    ]);
    expect(appends.filter((types) => /posted/.test(types))).toEqual([
      'card-posted',
      'posted',
      'posted run-finished sealed',
    ]);
  });

  it('is looked for in the thread before it is posted again, when the answer of Slack was lost', async () => {
    const { bot } = await appending();
    bot.model.says([{ type: 'text', text: 'I restart.' }, call('restart')]);
    bot.thread.breaks('say', new Error('The connection broke.'), 'after');
    await bot.mention(ANN, 'restart payments');
    expect(bot.posts()).toEqual(['I restart.']);
    bot.thread.breaks('say');

    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.posts()).toEqual(['I restart.', 'Done.']);
  });
});

it.each([
  [
    'its own store together with the next answer',
    false,
    ['call-started', 'call-finished', 'card-painted turn-answered post-begun', 'posted run-finished sealed'],
  ],
  [
    'a shared store each by itself, because another process may paint as well',
    true,
    [
      ...['card-painted', 'call-started', 'call-finished', 'card-painted', 'turn-answered post-begun'],
      ...['posted run-finished', 'run-sealed', 'sealed'],
    ],
  ],
])('writes the paintings of a card on %s', async (_how, shared, then) => {
  const { bot, appends } = await appending({ shared });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'approve');

  expect(appends.slice(appends.indexOf('call-decided'))).toEqual(['call-decided', ...then]);
});
