import { expect, it } from 'vitest';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Store } from '../../../../app/store/index.ts';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';
import { newerWrites } from '../../../support/in-process/newer.ts';

it('stops a run that waits, withdraws its cards, and names the person who stopped it (T17)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  expect(await bot.stop(BEN)).toBe('stopped');

  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.thread.posts()).toMatchObject([
    { text: WORDS.stoppedWaiting, signed: { label: 'Stopped by', user: BEN } },
  ]);
  expect(bot.ran()).toEqual([]);
  expect(bot.model.requests).toHaveLength(1);
  expect(bot.thread.statuses().at(-1)).toBe('active');
});

it('stops nothing in a thread without a run, and nothing a second time', async () => {
  const bot = await inProcess({ tools: [] });
  expect(await bot.stop(ANN)).toBe('nothing-runs');
  await bot.mention(ANN, 'hello');

  expect(await bot.stop(ANN)).toBe('nothing-runs');
  expect(bot.posts()).toEqual(['Done.']);
});

it('reads no journal to answer for a thread without a run', async () => {
  const read: string[] = [];
  const around = (store: Store): Store => ({
    ...store,
    read: (journal, from) => {
      read.push(journal);
      return store.read(journal, from);
    },
  });
  const bot = await inProcess({ tools: [], around });

  expect([await bot.standing(), await bot.stop(ANN)]).toEqual(['idle', 'nothing-runs']);

  expect(read).toEqual([]);
});

it('tells a running tool that its run was stopped', async () => {
  let aborted: unknown;
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted = signal.reason;
        reject(new Error('I was stopped.'));
      }),
    );
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run })] });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');

  await bot.stop(ANN);

  expect(aborted).toBeDefined();
  expect(bot.model.requests).toHaveLength(1);
  expect(bot.posts().at(-1)).toBe(WORDS.stopped);
  expect(bot.logged.filter((line) => line.startsWith('error'))).toEqual([]);
});

it('stops a running tool in the same process even when no hint of the stop arrives', async () => {
  let aborted = false;
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>(() => signal.addEventListener('abort', () => (aborted = true)));
  const around = (store: Store): Store => ({ ...store, watch: async () => ({ close: async () => {} }) });
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run })], around });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');

  await bot.stop(ANN);

  expect(aborted).toBe(true);
});

it('stops a run that no process holds, and says so at once', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.dies();
  await bot.starts();

  expect(await bot.stop(BEN)).toBe('stopped');

  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.posts()).toEqual([WORDS.stoppedWaiting]);
});

it('takes the buttons of a stopped run away even when Slack takes no post', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.dies();
  await bot.starts();
  bot.thread.breaks('say', new NotYetError('503'));

  await bot.stop(BEN);

  expect(bot.cards()).toEqual(['restart cancelled']);
  expect(bot.posts()).toEqual([]);
});

it('begins a new run with what is written after a stop, and shows the model what came before', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.stop(ANN);

  await bot.mention(ANN, 'and now?');

  expect(bot.posts()).toEqual([WORDS.stoppedWaiting, 'Done.']);
  const shown = JSON.stringify(bot.model.requests.at(-1)?.messages);
  expect(shown).toContain('restart payments');
  expect(shown).toContain('The run was stopped before this call ran.');
});

it('does not stop a run that began after the stop was written', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { thread, requester } = bot.card();

  expect(await bot.core.runs.stop(thread, requester, '1699999999.000001')).toBe('nothing-runs');
  expect(await bot.core.runs.stop(thread, requester, '1700000009.000001')).toBe('stopped');
});

it('says the state of a thread: idle, at work, or waiting for a person', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  let answer = (_call: ReturnType<typeof call>) => {};
  bot.model.says(new Promise<ReturnType<typeof call>>((resolve) => (answer = resolve)));
  const standings: string[] = [];
  const look = async () => standings.push(await bot.standing());
  await look();
  await bot.mention(ANN, 'restart payments');
  await look();
  answer(call('restart'));
  await bot.settles();
  await look();
  await bot.press(ANN, bot.card(), 'approve');
  await look();

  expect(standings).toEqual(['idle', 'working', 'waiting', 'idle']);
});

it('says that a thread waits for a person even when another process holds its run', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.starts();

  expect(await bot.standing()).toBe('waiting');
});

it('does not say the state of a thread while the store is away', async () => {
  let away = false;
  const around = (store: Store): Store => ({
    ...store,
    thread: (key) => (away ? Promise.reject(new Error('The store is away.')) : store.thread(key)),
  });
  const bot = await inProcess({ tools: [], around });
  away = true;

  await expect(bot.standing()).rejects.toThrow('The store is away.');
});

it('says that a thread is at work when only a newer version of the bot can read its run', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await newerWrites(bot);

  expect(await bot.standing()).toBe('working');
});

it('says on its card that a call was stopped, not that it failed, where its tool heard so and gave up (SURF-1)', async () => {
  const heard = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const bot = await inProcess({ tools: [tool('restart', { run: heard })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');

  await bot.stop(ANN);

  expect(bot.thread.cards()).toMatchObject([{ outcome: { type: 'failed', stopped: true } }]);
});
