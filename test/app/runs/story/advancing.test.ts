import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey, UserId } from '../../../../app/records/index.ts';
import type { Store } from '../../../../app/store/index.ts';
import { NotYetError } from '../../../../app/surface.ts';
import { ANN, TEAM } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, THREAD, tool } from '../../../support/in-process/index.ts';
import { newerWrites } from '../../../support/in-process/newer.ts';

const thread = threadKey(THREAD);

it('leaves a thread on the list, and logs why, when the store fails while the thread advances or leaves the list', async () => {
  let away = false;
  const around = (store: Store): Store => ({
    ...store,
    thread: (key) => (away ? Promise.reject(new Error('The store is away.')) : store.thread(key)),
  });
  const bot = await inProcess({ tools: [tool('restart')], around });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  away = true;

  await expect(bot.core.runs.advance(thread)).rejects.toThrow('The store is away.');
  await expect(bot.core.runs.rest(thread)).rejects.toThrow('The store is away.');
});

it('leaves a run to the process that began it behind the run that just ended here', async () => {
  const bot = await inProcess({ tools: [], shared: true });
  let shown = (_taken: boolean) => {};
  const workEnds = () => new Promise<boolean>((resolve) => (shown = resolve));
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });
  await bot.mention(ANN, 'hello');
  expect(bot.posts()).toEqual(['Done.']);
  await bot.starts();
  bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'and the payments?');
  await bot.passes(LIMITS.leaseMs);
  expect(bot.model.requests).toHaveLength(2);

  shown(true);
  await bot.settles();

  expect(bot.model.requests).toHaveLength(2);
});

it('begins no second run with a message that came after another process began the run', async () => {
  let reads = 0;
  let goOn = () => {};
  const around = (store: Store): Store => ({
    ...store,
    thread: async (key) => {
      reads += 1;
      const record = await store.thread(key);
      if (reads === 1) await new Promise<void>((resolve) => (goOn = resolve));
      return record;
    },
  });
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.model.says(new Promise(() => {}));
  await bot.mention(ANN, 'hello');
  await bot.starts({ around: (store: Store): Store => store });
  await bot.passes(LIMITS.leaseMs);
  expect(bot.model.requests).toHaveLength(1);
  await bot.mention(ANN, 'and the payments?');

  goOn();
  await bot.settles();

  expect((await bot.journal()).filter((type) => type === 'run-started')).toHaveLength(1);
  expect(bot.model.requests).toHaveLength(1);
});

it('leaves a waiting thread on the list, and lets go of it, when only a newer version of the bot can read its run', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await newerWrites(bot);
  expect(bot.holds()).toBe(true);

  expect(await bot.core.runs.rest(thread)).toBe(false);
  await bot.settles();

  expect(bot.holds()).toBe(false);
});

it('takes no thread off the list that has no run yet', async () => {
  const bot = await inProcess({ tools: [] });

  expect(await bot.core.runs.rest(thread)).toBe(false);
});

it('asks the store nothing about a thread at work that is to leave the list', async () => {
  let reads = 0;
  const around = (store: Store): Store => ({
    ...store,
    thread: (key) => {
      reads += 1;
      return store.thread(key);
    },
  });
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run: () => new Promise(() => {}) })], around });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look around');
  const before = reads;

  expect(await bot.core.runs.rest(thread)).toBe(false);

  expect(reads).toBe(before);
});

it('comes back to a thread until Slack shows that the work in it is over (P29)', async () => {
  const bot = await inProcess({ tools: [] });
  let taken = false;
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds: async () => taken } } });
  await bot.mention(ANN, 'hello');
  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.store.scheduled().todo.has(thread)).toBe(true);

  taken = true;
  await bot.passes(LIMITS.leaseMs);

  expect(bot.store.scheduled().todo.has(thread)).toBe(false);
});

it('comes back to a thread whose channel is archived less and less often, for a day (P29)', async () => {
  const bot = await inProcess({ tools: [] });
  let asked = 0;
  const workEnds = async () => {
    asked += 1;
    return false;
  };
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });
  await bot.mention(ANN, 'hello');

  for (let waited = 0; waited <= LIMITS.retryForMs; waited += LIMITS.retryApartMs) {
    await bot.passes(LIMITS.retryApartMs);
  }

  expect(asked).toBeLessThan(300);
  expect(bot.store.scheduled().todo.has(thread)).toBe(false);
});

it.each([
  ['at once with a message that came meanwhile', true, 'again'],
  ['later with a thread', false, { offerInMs: LIMITS.retryAfterMs }],
])('goes on %s when Slack does not show that the work in it is over (P29)', async (_how, writes, outcome) => {
  const bot = await inProcess({ tools: [] });
  await bot.mention(ANN, 'hello');
  let took = true;
  const workEnds = async () => {
    took = false;
    const more = { thread: THREAD, user: UserId.parse(ANN), userTeam: TEAM, ts: '1700000000.000900', text: 'more' };
    if (writes) await bot.store.take({ key: 'm/more', thread, item: JSON.stringify(more) });
    return took;
  };
  bot.dies();
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });

  expect(await bot.core.runs.advance(thread)).toEqual(outcome);
});

it('goes on with a run whose answer gave no hint when its thread is about to leave the list (FR7)', async () => {
  const around = (store: Store): Store => ({ ...store, watch: async () => ({ close: async () => {} }) });
  const bot = await inProcess({ tools: [tool('restart')], shared: true, around });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { runs } = bot.core;
  await bot.starts();
  await bot.press(ANN, bot.card(), 'approve');
  expect(bot.ran()).toEqual([]);

  expect(await runs.rest(thread)).toBe(false);
  await bot.settles();

  expect(bot.ran()).toHaveLength(1);
});

it('takes a thread that waits for a person off the list, and keeps another one that works', async () => {
  let finish = () => {};
  const run = () => new Promise<string>((resolve) => (finish = () => resolve('seen')));
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run }), tool('restart')] });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look around');
  bot.model.says(call('restart'));
  const waits = { ...THREAD, ts: '1700000000.000900' };
  const said = { user: UserId.parse(ANN), userTeam: TEAM, ts: waits.ts, text: 'restart payments' };
  await bot.core.runs.take({ ...said, thread: waits });
  await bot.settles();
  expect(bot.cards()).toEqual(['restart pending']);

  expect(await bot.core.runs.rest(threadKey(waits))).toBe(true);
  expect(await bot.core.runs.rest(thread)).toBe(false);
  finish();
});

it('offers a thread again after a while when Slack does not take what a run has to say (MF-11)', async () => {
  const bot = await inProcess({ tools: [] });
  bot.thread.breaks('say', new NotYetError('503'));
  await bot.mention(ANN, 'hello');

  expect(await bot.core.runs.advance(thread)).toEqual({ offerInMs: expect.any(Number) });
});

it('says once that the work is over, although the press that let the run go on has kicked its thread', async () => {
  let said = 0;
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.dies();
  const workEnds = async () => {
    said += 1;
    return true;
  };
  await bot.starts({ changes: { surface: { ...bot.thread.surface, workEnds } } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.posts()).toEqual(['Done.']);
  expect(said).toBe(1);
});

it('begins a run with all messages that wait for it, in the order in which they were written', async () => {
  let facts: Store | undefined;
  const around = (store: Store): Store => {
    facts = store;
    return store;
  };
  const bot = await inProcess({ tools: [], shared: true, around });
  bot.dies();
  for (const [ts, text] of [
    ['1700000000.000900', 'written later'],
    ['1700000000.000800', 'written first'],
  ])
    await facts?.take({ key: `m/${ts}`, thread, item: JSON.stringify({ thread: THREAD, user: ANN, ts, text }) });

  await bot.starts();
  await bot.settles();

  expect(JSON.stringify(bot.model.requests[0])).toMatch(/written first.*written later/);
});
