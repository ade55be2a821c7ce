import { describe, expect, it } from 'vitest';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { RunId } from '../../../../app/records/index.ts';
import type { Step } from '../../../../app/step.ts';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { appending, takesOver } from '../../../support/in-process/appending.ts';
import { call, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';

describe('the end of a run', () => {
  const endIn = (appends: readonly string[]) => appends.filter((types) => /posted$|run-finished/.test(types));

  it('is written with the place of its last answer, and not with that of an answer before it', async () => {
    const { bot, appends } = await appending();
    bot.model.says([{ type: 'text', text: 'I restart.' }, call('restart')]);
    await bot.mention(ANN, 'restart payments');
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.posts()).toEqual(['I restart.', 'Done.']);
    expect(endIn(appends)).toEqual(['posted', 'card-posted', 'posted run-finished sealed']);
    expect(await bot.standing()).toBe('idle');
  });

  it('is written without it when Slack does not take the last answer, which is posted later', async () => {
    const { bot, appends } = await appending();
    bot.thread.breaks('say', new NotYetError('Slack is away.'));
    await bot.mention(ANN, 'hello');
    expect(endIn(appends)).toEqual(['run-finished']);
    bot.thread.breaks('say');

    await bot.passes(60_000);

    expect(bot.posts()).toEqual(['Done.']);
    expect(endIn(appends)).toEqual(['run-finished', 'posted']);
  });

  it('is written behind the results of calls that broke off with its last answer, and so do not run', async () => {
    const { bot, appends } = await appending();
    bot.model.says({ stopReason: 'stopSequence', content: [{ type: 'text', text: 'I rest' }, call('restart')] });
    await bot.mention(ANN, 'restart payments');

    expect(bot.posts()).toEqual(['I rest']);
    expect(appends.filter((types) => /answered|posted|run-finished/.test(types))).toEqual([
      'turn-answered post-begun',
      'posted',
      'call-answered',
      'run-finished',
    ]);
    expect(bot.ran()).toEqual([]);
  });

  it('is written behind it when a call of the run was given up and may still be at work', async () => {
    const run = (): Promise<never> => new Promise(() => {});
    const { bot, appends } = await appending({
      tools: [tool('look', { ...OPEN, idempotent: true, timeoutMs: 1_000, run })],
    });
    bot.model.says(call('look'));
    await bot.mention(ANN, 'look');

    await bot.waits(60_000);

    expect(bot.posts()).toEqual(['Done.']);
    expect(endIn(appends)).toEqual(['posted', 'run-finished']);
  });

  it.each<[string, Step]>([
    ['before the answer was sent', 'turn-answered'],
    ['before its place was written', 'post-sent'],
    ['after both were written', 'post-recorded'],
    ['after the agent came to rest', 'run-finished'],
  ])('is written once, by the process that goes on, when a process died %s', async (_when, at) => {
    const stage = await appending({ shared: true });
    const { bot, appends } = stage;
    bot.diesAt(at);
    await bot.mention(ANN, 'hello');

    await takesOver(stage);

    expect(bot.posts()).toEqual(['Done.']);
    expect(endIn(appends)).toEqual(['posted run-finished']);
    expect(bot.model.requests).toHaveLength(1);
    expect((await bot.journal()).at(-1)).toBe('sealed');
  });

  it('is written without the seal while the thread is owed something else, and the run is sealed after that', async () => {
    const { bot, appends } = await appending();
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    bot.thread.breaks('paint approval', new NotYetError('Slack is away.'));
    await bot.press(ANN, bot.card(), 'approve');
    expect(bot.posts()).toEqual(['Done.']);
    expect(endIn(appends).at(-1)).toBe('posted run-finished');
    expect(await bot.journal()).not.toContain('sealed');
    bot.thread.breaks('paint approval');

    await bot.passes(60_000);

    expect((await bot.journal()).at(-1)).toBe('sealed');
    expect(await bot.standing()).toBe('idle');
  });

  it('is written by itself for a run whose last answer an earlier version had posted', async () => {
    const stage = await appending({ shared: true });
    const { bot, appends } = stage;
    bot.diesAt('post-sent');
    await bot.mention(ANN, 'hello');
    const [run] = await bot.store.journals('run');
    const posted = {
      type: 'posted',
      key: 'turn/1',
      card: { channel: THREAD.channel, ts: '1700000001.000001' },
    } as const;
    const journal = openRunJournal({ store: bot.store, entryId: () => 'earlier', elapsed: () => 0 }, RunId.parse(run));
    await journal.commit(() => ({ entries: [posted], result: undefined }));

    await takesOver(stage);

    expect(bot.posts()).toEqual(['Done.']);
    expect(endIn(appends)).toEqual(['run-finished']);
    expect(await bot.standing()).toBe('idle');
  });
});
