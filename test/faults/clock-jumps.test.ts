import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { testClock } from '../../app/clock.ts';
import { decideExpiry, decidePress } from '../../app/journal/decide/decide.ts';
import { silentLog } from '../../app/log.ts';
import { openRunJournal } from '../../app/recorder/run-journal.ts';
import { threadKey } from '../../app/records/index.ts';
import { openStore } from '../../app/store/open.ts';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openCards, openStage, reply, witnessed } from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { ask, HOUR_MS, pressed, THREAD, turn, user } from '../support/journal.ts';
import { patchedSources } from '../support/patched.ts';
import { startRedisServer } from '../support/redis.ts';
import { newApproval, newEntryId, newRun } from '../support/store.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const CONFIG = { COUNTERSIGN_CONFIG: 'test/support/half-hour.config.ts' };

/**
 * The whole bot on a real Redis whose clock jumps while the bot's clock does not. Debian's Redis does not start under
 * libfaketime, because its allocator reads the clock first. So this test copies the sources, and in the copy every script
 * adds the value of a key to the time.
 */
const JUMPING = {
  file: 'app/store/redis/script.ts',
  find: 'local now = time[1] * 1000 + math.floor(time[2] / 1000)',
  put: "local now = time[1] * 1000 + math.floor(time[2] / 1000) + (redis.call('GET', 'ahead') or 0)",
};

describe('a Redis whose clock jumps', () => {
  async function started() {
    const redis = await startRedisServer();
    closers.push(redis.remove);
    const sources = patchedSources([JUMPING]);
    closers.push(sources.remove);
    const stage = await openStage({ redisUrl: redis.url, sources: sources.folder });
    closers.push(stage.close);
    const client = redis.client();
    return { stage, setClock: (aheadMs: number) => client.set('ahead', aheadMs) };
  }

  it('by an hour forward: waiting questions expire, and nothing runs (FT2)', async () => {
    const { stage, setClock } = await started();
    const bot = await stage.startBot({ env: CONFIG });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await setClock(HOUR_MS);
    await reply(stage, root, 'Understood');
    await expect(stage.world.press(ANN, card, 'approval_approve')).rejects.toThrow('is not drawn there');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    await bot.kill();

    const history = await historyOf(stage, root);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
    expect(history.runs.flatMap(({ entries }) => entries.map(({ type }) => type))).toContain('call-expired');
    expect(history.begun).toEqual([]);
  });

  it('by an hour back: waiting questions wait longer, and a press counts as before (FT2)', async () => {
    const { stage, setClock } = await started();
    await setClock(HOUR_MS);
    const bot = await stage.startBot({ env: CONFIG });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await setClock(0);
    await aWhile(3_000);
    expect(openCards(stage, root)).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    await bot.kill();

    const history = await historyOf(stage, root);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
    expect(history.done).toHaveLength(1);
  });

  it('by an hour back while a process dies: another process takes up its thread at once (FT2, D9)', async () => {
    const { stage, setClock } = await started();
    await setClock(HOUR_MS);
    const dying = await stage.startBot();
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 60_000 });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1, { what: 'the model is asked' });
    await dying.kill();
    await setClock(0);
    await stage.startBot();

    await cardIn(stage, root);
  });
});

/** The embedded store has the clock that it is handed. */
describe('an embedded store whose clock jumps', () => {
  async function waiting() {
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-'));
    closers.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const clock = testClock(100 * HOUR_MS);
    const store = await openStore({ dataDir, clock, log: silentLog });
    closers.push(store.close);
    const run = newRun(store, threadKey(THREAD));
    const approval = newApproval(store, threadKey(THREAD));
    const journal = openRunJournal({ store, entryId: newEntryId, elapsed: clock.now }, run);
    const expiresAtMs = clock.now() + HOUR_MS / 2;
    await journal.commit(() => ({
      entries: [
        { type: 'run-started', run, thread: THREAD, requester: user(ANN) },
        turn(1, 'a'),
        { type: 'call-asked', ...ask({ approval, expiresAtMs }) },
      ],
      result: undefined,
    }));
    /** Works like the sweep: judges what is due by the store's clock. */
    const sweep = async () => {
      const due = await store.claimDue({ limit: 9, leaseMs: 1_000 });
      for (const _ of due.filter(({ what }) => what === 'expiry')) {
        await journal.refresh();
        await journal.commit((state, nowMs) =>
          state === undefined ? { entries: [], result: 'settled' as const } : decideExpiry(state, approval, nowMs),
        );
      }
    };
    const status = () => journal.state()?.approvals.get(approval)?.standing.status;
    const press = () =>
      journal.commit((state) => {
        if (state === undefined) throw new Error('There is a run.');
        return decidePress(state, pressed({ approval, by: user(ANN) }));
      });
    return { clock, sweep, status, press };
  }

  it('by an hour forward: waiting questions expire, and a press is too late (FT2)', async () => {
    const { clock, sweep, status, press } = await waiting();

    clock.advance(HOUR_MS);
    expect(await press()).toEqual('late');
    await sweep();

    expect(status()).toBe('expired');
    expect(await press()).toEqual('settled');
    expect(status()).toBe('expired');
  });

  it('by an hour back: waiting questions wait an hour longer, and never count as approved (FT2)', async () => {
    const { clock, sweep, status, press } = await waiting();

    clock.advance(-HOUR_MS);
    for (let quarter = 0; quarter < 5; quarter += 1) {
      await sweep();
      expect(status()).toBe('pending');
      clock.advance(HOUR_MS / 4);
    }
    clock.advance(HOUR_MS / 4);
    await sweep();

    expect(status()).toBe('expired');
    expect(await press()).toEqual('settled');
  });
});
