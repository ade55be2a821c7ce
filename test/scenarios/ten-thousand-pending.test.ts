import { existsSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../app/clock.ts';
import { silentLog } from '../../app/log.ts';
import { openRunJournal } from '../../app/recorder/run-journal.ts';
import { threadKey } from '../../app/records/index.ts';
import { newId } from '../../app/store/ids.ts';
import { openStore } from '../../app/store/open.ts';
import { ANN, OPS, TEAM } from '../../sandbox/people.ts';
import { cardIn, cards, mention, type RunningBot, reply, type Stage, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { asked, turn, user } from '../support/journal.ts';
import { newEntryId, newRun } from '../support/store.ts';

let stage: Stage;
afterEach(() => stage?.close());

const DAY_MS = 86_400_000;
const COUNT = 10_000;

/** Runs whose card is posted and has no answer yet. */
async function leavePending(count: number): Promise<void> {
  const { redisUrl, dataDir } = stage;
  const opened = await openStore({
    dataDir,
    clock: systemClock,
    log: silentLog,
    ...(redisUrl === undefined ? {} : { redisUrl }),
  });
  const store = opened.patient;
  const leave = async (index: number) => {
    const thread = { team: TEAM, channel: OPS, ts: `1700000000.${`${index}`.padStart(6, '0')}` };
    const run = newRun(store, threadKey(thread));
    const approval = newId('a', Number(run.slice(0, 2)));
    const nowMs = systemClock.now();
    const journal = openRunJournal({ store, entryId: newEntryId, elapsed: () => performance.now() }, run);
    await journal.commit(() => ({
      entries: [
        { type: 'run-started', run, thread, requester: user(ANN) },
        turn(1, 'a'),
        asked({ approval, expiresAtMs: nowMs + DAY_MS, remindAtMs: nowMs + DAY_MS / 2 }),
        { type: 'card-posted', approval, card: { channel: OPS, ts: thread.ts } },
      ],
      result: undefined,
    }));
  };
  for (let index = 0; index < count; index += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => leave(index + at)));
  await opened.close();
}

const STARTS = 3;

interface Start {
  readonly ms: number;
  /** That the store was asked: commands of Redis, or reads of whatever file where the system counts those of a process. */
  readonly asked: number;
}

/** The cheapest of some starts: whatever else the computer does can only make one dearer. The first fills the caches. */
async function cheapestStart(): Promise<Start> {
  const starts: Start[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const [before, commands] = [performance.now(), await commandsSoFar()];
    const bot = await stage.startBot();
    const asked = commands === undefined ? readsOf(bot) : ((await commandsSoFar()) ?? 0) - commands;
    starts.push({ ms: performance.now() - before, asked });
    await bot.stop();
  }
  return {
    ms: Math.min(...starts.map(({ ms }) => ms)),
    asked: Math.min(...starts.map(({ asked }) => asked)),
  };
}

async function commandsSoFar(): Promise<number | undefined> {
  if (stage.redisUrl === undefined) return undefined;
  const client = new Redis(stage.redisUrl);
  const stats = await client.info('stats').finally(() => client.disconnect());
  return Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
}

/** Linux counts them; elsewhere only the press is judged. */
function readsOf({ pid }: RunningBot): number {
  const counts = `/proc/${pid}/io`;
  return existsSync(counts) ? Number(/syscr: (\d+)/.exec(readFileSync(counts, 'utf8'))?.[1]) : 0;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

describe.each(ENGINES)('a process that starts while many questions wait (%s)', (engine) => {
  it('asks the store about none of them, and a press on one among them works (FN5)', async () => {
    stage = await stageOn(engine);
    const none = await cheapestStart();
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await first.stop();

    const one = await cheapestStart();
    await leavePending(COUNT);
    const many = await cheapestStart();
    process.stdout.write(
      `FN5 on ${engine}: ready after ${seconds(many.ms)} with ${COUNT} pending, ${seconds(one.ms)} with one ` +
        `(${(many.ms / one.ms).toFixed(2)} times) and ${seconds(none.ms)} with none; the whole process, from its spawn; ` +
        `the store was asked ${many.asked} and ${one.asked} times\n`,
    );
    // One for each of them would be many times as many; a slow start has time for some sweeps.
    expect(many.asked).toBeLessThan(one.asked + COUNT / 10);
    await stage.startBot();

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(1);
  });
});
