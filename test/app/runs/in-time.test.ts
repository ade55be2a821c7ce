import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { threadKey, UserId } from '../../../app/records/index.ts';
import type { Store } from '../../../app/store/index.ts';
import { ANN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, THREAD, tool } from '../../support/in-process/index.ts';

/** A sweep finds within this what no process was told of, the grace of a decision included. */
const SOON_MS = 1_000;

const never = new Promise<never>(() => {});
const deaf = (store: Store): Store => ({ ...store, watch: async () => ({ close: async () => {} }) });
const same = (store: Store): Store => store;

/** The newest process asks a person and only waits: no process has the thread in hand. */
async function restsWithQuestion(bot: Bot): Promise<void> {
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.sweeps();
  await bot.waits(LIMITS.leaseMs);
  expect(bot.store.scheduled().todo.has(threadKey(THREAD))).toBe(false);
}

async function resting(around = same): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], shared: true, around });
  await restsWithQuestion(bot);
  return bot;
}

/** A person presses, and the process that took the press dies as soon as the decision is stored. */
async function pressAndDie(bot: Bot): Promise<void> {
  await bot.starts();
  bot.diesAt('call-decided');
  void bot.press(ANN, bot.card(), 'approve');
  await bot.settles();
  expect(await bot.journal()).toContain('call-decided');
  expect(bot.ran()).toEqual([]);
}

describe('a sweep over open work', () => {
  it('begins within a second the run of a message that a process stored before it died (FK3)', async () => {
    const dying = (store: Store): Store => ({ ...store, take: (delivery) => store.take(delivery).then(() => never) });
    const bot = await inProcess({ tools: [], shared: true, around: dying });
    const { runs } = bot.core;
    await bot.starts({ around: same });
    await bot.sweeps();

    void runs.take({ thread: THREAD, user: UserId.parse(ANN), userTeam: TEAM, ts: THREAD.ts, text: 'hello' });
    await bot.settles();
    expect(bot.posts()).toEqual([]);
    await bot.waits(SOON_MS);

    expect(bot.posts()).toEqual(['Done.']);
  });

  it('passes a decision within a second to the waiting process that got no hint (FK14)', async () => {
    const bot = await resting(deaf);
    await pressAndDie(bot);

    await bot.waits(SOON_MS);

    expect(bot.ran()).toHaveLength(1);
  });

  it('passes a decision within a second to another process when the waiting one is dead (FK14)', async () => {
    const bot = await resting();
    bot.dies();
    await bot.starts();
    await bot.sweeps();
    await pressAndDie(bot);

    await bot.waits(SOON_MS);

    expect(bot.ran()).toHaveLength(1);
  });

  it('passes on a decision within a second when the process that heard of it never takes the run up (FK15)', async () => {
    let hangs = false;
    const hanging = (store: Store): Store => ({
      ...store,
      takeInHand: (claim) => (hangs ? never : store.takeInHand(claim)),
    });
    const bot = await inProcess({ tools: [tool('restart')], shared: true });
    await bot.sweeps();
    await bot.starts({ around: hanging });
    await restsWithQuestion(bot);
    hangs = true;

    void bot.press(ANN, bot.card(), 'approve');
    await bot.settles();
    expect(bot.ran()).toEqual([]);
    await bot.waits(SOON_MS);

    expect(bot.ran()).toHaveLength(1);
  });

  it('passes on a decision within a second after the lease of the process that heard of it and died (FK15)', async () => {
    const bot = await inProcess({ tools: [tool('restart')], shared: true });
    await bot.sweeps();
    await bot.starts();
    await restsWithQuestion(bot);
    bot.diesAt('waiter-woken');

    void bot.press(ANN, bot.card(), 'approve');
    await bot.settles();
    expect(bot.ran()).toEqual([]);
    await bot.waits(LIMITS.leaseMs + SOON_MS);

    expect(bot.ran()).toHaveLength(1);
  });
});
