import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { type Store, StoreUnavailableError } from '../../../../app/store/index.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { counting } from '../../../support/in-process/counting.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';

const HOT_MS = 60_000;

async function waiting(wishes: object = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], times: { hotMs: HOT_MS }, ...wishes });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

const isOwed = (bot: Bot) => bot.store.scheduled().todo.has(threadKey(THREAD));

describe('a run that waits for a person', () => {
  it('gives its memory back after a time, and a press on the same card resumes it (P5)', async () => {
    const bot = await waiting();
    await bot.passes(HOT_MS);
    expect(bot.holds()).toBe(true);
    await bot.passes(1);
    expect(bot.holds()).toBe(false);
    expect(bot.ran()).toEqual([]);

    await bot.press(ANN, bot.card(), 'approve');
    await bot.passes(1_000);

    expect(bot.ran()).toHaveLength(1);
    expect(bot.cards()).toEqual(['restart approved']);
    expect(bot.model.requests).toHaveLength(2);
    expect(bot.posts()).toEqual(['Done.']);
  });

  it('gives its memory back when too many later runs wait, and a press on the same card resumes it', async () => {
    const bot = await waiting();
    const first = bot.card();
    const others = Array.from({ length: LIMITS.hotRuns }, (_, at) => ({
      ...THREAD,
      ts: `1800000000.${1_000_000 + at}`,
    }));
    for (const thread of others) {
      expect(bot.holds()).toBe(true);
      bot.model.says(call('restart'));
      await bot.core.runs.take({
        thread,
        user: first.requester,
        userTeam: thread.team,
        ts: thread.ts,
        text: 'restart',
      });
      await bot.passes(100);
    }
    expect(bot.holds()).toBe(false);

    await bot.press(ANN, first, 'approve');
    await bot.passes(1_000);

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['Done.']);
  });

  it('leaves no fold of its journal in memory when it is parked, so the press that ends the wait reads it whole', async () => {
    const { around, spent } = counting();
    const bot = await waiting({ around });
    const { length } = await bot.journal();
    await bot.passes(HOT_MS);
    await bot.passes(1);
    spent();

    await bot.press(ANN, bot.card(), 'deny');

    expect(spent().entriesRead).toBeGreaterThanOrEqual(length);
  });

  it('is off the list of threads that need a process, and comes back with the press (P5)', async () => {
    const bot = await waiting();
    await bot.passes(5_000);
    expect(isOwed(bot)).toBe(false);
    bot.dies();
    await bot.starts();
    expect(bot.holds()).toBe(false);

    await bot.press(ANN, bot.card(), 'approve');
    await bot.passes(1_000);

    expect(bot.ran()).toHaveLength(1);
    expect(isOwed(bot)).toBe(false);
  });

  it('is off the list while people are asked about the outcome of a call, and comes back with their answer', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)] });
    bot.model.says(call('look'));
    bot.diesAt('tool-returned');
    await bot.mention(ANN, 'look');
    await bot.restarts();
    await bot.passes(HOT_MS * 11);
    expect(bot.holds()).toBe(false);
    expect(isOwed(bot)).toBe(false);
    expect(await bot.standing()).toBe('waiting');

    await bot.tells(ANN, 'skip');
    await bot.passes(1_000);

    expect(bot.posts()).toEqual(['Done.']);
  });

  it('stays on the list while its card could not be posted, because no person can answer it', async () => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says(call('restart'));
    bot.diesAt('call-asked');

    await bot.mention(ANN, 'restart payments');
    expect(isOwed(bot)).toBe(true);
    await bot.restarts();

    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('stays on the list while the question about an outcome has no card, because no person can answer it', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)] });
    bot.model.says(call('look'));
    bot.diesAt('tool-returned');
    await bot.mention(ANN, 'look');
    bot.dies();
    bot.diesAt('question-asked');
    await bot.starts();
    await bot.passes(5_000);
    expect(bot.thread.doubts()).toEqual([]);

    await bot.restarts();

    expect(bot.thread.doubts()).toHaveLength(1);
  });

  it('is released beside other processes only after this one has made its last post in the thread (P29)', async () => {
    const bot = await waiting({ shared: true });
    expect(bot.thread.calls()).not.toContain('statusShown');

    await bot.passes(HOT_MS + 1);

    expect(bot.thread.calls()).toContain('statusShown');
  });

  it('is checked again at once when it was parked and its thread could not leave the list', async () => {
    const refusals = [false];
    const around = (store: Store): Store => ({
      ...store,
      restTodo: async (rest) => refusals.pop() ?? store.restTodo(rest),
    });
    const bot = await waiting({ around });
    await bot.waits(1);

    bot.core.runs.parkWaiting(0);
    await bot.settles();

    expect(refusals).toEqual([]);
    expect(bot.holds()).toBe(false);
    expect(isOwed(bot)).toBe(false);
  });

  it('takes in what people write after the question is answered', async () => {
    const bot = await waiting();
    await bot.mention(BEN, 'and hurry');
    expect(bot.model.requests).toHaveLength(1);

    await bot.press(ANN, bot.card(), 'approve');

    expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('and hurry');
    expect(bot.posts()).toEqual(['Done.']);
  });

  it('shows that a person is needed, and that the agent works after the answer', async () => {
    const bot = await waiting();
    expect(bot.thread.statuses()).toEqual(['processing', 'suspended']);

    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.thread.statuses().slice(0, 4)).toEqual(['processing', 'suspended', 'processing', 'active']);
  });

  it('does not show again that the agent works while it waits', async () => {
    const bot = await waiting({ times: {} });
    await bot.passes(200_000);

    expect(bot.thread.statuses()).toEqual(['processing', 'suspended']);
  });

  it('is off the list while people are asked whether a lost call is tried again', async () => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    bot.diesAt('tool-returned');
    await bot.press(ANN, bot.card(), 'approve');
    await bot.restarts();
    await bot.tells(ANN, 'retry');
    expect(bot.card().tool).toBe('restart');

    await bot.passes(5_000);

    expect(isOwed(bot)).toBe(false);
  });

  it('for one call while a tool looks at another stays on the list', async () => {
    const preview = (): Promise<never> => new Promise(() => {});
    const bot = await inProcess({ tools: [tool('restart'), tool('wipe', { preview })] });
    bot.model.says([call('restart'), call('wipe')]);
    await bot.mention(ANN, 'restart and wipe payments');
    expect(bot.cards()).toEqual(['restart pending']);

    await bot.passes(5_000);

    expect(isOwed(bot)).toBe(true);
  });

  it('for one call while another works stays in memory and on the list', async () => {
    const bot = await inProcess({
      tools: [tool('restart'), tool('look', { ...OPEN, run: () => new Promise(() => {}), timeoutMs: 600_000 })],
      times: { hotMs: HOT_MS },
    });
    bot.model.says([call('restart'), call('look')]);
    await bot.mention(ANN, 'restart payments and look');

    await bot.passes(5_000);

    expect(bot.holds()).toBe(true);
    expect(isOwed(bot)).toBe(true);
  });
});

it('shows no need for a person while calls run that need none', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'));

  await bot.mention(ANN, 'look twice');

  expect(bot.ran()).toHaveLength(2);
  expect(bot.thread.statuses()).not.toContain('suspended');
});

describe('a process that is told to stop', () => {
  it('releases a run that waits at once', async () => {
    const bot = await waiting();

    await bot.leaves();

    expect(bot.holds()).toBe(false);
    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('lets a call that was started come to its end, and begins nothing after it', async () => {
    let held = (_result: string) => {};
    const slow = tool('look', { ...OPEN, run: () => new Promise<string>((resolve) => (held = resolve)) });
    const bot = await inProcess({ tools: [slow] });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'));
    await bot.mention(ANN, 'look twice');

    await bot.leaves();
    held('seen');
    await bot.settles();

    expect((await bot.journal()).at(-1)).toBe('call-finished');
    expect(bot.model.requests).toHaveLength(1);
    expect(bot.holds()).toBe(false);
    await bot.restarts();
    expect(bot.model.requests.length).toBeGreaterThan(1);
  });

  it('releases a run after the answer of the model is written, before its calls are judged', async () => {
    const bot = await inProcess({ tools: [tool('restart')] });
    let answer = (_call: ReturnType<typeof call>) => {};
    bot.model.says(new Promise<ReturnType<typeof call>>((resolve) => (answer = resolve)));
    await bot.mention(ANN, 'restart payments');

    await bot.leaves();
    answer(call('restart'));
    await bot.settles();

    expect((await bot.journal()).at(-1)).toBe('turn-answered');
    expect(bot.thread.cards()).toEqual([]);
    await bot.restarts();
    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('asks nothing about a call that a tool still looks at, and the next process asks with what it sees', async () => {
    let sees = false;
    const preview = () => (sees ? 'It is large.' : new Promise<never>(() => {}));
    const bot = await inProcess({ tools: [tool('restart'), tool('wipe', { preview })] });
    bot.model.says([call('restart'), call('wipe')]);
    await bot.mention(ANN, 'restart and wipe payments');

    await bot.leaves();
    expect(bot.cards()).toEqual(['restart pending']);
    sees = true;
    await bot.restarts();

    expect(bot.card()).toMatchObject({ tool: 'wipe', preview: 'It is large.' });
  });

  it('releases a run whose answer the store does not take', async () => {
    const around = (store: Store): Store => ({
      ...store,
      append: async (wish) => {
        if (wish.entries.some(({ text }) => text.includes('turn-answered'))) throw new StoreUnavailableError('away');
        return store.append(wish);
      },
    });
    const bot = await inProcess({ tools: [], around });
    await bot.mention(ANN, 'hello');
    expect(bot.holds()).toBe(true);

    await bot.leaves();
    await bot.waits(LIMITS.rewriteAfterMs);

    expect(bot.holds()).toBe(false);
  });

  it('still ends a run whose last answer is written', async () => {
    const bot = await inProcess({ tools: [] });
    let answer = (_text: string) => {};
    bot.model.says(new Promise<string>((resolve) => (answer = resolve)));
    await bot.mention(ANN, 'hello');

    await bot.leaves();
    answer('Hello.');
    await bot.settles();

    expect(await bot.journal()).toContain('run-finished');
    expect(bot.posts()).toEqual(['Hello.']);
  });
});
