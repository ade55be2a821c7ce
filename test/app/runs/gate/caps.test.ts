import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../../app/config/check.ts';
import type { Store } from '../../../../app/store/index.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

const PRICES = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, currency: 'EUR' };
const stoppedFor = (what: string) => expect.stringContaining(`I stopped at a limit: ${what}`);

describe('a cap of the deployment', () => {
  it('of cost stops a run after the answer that exceeds it, and none of its calls runs', async () => {
    const bot = await inProcess({
      tools: [tool('look', OPEN)],
      limits: { perRun: { cost: 3 } },
      model: { prices: PRICES },
    });
    bot.model.costs({ inputTokens: 1_000_000, outputTokens: 500_000 });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'), call('look', {}, 'c'));

    await bot.mention(ANN, 'look around');

    // 1.5, then 3, which is not above it, then 4.5.
    expect(bot.ran()).toHaveLength(2);
    expect(bot.posts()).toEqual([stoppedFor('a cost of 3 for this run')]);
    expect((await bot.entries()).find(({ type }) => type === 'run-stopped')).toBeDefined();
  });

  it('of minutes stops a run whose tools have worked for longer', async () => {
    let held = (_result: string) => {};
    const slow = tool('look', {
      ...OPEN,
      timeoutMs: 120_000,
      run: () => new Promise<string>((resolve) => (held = resolve)),
    });
    const bot = await inProcess({ tools: [slow], limits: { perRun: { minutes: 1 } } });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'));
    await bot.mention(ANN, 'look around');

    await bot.passes(60_001);
    held('done');
    await bot.settles();

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual([stoppedFor('1 minute of work for this run')]);
  });

  it('of minutes does not count the time in which a run waits for a person', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { perRun: { minutes: 1 } } });
    bot.model.says(call('restart', {}, 'a'), call('restart', {}, 'b'));
    await bot.mention(ANN, 'restart payments');

    await bot.passes(3_600_000);
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.cards()).toEqual(['restart approved', 'restart pending']);
  });

  it('of cost keeps an answer that ends the run anyway', async () => {
    const bot = await inProcess({ tools: [], limits: { perRun: { cost: 1 } }, model: { prices: PRICES } });
    bot.model.costs({ inputTokens: 9_000_000, outputTokens: 0 });

    await bot.mention(ANN, 'hello');

    expect(bot.posts()).toEqual(['Done.']);
  });

  it('of calls stops a run before the call that exceeds it', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)], limits: { perRun: { calls: 1 } } });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'));

    await bot.mention(ANN, 'look around');

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual([stoppedFor('1 tool call for this run')]);
  });

  it('of questions stops a run that says so, and withdraws the questions that wait (P64)', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { perRun: { cards: 1 } } });
    bot.model.says([call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b')]);

    await bot.mention(ANN, 'restart both');

    expect(bot.cards().filter((card) => card.endsWith('pending'))).toEqual([]);
    expect(bot.ran()).toEqual([]);
    expect(bot.posts()).toEqual([stoppedFor('1 question to people for this run')]);
    expect(bot.thread.statuses().at(-1)).toBe('active');
  });

  it('of questions stops a run whose place another thread takes at the same instant, before a card is posted (P64)', async () => {
    const bot = await inProcess({
      tools: [tool('restart')],
      limits: { perRequester: { cards: 1 } },
      around: (store) => ({ ...store, takePlace: async () => false }),
    });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.thread.cards()).toEqual([]);
    expect(bot.posts()).toEqual([stoppedFor('1 question to people for the person who asked, today')]);
  });

  it('that another thread reaches first stops a run at once: a waiting question takes no approval, even while a call still runs', async () => {
    let full = () => {};
    let ends = () => {};
    const slow = tool('slow', { ...OPEN, run: () => new Promise((resolve) => (ends = () => resolve('done'))) });
    const bot = await inProcess({
      tools: [tool('restart'), tool('look', OPEN), slow],
      limits: { perTool: { look: { calls: 1 } } },
      around: (store) => ({
        ...store,
        takePlace: () => new Promise((resolve) => (full = () => resolve(false))),
        // A hint may be lost.
        watch: async () => ({ close: async () => {} }),
      }),
    });
    bot.model.says([call('restart'), call('look'), call('slow')]);
    await bot.mention(ANN, 'restart payments and look');
    const card = bot.card();

    full();
    await bot.settles();

    expect(bot.cards()).toEqual(['restart cancelled']);
    expect(await bot.press(ANN, card, 'approve')).toBe('over');
    expect(bot.ran()).toEqual(['slow {"service":"payments"}']);
    ends();
    await bot.settles();
    expect(bot.posts()).toEqual([stoppedFor('1 tool call for look, today')]);
  });

  it('of questions counts no call that runs without a question', async () => {
    const limits = { perRequester: { cards: 1 } };
    const bot = await inProcess({ tools: [tool('restart'), tool('look', OPEN)], limits });
    bot.model.says(call('look'), call('restart'));

    await bot.mention(ANN, 'look, and restart payments');

    expect(bot.cards()).toEqual(['restart pending']);
  });

  it('of the questions of one person and day holds across threads, and for that person alone (P64)', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { perRequester: { cards: 1 } } });
    bot.model.says(call('restart'), 'First.', call('restart'), call('restart'));
    await bot.mention(ANN, 'restart payments');
    await bot.press(ANN, bot.card(), 'approve');
    await bot.mention(ANN, 'restart payments');
    expect(bot.posts()).toEqual(['First.', stoppedFor('1 question to people for the person who asked, today')]);

    await bot.mention(BEN, 'restart payments');

    expect(bot.card().requester).toBe(BEN);
  });

  it('of a thread reads no earlier run of it again that is sealed, however many calls it counts', async () => {
    const read: string[] = [];
    const around = (store: Store): Store => ({
      ...store,
      read: (journal, ...where) => {
        read.push(journal);
        return store.read(journal, ...where);
      },
    });
    const limits = { perThread: { calls: 50 } };
    const bot = await inProcess({ tools: [tool('look', OPEN)], limits, shared: true, around });
    bot.model.says(
      call('look'),
      'One.',
      call('look'),
      'Two.',
      [call('look', {}, 'a'), call('look', {}, 'b')],
      'Three.',
    );
    for (const which of ['one', 'two']) await bot.mention(ANN, `look at ${which}`);
    const [first] = await bot.store.journals('run');
    read.length = 0;

    await bot.mention(ANN, 'look at three');

    expect(bot.posts()).toEqual(['One.', 'Two.', 'Three.']);
    expect(read.filter((journal) => journal === first)).toEqual([]);
  });

  it('of the calls of one tool and day is checked again right before the start', async () => {
    const bot = await inProcess({
      tools: [tool('look', OPEN), tool('peek', OPEN)],
      limits: { perTool: { look: { calls: 1 } } },
    });
    bot.model.says([call('look', {}, 'a'), call('peek')], call('look', {}, 'b'));

    await bot.mention(ANN, 'look around');

    expect(bot.ran()).toHaveLength(2);
    expect(bot.posts()).toEqual([stoppedFor('1 tool call for look, today')]);
  });

  it('does not count a call that people refused', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { perRun: { calls: 1 } } });
    bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b'));
    await bot.mention(ANN, 'restart one');

    await bot.press(ANN, bot.card(), 'deny');
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.ran()).toEqual(['restart {"service":"b"}']);
  });
});

describe('a cap that no deployment has to write', () => {
  const many = (name: string, turn: number) =>
    Array.from({ length: 60 }, (_, place) => call(name, { service: `${turn}-${place}` }, `${turn}-${place}`));

  it('stops a run that calls an open tool on and on (EDGE-10, T20)', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)] });
    bot.model.says(...Array.from({ length: 12 }, (_, turn) => many('look', turn)));

    await bot.mention(ANN, 'look around');

    expect(bot.ran().length).toBeGreaterThanOrEqual(540);
    expect(bot.ran().length).toBeLessThanOrEqual(600);
    expect(bot.posts()).toEqual([stoppedFor('600 tool calls for this run')]);
  });

  it('stops a run that asks people on and on (EDGE-10, T20)', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { turnsPerRun: 100 } });
    bot.model.says(...Array.from({ length: 81 }, (_, turn) => many('restart', turn).slice(0, 3)));
    await bot.mention(ANN, 'restart everything');

    for (let yeses = 0; yeses < 240; yeses += 1) await bot.press(ANN, bot.card(), 'approve');

    expect(bot.ran()).toHaveLength(240);
    expect(bot.posts()).toEqual([stoppedFor('240 questions to people for this run')]);
  });

  it('stops a run whose model reads and writes on and on, also where no prices are known (EDGE-10, T20)', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)] });
    bot.model.costs({ inputTokens: 9_000_000, outputTokens: 1_500_000 });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'), call('look', {}, 'c'));

    await bot.mention(ANN, 'look around');

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual([stoppedFor('20,000,000 tokens of the model for this run')]);
  });

  it('stays beside those that a deployment writes (EDGE-10)', () => {
    const { perRun } = checkConfig({ limits: { perRun: { cards: 10 } } }, { now: Date.now }).limits;

    expect(perRun).toEqual({ calls: 600, cards: 10, tokens: 20_000_000 });
  });
});

describe('a limit of the bot', () => {
  it.each([
    [1, '1 turn'],
    [2, '2 turns'],
  ])('ends a run after so many turns, and says so: %i (T20)', async (turnsPerRun, said) => {
    const bot = await inProcess({ tools: [tool('look', OPEN)], limits: { turnsPerRun } });
    bot.model.says(call('look', {}, 'a'), call('look', {}, 'b'), call('look', {}, 'c'));

    await bot.mention(ANN, 'look around');

    expect(bot.model.requests).toHaveLength(turnsPerRun);
    expect(bot.posts()).toEqual([`I stopped after ${said} without an end. Write again to go on.`]);
  });

  it('of turns counts those before a restart', async () => {
    const bot = await inProcess({ tools: [tool('restart')], limits: { turnsPerRun: 2 } });
    bot.model.says(call('restart', {}, 'a'), call('restart', {}, 'b'), 'Too late.');
    await bot.mention(ANN, 'restart payments');
    await bot.restarts();

    await bot.press(ANN, bot.card(), 'approve');
    await bot.passes(5_000);
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.posts()).toEqual(['I stopped after 2 turns without an end. Write again to go on.']);
  });

  it('cuts the output of a tool, and tells the model so', async () => {
    const talks = tool('look', { ...OPEN, run: () => 'x'.repeat(500) });
    const bot = await inProcess({ tools: [talks], limits: { toolOutputChars: 100 } });
    bot.model.says(call('look'));

    await bot.mention(ANN, 'look');

    expect(bot.model.told()[0]?.length).toBeLessThan(400);
    expect(bot.model.told()).toEqual([expect.stringMatching(/^look-1: success x+/)]);
  });
});
