import { setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../app/clock.ts';
import { decidePress } from '../../app/journal/decide/decide.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { silentLog } from '../../app/log.ts';
import { createWaiting, type Waiting } from '../../app/questions/waiting.ts';
import { openRunJournal, type RunJournal } from '../../app/recorder/run-journal.ts';
import { type ApprovalId, threadKey } from '../../app/records/index.ts';
import { openStore } from '../../app/store/open.ts';
import { asked, HOUR_MS, pressed, THREAD, turn, user, whenSettled } from '../support/journal.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';
import { newApproval, newEntryId, newRun } from '../support/store.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const MANY = 50_000;
const ROUNDS = 40;
/** More commands than the heartbeats of both subscriptions send meanwhile. */
const PINGS = 100;
/** The bound that the design sets for what waits in memory. */
const BYTES_EACH = 1_500;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

/** How many commands Redis was sent so far. */
const commands = async (redis: RedisServer): Promise<number> =>
  Number(/total_commands_processed:(\d+)/.exec(await redis.client().info('stats'))?.[1]);

/** The part of a process that waits: its connections, its subscription and its map. */
async function processOn(redis: RedisServer) {
  const store = await openStore({ redisUrl: redis.url, dataDir: '', clock: systemClock, log: silentLog });
  closers.push(store.close);
  const waiting = createWaiting({ log: silentLog });
  await store.watch({ onHint: ({ run }) => void waiting.look(run), onGap: () => {} });
  const journalOf = (run: RunState['run']) =>
    openRunJournal({ store, entryId: newEntryId, elapsed: () => performance.now() }, run);
  return { store, waiting, journalOf };
}

it('fifty thousand questions wait in one process at little cost each, and a press wakes only its own (FN6)', async () => {
  const redis = await startRedisServer();
  closers.push(redis.remove);
  const [here, there] = [await processOn(redis), await processOn(redis)];
  const run = newRun(here.store, threadKey(THREAD));
  const approvals = Array.from({ length: 3 * ROUNDS }, () => newApproval(here.store, threadKey(THREAD)));
  const mine = here.journalOf(run);
  await mine.commit(() => ({
    entries: [
      { type: 'run-started', run, thread: THREAD, requester: user('ANN') },
      turn(1, ...approvals.map((_, at) => `${at}`)),
      ...approvals.map((approval, at) => asked({ approval, call: `1/${at}`, expiresAtMs: Date.now() + HOUR_MS })),
    ],
    result: undefined,
  }));
  const theirs = there.journalOf(run);
  await theirs.refresh();
  await wakes(here.waiting, mine, theirs, approvals.slice(0, ROUNDS));
  const commandsOf = async (presses: () => Promise<number>) => {
    const before = await commands(redis);
    const ms = await presses();
    return { ms, commands: (await commands(redis)) - before };
  };
  const alone = await commandsOf(() => wakes(here.waiting, mine, theirs, approvals.slice(ROUNDS, 2 * ROUNDS)));
  let looks = 0;
  const journals = Array.from({ length: MANY }, () => {
    const journal = here.journalOf(newRun(here.store, threadKey(THREAD)));
    const refresh = () => {
      looks += 1;
      return journal.refresh();
    };
    return { ...journal, refresh };
  });
  const before = heap();
  for (let at = 0; at < MANY; at += 1_000) {
    // In the bot a few waiters share the signal of a run. Node looks through all listeners of a signal to add one.
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    for (const journal of journals.slice(at, at + 1_000)) {
      void here.waiting.untilFound(journal, () => undefined, signal);
    }
    // One connection answers in order, so after this answer all earlier looks are done.
    await journals[at + 999]?.refresh();
  }
  const each = (heap() - before) / MANY;
  const looksBefore = looks;
  const among = await commandsOf(() => wakes(here.waiting, mine, theirs, approvals.slice(2 * ROUNDS)));

  expect(here.waiting.count()).toBe(MANY);
  process.stdout.write(
    `FN6: ${Math.round(each)} bytes of heap for each of ${MANY}, press to awake p50 ${alone.ms.toFixed(2)} ms and ${alone.commands} commands ` +
      `for ${ROUNDS} alone, ${among.ms.toFixed(2)} ms and ${among.commands} commands among them\n`,
  );
  expect(each).toBeLessThan(BYTES_EACH);
  // A press wakes only the call that waits for it. The process does not read the journals of other waiting calls.
  expect(looks - looksBefore).toBe(0);
  expect(among.commands).toBeLessThan(alone.commands + PINGS);
});

/** The median time from a press in one process to the wake-up of its waiter in the other. */
async function wakes(
  waiting: Waiting,
  mine: RunJournal,
  theirs: RunJournal,
  approvals: readonly ApprovalId[],
): Promise<number> {
  const times: number[] = [];
  for (const approval of approvals) {
    const settled = waiting.untilFound(mine, whenSettled(approval), new AbortController().signal);
    await waiting.look(mine.run);
    const beganMs = performance.now();
    await theirs.commit((state) => {
      if (state === undefined) throw new Error('There is a run.');
      return decidePress(state, pressed({ approval, by: user('ANN') }));
    });
    await settled;
    times.push(performance.now() - beganMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
