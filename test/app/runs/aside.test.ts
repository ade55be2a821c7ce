import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { threadKey, UserId } from '../../../app/records/index.ts';
import { WORDS } from '../../../app/runs/telling/words.ts';
import { type Store, StoreUnavailableError } from '../../../app/store/index.ts';
import { ANN, BEN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, THREAD } from '../../support/in-process/bot.ts';
import { call, inProcess, OPEN, tool } from '../../support/in-process/index.ts';

const tryAgain = (bot: Bot, user: string, ts: string) => bot.core.runs.tryAgain(words(user, ts));
const words = (user: string, ts: string) => ({
  ...{ thread: THREAD, user: UserId.parse(user), userTeam: TEAM },
  ...{ ts, text: 'try again' },
});

/** Two processes died with the run, and the third has told the thread. It hears of nothing but that until `release`. */
async function told({ shared }: { readonly shared: boolean }) {
  let resolve = () => {};
  const promise = new Promise<void>((free) => {
    resolve = free;
  });
  const around = (store: Store): Store => ({
    ...store,
    setAside: (...about) => promise.then(() => store.setAside(...about)),
  });
  const bot = await inProcess({ tools: [], shared, around });
  for (let death = 0; death < 2; death += 1) bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'greet me');
  for (let death = 0; death < 2; death += 1) await bot.restarts();
  const release = async () => {
    resolve();
    await bot.settles();
  };
  return { bot, release };
}

it.each([
  ['its own store', false],
  ['a store that other processes use', true],
])('goes on when its requester has it tried again as soon as the thread is told, on %s (EDGE-7)', async (_, shared) => {
  const { bot, release } = await told({ shared });
  expect([bot.posts(), await bot.standing()]).toEqual([[WORDS.setAside], 'aside']);
  expect(await tryAgain(bot, BEN, '1800000000.1')).toEqual({ type: 'refused', requester: ANN });

  bot.model.says('Hello.');
  expect(await tryAgain(bot, ANN, '1800000000.2')).toEqual({ type: 'tried' });
  // Slack delivers a mention as two events. The second finds a run that goes on, and the agent must not read it.
  expect(await bot.core.runs.take(words(ANN, '1800000000.2'))).toBe('seen');
  expect(await tryAgain(bot, ANN, '1800000000.2')).toEqual({ type: 'seen' });
  await release();

  expect(bot.posts()).toEqual([WORDS.setAside, 'Hello.']);
  expect(bot.thread.statuses()).not.toContain('suspended');
  expect(await tryAgain(bot, ANN, '1800000000.3')).toEqual({ type: 'nothing-waits' });
});

it('is not ended by a stop from before it began, which Slack delivers late (EDGE-7)', async () => {
  const { bot, release } = await told({ shared: false });
  await release();
  const stop = (said: string) => bot.core.runs.stop(THREAD, UserId.parse(BEN), said);

  expect([await stop('1.0'), await bot.standing()]).toEqual(['nothing-runs', 'aside']);

  expect(await stop('1900000000.0')).toBe('stopped');
  await bot.settles();
  expect([await bot.standing(), bot.posts()]).toEqual(['idle', [WORDS.setAside, WORDS.stopped]]);
});

it('a thread that is set aside is stopped also when its run begins at that moment, because its requester has it tried again (EDGE-7, D9)', async () => {
  const key = threadKey(THREAD);
  const around = (store: Store): Store => ({
    ...store,
    abandon: async (...about) => {
      await tryAgain(bot, ANN, '1800000000.1');
      await bot.settles();
      return store.abandon(...about);
    },
  });
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.model.says(new Promise(() => {}));
  await bot.store.setAside(key, 'waiting');
  await bot.mention(ANN, 'greet me');

  expect(await bot.core.runs.stop(THREAD, UserId.parse(BEN), '1900000000.0')).toBe('stopped');
  await bot.settles();
  expect([await bot.standing(), bot.posts()]).toEqual(['idle', [WORDS.stopped]]);
});

/** A process stands still before its first request to leave the list, and another one sets the thread aside. */
function setsAsideMeanwhile() {
  let isFirst = true;
  return (store: Store): Store => ({
    ...store,
    restTodo: async (seen) => {
      if (isFirst) await store.setAside(threadKey(THREAD), 'waiting');
      isFirst = false;
      return store.restTodo(seen);
    },
  });
}

it('a thread that is set aside while its run ends shows again that the work is over, and rests (P29, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [], shared: true, around: setsAsideMeanwhile() });
  await bot.mention(ANN, 'hello');

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', ['Done.']]);
  expect(bot.thread.statuses().slice(-2)).toEqual(['active', 'active']);
  expect(bot.store.scheduled().todo.has(threadKey(THREAD))).toBe(false);
});

it('a thread that is set aside while its run ends rests also where Slack takes the status only later (P29, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [], shared: true });
  const answers = [false];
  const workEnds = async () => {
    const taken = answers.pop() ?? true;
    if (!taken) await bot.store.setAside(threadKey(THREAD), 'waiting');
    return taken;
  };
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });
  await bot.mention(ANN, 'hello');
  expect(bot.posts()).toEqual(['Done.']);

  await bot.passes(LIMITS.leaseMs);

  expect(await bot.standing()).toBe('idle');
  expect(bot.store.scheduled().todo.has(threadKey(THREAD))).toBe(false);
});

it('a thread that is set aside while its run begins to wait for a person waits for that person, and rests (P29, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true, around: setsAsideMeanwhile() });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  const rests = async () => bot.core.runs.rest(threadKey(THREAD));
  expect([await rests(), await rests(), await bot.standing()]).toEqual([false, true, 'waiting']);
  expect(bot.thread.statuses().at(-1)).toBe('suspended');
});

it('a thread in which another process ended the run while this one showed that it waits shows that the work is over (P29, EDGE-7)', async () => {
  // The other process takes the thread up again at once.
  const around = (store: Store): Store => ({ ...store, setAside: async () => true });
  const bot = await inProcess({ tools: [], shared: true, around });
  await bot.mention(ANN, 'hello');

  await bot.core.runs.setAside(threadKey(THREAD), 'this process');
  await bot.settles();

  expect(bot.thread.statuses().slice(-2)).toEqual(['suspended', 'active']);
});

it.each(['the answer of the store is lost', 'its process dies of it'])(
  'a stop of a thread that is set aside before it has a run tells the thread when %s (D8, EDGE-7)',
  async (how) => {
    const around = (store: Store): Store => ({
      ...store,
      abandon: async (...about) => {
        await store.abandon(...about);
        if (how === 'its process dies of it') bot.dies();
        throw new StoreUnavailableError('The store gave no answer in time.');
      },
    });
    const bot = await inProcess({ tools: [], shared: true, around });
    await bot.store.setAside(threadKey(THREAD), 'waiting');
    await bot.mention(ANN, 'greet me');

    bot.core.runs.stop(THREAD, UserId.parse(BEN), '1900000000.0').catch(() => {});
    await bot.settles();
    await bot.restarts();
    expect(bot.posts()).toEqual([WORDS.abandoned]);
    expect([await bot.standing(), bot.thread.statuses().at(-1)]).toEqual(['idle', 'active']);

    await bot.passes(LIMITS.leaseMs);
    await bot.mention(ANN, 'greet me again');
    expect(bot.posts()).toEqual([WORDS.abandoned, 'Done.']);
  },
);

it('a thread that was left is told so, and is not set aside again, when processes died before they told it (D8, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [], shared: true });
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  await bot.store.abandon(threadKey(THREAD), undefined);
  expect([await bot.standing(), await tryAgain(bot, ANN, '1800000000.1')]).toEqual(['idle', { type: 'nothing-waits' }]);

  await bot.core.runs.setAside(threadKey(THREAD), 'this process');

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', [WORDS.abandoned]]);
});

it('a thread that is left at the moment at which a process lets it rest is told so (D8, EDGE-7)', async () => {
  let isFirst = true;
  const around = (store: Store): Store => ({
    ...store,
    restTodo: async (seen) => {
      if (isFirst) await store.abandon(threadKey(THREAD), undefined);
      isFirst = false;
      return store.restTodo(seen);
    },
  });
  const bot = await inProcess({ tools: [], shared: true, around });

  expect(await bot.core.runs.advance(threadKey(THREAD))).toBe('again');
  await bot.core.runs.advance(threadKey(THREAD));

  expect(bot.posts()).toEqual([WORDS.abandoned]);
});

it('a thread that one stop leaves while another one stops its run is told so (D8, EDGE-7)', async () => {
  const around = (store: Store): Store => ({
    ...store,
    takeUp: async (...about) => {
      await store.abandon(threadKey(THREAD), (await store.thread(threadKey(THREAD))).currentRun);
      return store.takeUp(...about);
    },
  });
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'greet me');
  bot.dies();
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  await bot.starts();

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', [WORDS.abandoned]]);
});

it.each([
  ['its run is over', false],
  ['a stop has ended a process', true],
])(
  'a stop of a thread that is set aside says only that processes ended at it, where %s (D8, EDGE-7)',
  async (_, died) => {
    const bot = await inProcess({ tools: [], shared: true });
    if (died) bot.model.says(new Promise(() => {}));
    await bot.mention(ANN, 'greet me');
    bot.dies();
    await bot.store.setAside(threadKey(THREAD), died ? 'stopping' : 'waiting');
    await bot.starts();

    expect(await bot.stop(BEN)).toBe('stopped');
    await bot.passes(LIMITS.leaseMs);

    expect(bot.posts().at(-1)).toMatch(/^Stopped\. I crashed more than once while I worked on this, so I have left it/);
  },
);

it('a thread that was left is told so once it no longer looks busy (P29, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [], shared: true });
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  await bot.store.abandon(threadKey(THREAD), undefined);
  const answers = [false];
  const workEnds = async () => answers.pop() ?? true;
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });
  expect(bot.posts()).toEqual([]);

  await bot.passes(LIMITS.retryAfterMs);

  expect(bot.posts()).toEqual([WORDS.abandoned]);
});

it('a thread that was left is no thread in hand while it still looks busy, so that it is told later (P29, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [], shared: true });
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  await bot.store.abandon(threadKey(THREAD), undefined);
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds: async () => false } } });

  await expect(bot.core.runs.setAside(threadKey(THREAD), 'this process')).rejects.toThrow('still looks busy');
  expect(bot.posts()).toEqual([]);
});

/** A run of Ann is over. Ben writes a message of which two processes die, and the thread is set aside. */
async function poisoned(around: (store: Store) => Store = (store) => store): Promise<Bot> {
  const bot = await inProcess({ tools: [], shared: true, around });
  await bot.mention(ANN, 'hello');
  bot.diesAt('thread-taken');
  await bot.mention(BEN, 'poison');
  bot.diesAt('thread-taken');
  await bot.restarts();
  await bot.restarts();
  expect([await bot.standing(), bot.posts()]).toEqual(['aside', ['Done.', WORDS.setAside]]);
  return bot;
}

it('a stop drops the message that ended two processes, also where an earlier run of the thread is over (D8, EDGE-7)', async () => {
  const bot = await poisoned();

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', ['Done.', WORDS.setAside, WORDS.abandoned]]);
  await bot.mention(ANN, 'hello again');
  expect(bot.posts().at(-1)).toBe('Done.');
});

it('a stop by the card of a run that is over keeps the message of the next run, of which processes died (T6, EDGE-7)', async () => {
  const bot = await poisoned();
  const { currentRun: run, inbox } = await bot.store.thread(threadKey(THREAD));
  if (run === undefined) throw new Error('The thread has no run.');

  expect(await bot.core.runs.stopRun({ run, thread: THREAD }, UserId.parse(ANN))).toBe('nothing-runs');
  await bot.settles();

  expect((await bot.store.thread(threadKey(THREAD))).inbox).toEqual(inbox);
  expect([inbox.length, await bot.standing()]).toEqual([1, 'aside']);
});

it.each(['run-finished', 'run-paid'] as const)(
  'a stop by the card of a run that has come as far as %s keeps what waits behind it (T6, T17)',
  async (step) => {
    const bot = await inProcess({ tools: [], shared: true });
    let goOn: (() => void) | undefined;
    bot.at(step, () => goOn ?? new Promise<void>((resolve) => (goOn = resolve)));
    await bot.mention(ANN, 'hello');
    await bot.mention(BEN, 'and then this');
    const { currentRun: run } = await bot.store.thread(threadKey(THREAD));
    if (run === undefined) throw new Error('The thread has no run.');

    expect(await bot.core.runs.stopRun({ run, thread: THREAD }, UserId.parse(ANN))).toBe('nothing-runs');
    goOn?.();
    await bot.settles();

    expect(bot.posts()).toEqual(['Done.', 'Done.']);
  },
);

it('two stops at once drop the message that ended two processes, where an earlier run of the thread is over (D8, EDGE-7)', async () => {
  let isFirst = true;
  const around = (store: Store): Store => ({
    ...store,
    abandon: async (...about) => {
      if (isFirst) {
        isFirst = false;
        expect(await bot.stop(ANN)).toBe('stopped');
      }
      return store.abandon(...about);
    },
  });
  const bot = await poisoned(around);

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', ['Done.', WORDS.setAside, WORDS.abandoned]]);
});

it('is tried again for the author of the message that ended two processes, where the run of another person is over (EDGE-7)', async () => {
  const bot = await poisoned();
  const refused = await tryAgain(bot, ANN, '1800000000.1');
  bot.model.says('Hello.');

  expect(refused).toEqual({ type: 'refused', requester: BEN });
  expect(await tryAgain(bot, BEN, '1800000000.2')).toEqual({ type: 'tried' });
  await bot.settles();
  expect(bot.posts().at(-1)).toBe('Hello.');
});

it('a process that stood still before it began a run does not begin it after a stop, which dropped its message (D8, EDGE-7)', async () => {
  let goOn = () => {};
  const still = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const around = (store: Store): Store => ({
    ...store,
    append: async (request) => {
      if (request.entries.some(({ text }) => text.includes('"run-started"'))) await still;
      return store.append(request);
    },
  });
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.model.says('Hello.');
  await bot.mention(ANN, 'greet me');
  // Other processes take it for dead, and died of the message as well.
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  await bot.store.abandon(threadKey(THREAD), undefined);

  goOn();
  await bot.passes(LIMITS.leaseMs);

  expect([await bot.standing(), bot.posts()]).toEqual(['idle', [WORDS.abandoned]]);
});

it('a stop of a run that is set aside covers what waits behind it (T17, EDGE-7)', async () => {
  const { bot, release } = await told({ shared: true });
  await release();
  await bot.mention(ANN, 'and then this');

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect([bot.posts(), bot.model.requests.length]).toEqual([[WORDS.setAside, WORDS.stopped], 2]);
  await bot.mention(ANN, 'what did I want?');
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('and then this');
});

it('a stop that leaves a run, of which the stop before has ended a process, begins nothing with what waits (T17, EDGE-7)', async () => {
  const { bot, release } = await told({ shared: true });
  await release();
  await bot.mention(ANN, 'and then this');
  await bot.store.setAside(threadKey(THREAD), 'stopping');

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect([bot.posts(), bot.model.requests.length]).toEqual([[WORDS.setAside, WORDS.abandoned], 2]);
});

it('a stop that Slack delivers late keeps a message that was written after it, also where processes died of that message (T17, D8)', async () => {
  const bot = await poisoned();
  const { inbox } = await bot.store.thread(threadKey(THREAD));

  expect(await bot.core.runs.stop(THREAD, UserId.parse(BEN), THREAD.ts)).toBe('nothing-runs');
  await bot.settles();

  expect((await bot.store.thread(threadKey(THREAD))).inbox).toEqual(inbox);
  expect([inbox.length, await bot.standing()]).toEqual([1, 'aside']);
});

it('a run that a stop has left asks the model no more in a process that stood still meanwhile (T17, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN), tool('restart')], shared: true });
  let answer = (_call: ReturnType<typeof call>) => {};
  bot.model.says(new Promise<ReturnType<typeof call>>((resolve) => (answer = resolve)));
  await bot.mention(ANN, 'greet me');
  // Other processes take it for dead, and one of them died of a stop.
  await bot.store.setAside(threadKey(THREAD), 'stopping');
  await bot.starts();
  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();

  answer(call('look'));
  await bot.settles();

  expect([bot.model.requests.length, bot.posts()]).toEqual([1, [WORDS.abandoned]]);
  await bot.mention(ANN, 'greet me again');
  expect(bot.posts()).toEqual([WORDS.abandoned, 'Done.']);
});

it('a run that is set aside is stopped with its card also where a run that was left before it ends late (T17, EDGE-7)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  let goOn: (() => void) | undefined;
  bot.at('run-sealed', () => goOn ?? new Promise<void>((resolve) => (goOn = resolve)));
  await bot.mention(ANN, 'greet me');
  // Other processes take it for dead, and one of them died of a stop.
  await bot.store.setAside(threadKey(THREAD), 'stopping');
  await bot.starts();
  expect(await bot.stop(BEN)).toBe('stopped');
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  goOn?.();
  await bot.settles();
  await bot.store.setAside(threadKey(THREAD), 'waiting');
  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();

  expect(bot.posts()).toEqual(['Done.', WORDS.abandoned, WORDS.stoppedWaiting]);
  expect(bot.cards()).toEqual(['restart cancelled']);
});

it('a stop that leaves a thread loses no message that arrives at that moment (T17, EDGE-7)', async () => {
  const bot = await poisoned((store) => ({
    ...store,
    abandon: async (...about) => {
      await bot.core.runs.take({ ...words(ANN, '1900000000.000001'), text: 'hello again' });
      return store.abandon(...about);
    },
  }));

  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.passes(LIMITS.leaseMs);

  expect(bot.posts()).toEqual(['Done.', WORDS.setAside, WORDS.abandoned, 'Done.']);
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).not.toContain('poison');
});
