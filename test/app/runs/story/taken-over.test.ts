import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Step } from '../../../../app/step.ts';
import type { Store } from '../../../../app/store/index.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';

/** A process stands still at a step, and another one takes the thread over. Call what it returns to let the first go on. */
async function standsStillAt(
  bot: Bot,
  step: Step,
  act: () => Promise<unknown>,
  otherDiesAt?: Step,
): Promise<() => Promise<void>> {
  let goOn = () => {};
  let stands = false;
  bot.at(step, () => {
    if (stands) return undefined;
    stands = true;
    return new Promise<void>((resolve) => (goOn = resolve));
  });
  void act();
  await bot.settles();
  expect(stands).toBe(true);
  await bot.starts();
  if (otherDiesAt !== undefined) bot.diesAt(otherDiesAt);
  await bot.passes(LIMITS.leaseMs);
  if (otherDiesAt === undefined) await bot.passes(LIMITS.leaseMs);
  return async () => {
    goOn();
    await bot.settles();
  };
}

const open = () => inProcess({ tools: [tool('restart'), tool('look', OPEN)], shared: true });

describe('a process that was paused while another one went on with its run', () => {
  it('starts no call that the other one has started', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    const goOn = await standsStillAt(bot, 'call-starting', () => bot.press(ANN, bot.card(), 'approve'));
    expect(bot.ran()).toHaveLength(1);

    await goOn();

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['Done.']);
    expect(bot.logged.join()).toContain('A run is left for a while');
  });

  it('writes no answer of the model behind that of the other one', async () => {
    const bot = await open();
    let answer = (_text: string) => {};
    bot.model.says(new Promise<string>((resolve) => (answer = resolve)), 'By the other one.');
    await bot.mention(ANN, 'hello');
    await bot.starts();
    await bot.passes(LIMITS.leaseMs);

    answer('Too late.');
    await bot.settles();

    expect(bot.posts()).toEqual(['By the other one.']);
    expect((await bot.journal()).filter((type) => type === 'turn-answered')).toHaveLength(1);
  });

  it('leaves the thread on the list and its status as it is while the other one is at work', async () => {
    const bot = await open();
    let answer = (_text: string) => {};
    const slow = new Promise<string>((resolve) => (answer = resolve));
    bot.model.says(slow, call('look'), new Promise(() => {}));
    await bot.mention(ANN, 'look');
    await bot.starts();
    await bot.passes(LIMITS.leaseMs);
    expect(bot.model.requests).toHaveLength(3);

    answer('Too late.');
    await bot.settles();

    expect(bot.logged.join()).toContain('A run is left for a while');
    expect(bot.thread.statuses()).not.toContain('active');
    expect(bot.store.scheduled().todo.has(threadKey(THREAD))).toBe(true);
  });

  it('posts no card beside that of the other one', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    const goOn = await standsStillAt(bot, 'call-asked', () => bot.mention(ANN, 'restart payments'));
    expect(bot.cards()).toEqual(['restart pending']);

    await goOn();

    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('leaves a question alone while the other one posts its card, even when that one dies', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    const act = () => bot.mention(ANN, 'restart payments');
    const goOn = await standsStillAt(bot, 'call-asked', act, 'card-begun');

    await goOn();
    expect(bot.cards()).toEqual([]);
    expect(bot.logged.join()).toContain('A run is left for a while');
    await bot.starts();
    for (let seconds = 0; seconds < 10; seconds += 1) await bot.passes(1_000);

    expect(bot.posts()).toEqual([]);
    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('begins no call while the other one posts what the agent said before it, even when that one dies', async () => {
    const bot = await open();
    bot.model.says([{ type: 'text', text: 'I look.' }, call('look')]);
    const goOn = await standsStillAt(bot, 'turn-answered', () => bot.mention(ANN, 'look'), 'post-begun');

    await goOn();
    expect(bot.ran()).toEqual([]);
    await bot.starts();
    for (let seconds = 0; seconds < 10; seconds += 1) await bot.passes(1_000);

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['I look.', 'Done.']);
  });

  it('posts nothing a second time that the other one has posted', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    const goOn = await standsStillAt(bot, 'post-begun', () => bot.stop(ANN));

    await goOn();

    expect(bot.posts()).toEqual([WORDS.stoppedWaiting]);
  });

  it('does not repeat what the other one has said', async () => {
    const bot = await open();
    const goOn = await standsStillAt(bot, 'turn-answered', () => bot.mention(ANN, 'hello'));
    expect(bot.posts()).toEqual(['Done.']);

    await goOn();

    expect(bot.posts()).toEqual(['Done.']);
    expect((await bot.journal()).filter((type) => type === 'run-finished')).toHaveLength(1);
  });

  it('writes no result of a call that was called unknown, after a person has reported its outcome', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    const goOn = await standsStillAt(bot, 'tool-returned', () => bot.press(ANN, bot.card(), 'approve'));
    await bot.tells(ANN, 'skip');
    await bot.passes(1_000);

    await goOn();

    expect((await bot.journal()).filter((type) => type === 'call-finished')).toEqual([]);
    expect(bot.model.told()).toEqual([expect.stringContaining('A person chose')]);
  });

  it('settles the question about an outcome with the result that it holds', async () => {
    const bot = await open();
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    const goOn = await standsStillAt(bot, 'tool-returned', () => bot.press(ANN, bot.card(), 'approve'));
    expect(bot.thread.doubts()).toHaveLength(1);

    await goOn();

    expect(bot.ran()).toHaveLength(1);
    expect(bot.model.told()).toEqual(['restart-1: success restart is done']);
    expect(bot.posts()).toEqual(['Done.']);
  });

  it('brings no message into the run that the other one has brought in', async () => {
    const bot = await open();
    bot.model.says(call('restart'), 'Done.');
    await bot.mention(ANN, 'restart payments');
    await bot.mention(BEN, 'and hurry');
    const goOn = await standsStillAt(bot, 'call-finished', () => bot.press(ANN, bot.card(), 'approve'));

    await goOn();

    expect((await bot.journal()).filter((type) => type === 'person-said')).toHaveLength(2);
    expect(bot.posts()).toEqual(['Done.']);
  });
});

it('releases a run whose store was set back, and goes on with its question from the stored entries', async () => {
  let isBack = false;
  const around = (store: Store): Store => ({
    ...store,
    read: async (journal, from) => {
      const page = await store.read(journal, from);
      return isBack && from !== undefined && from > 1 ? { ...page, version: 1, entries: [] } : page;
    },
  });
  const bot = await inProcess({ tools: [tool('restart')], around, shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  isBack = true;
  bot.core.runs.onGap();
  await bot.settles();
  isBack = false;

  await bot.passes(LIMITS.leaseMs);
  expect(bot.posts()).toEqual([WORDS.setBack]);
  expect(bot.cards()).toEqual(['restart pending']);
  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.posts()).toEqual([WORDS.setBack, 'Done.']);
});

it('lets one of two waiting processes go on with an answer', async () => {
  const bot = await open();
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.passes(LIMITS.leaseMs);
  await bot.starts();

  await bot.press(ANN, bot.card(), 'approve');
  await bot.passes(1_000);

  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.requests).toHaveLength(2);
  expect(bot.posts()).toEqual(['Done.']);
});
