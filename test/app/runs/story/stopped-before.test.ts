import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey, UserId } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Store } from '../../../../app/store/index.ts';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN, BEN, TEAM } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';

/** Messages that no process has read yet, as while each is busy. */
async function waits(bot: Bot, count: number, more: object = {}): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const ts = `1700000001.${`${index}`.padStart(6, '0')}`;
    const message = { thread: THREAD, user: UserId.parse(ANN), userTeam: TEAM, ts, text: `restart ${index}`, ...more };
    await bot.store.take({
      key: `m/${TEAM}/${THREAD.channel}/${ts}`,
      thread: threadKey(THREAD),
      item: JSON.stringify(message),
    });
  }
}

const inboxOf = async (bot: Bot) => (await bot.store.thread(threadKey(THREAD))).inbox.map(({ key }) => key);

async function heard(bot: Bot): Promise<readonly string[]> {
  return (await bot.entries()).flatMap((entry) => (entry.type === 'person-said' ? [entry.key] : []));
}

it('a run that is stopped before its first message was read asks no model, and says that it stopped (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  let goOn = () => {};
  bot.at('thread-taken', () => new Promise<void>((resolve) => (goOn = resolve)));
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.at('thread-taken', () => {});

  const stopped = bot.stop(BEN);
  await bot.settles();
  goOn();

  expect(await stopped).toBe('stopped');
  await bot.settles();
  expect([bot.cards(), bot.model.requests.length, bot.posts()]).toEqual([[], 0, [WORDS.stopped]]);
  expect(bot.thread.posts()).toMatchObject([{ signed: { label: 'Stopped by', user: BEN } }]);
  expect(await bot.journal()).toEqual(['run-started', 'person-said', 'run-stopped', 'post-begun', 'posted', 'sealed']);
  expect([await bot.standing(), await inboxOf(bot)]).toEqual(['idle', []]);
  expect(bot.store.scheduled().todo.has(threadKey(THREAD))).toBe(false);
});

it('a stop also covers a message that waits while the run asks a person (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.mention(ANN, 'and search');

  expect(await bot.stop(BEN)).toBe('stopped');

  expect([bot.cards(), bot.model.requests.length]).toEqual([['restart cancelled'], 1]);
  await bot.mention(ANN, 'what did I want?');
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('and search');
});

it('a stop that is delivered late covers no message that was written after it (T17)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'), 'Hello.');
  await bot.mention(ANN, 'restart payments');
  await bot.mention(ANN, 'hello');

  expect(await bot.core.runs.stop(THREAD, UserId.parse(BEN), THREAD.ts)).toBe('stopped');
  await bot.settles();

  expect(bot.posts()).toEqual([WORDS.stoppedWaiting, 'Hello.']);
});

it('a stop covers all messages that wait, also more than one append takes (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  const count = 2 * LIMITS.messagesAtOnce + 1;
  await waits(bot, count);

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.waits(LIMITS.leaseMs);

  expect([await inboxOf(bot), bot.model.requests, (await heard(bot)).length]).toEqual([[], [], count]);
  expect(bot.posts()[0]).toBe(WORDS.stopped);
});

it('a stop covers messages with more files than a run is shown at once, and tells of none that it was not read (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  const file = { id: 'F1', name: 'plan.txt', bytes: LIMITS.filesBytes };
  await waits(bot, 3, { files: [file, file] });

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();

  expect([await inboxOf(bot), bot.model.requests, bot.posts()]).toEqual([[], [], [WORDS.stopped]]);
  await bot.mention(ANN, 'what did I send?');
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('was not read, because the run was stopped');
});

it('a stop covers what waits behind a run that is over while its thread is not told yet, and the thread is told (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.thread.breaks('say', new NotYetError('503'));
  await bot.mention(ANN, 'hello');
  await waits(bot, 2);
  expect(bot.posts()).toEqual([]);

  expect(await bot.stop(BEN)).toBe('stopped');
  bot.thread.breaks('say');
  await bot.passes(4 * LIMITS.retryAfterMs);

  expect(bot.posts()).toEqual([WORDS.stoppedUnread, 'Done.']);
  expect([bot.model.requests.length, await inboxOf(bot), await bot.standing()]).toEqual([1, [], 'idle']);
});

it('a stop covers what waits behind a run that is over and told (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  await bot.mention(ANN, 'hello');
  await waits(bot, 2);

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();

  expect([bot.model.requests.length, await inboxOf(bot), bot.posts()]).toEqual([1, [], ['Done.', WORDS.stopped]]);
  await bot.mention(ANN, 'go on');
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('restart 1');
});

it('two stops at once, in two processes, stop what waits and say so once (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  const one = bot.core.runs;
  await bot.starts();
  await waits(bot, 3);

  const stops = await Promise.all([one, bot.core.runs].map((runs) => runs.stop(THREAD, UserId.parse(BEN))));
  await bot.settles();

  expect(stops).toContain('stopped');
  expect([await inboxOf(bot), (await heard(bot)).length, bot.posts()]).toEqual([[], 3, [WORDS.stopped]]);
  expect(await bot.stop(BEN)).toBe('nothing-runs');
});

it('what a stop covers stays stopped when its process dies right after it (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  await waits(bot, 2);
  bot.diesAt('run-stopped');

  void bot.stop(BEN);
  await bot.settles();
  await bot.restarts();

  expect([await inboxOf(bot), bot.model.requests, bot.posts()]).toEqual([[], [], [WORDS.stopped]]);
});

it('a process that reads a message while another one stops its thread goes on with neither (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  let goOn = () => {};
  bot.at('thread-taken', () => new Promise<void>((resolve) => (goOn = resolve)));
  await bot.mention(ANN, 'restart payments');
  bot.at('thread-taken', () => {});
  await bot.starts();

  expect(await bot.stop(BEN)).toBe('stopped');
  goOn();
  await bot.waits(LIMITS.leaseMs);

  expect([bot.model.requests, bot.posts()]).toEqual([[], [WORDS.stopped]]);
  expect([await bot.standing(), (await bot.store.thread(threadKey(THREAD))).deaths]).toEqual(['idle', 0]);
});

it('a stop while a tool runs covers the message that waits behind it (T17, D8)', async () => {
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Stopped.'))));
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run })] });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');
  await bot.mention(ANN, 'and restart');

  expect(await bot.stop(BEN)).toBe('stopped');

  expect([bot.model.requests.length, bot.posts(), await inboxOf(bot)]).toEqual([1, [WORDS.stopped], []]);
});

it('a stop reaches the run that another process begins while it looks (T17, D8)', async () => {
  let meanwhile = async () => {};
  const around = (store: Store): Store => ({
    ...store,
    thread: async (...asked) => {
      const record = await store.thread(...asked);
      const [what] = [meanwhile];
      meanwhile = async () => {};
      await what();
      return record;
    },
  });
  const bot = await inProcess({ tools: [tool('restart')], shared: true, around });
  let goOn = () => {};
  bot.at('thread-taken', () => new Promise<void>((resolve) => (goOn = resolve)));
  bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'restart payments');
  await bot.starts();
  meanwhile = async () => {
    goOn();
    await bot.settles();
    expect(bot.model.requests).toHaveLength(1);
  };

  expect(await bot.stop(BEN)).toBe('stopped');

  expect([bot.posts(), await inboxOf(bot), await bot.standing()]).toEqual([[WORDS.stopped], [], 'idle']);
});

it('a stop at the moment at which a run is sealed covers what waits behind it, and the thread is told (T17, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.at('run-sealed', async () => {
    bot.at('run-sealed', () => {});
    await waits(bot, 1);
    expect(await bot.core.runs.stop(THREAD, UserId.parse(BEN))).toBe('stopped');
  });
  await bot.mention(ANN, 'hello');

  expect([bot.posts(), await inboxOf(bot), bot.model.requests.length]).toEqual([['Done.', WORDS.stoppedUnread], [], 1]);
  expect(await bot.standing()).toBe('idle');
});

it('a stop of a thread that is set aside covers all that waits, also more than one append takes, and the thread is told (EDGE-7, D8)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await waits(bot, LIMITS.messagesAtOnce + 1);
  await bot.store.setAside(threadKey(THREAD), 'waiting');

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();
  await bot.passes(LIMITS.leaseMs);

  expect([await inboxOf(bot), (await heard(bot)).length]).toEqual([[], LIMITS.messagesAtOnce + 2]);
  expect([await bot.standing(), bot.posts(), bot.cards()]).toEqual([
    'idle',
    [WORDS.stoppedWaiting],
    ['restart cancelled'],
  ]);
});
