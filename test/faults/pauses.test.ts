import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  doubtIn,
  logged,
  mention,
  openStage,
  type RunningBot,
  reply,
  type Stage,
  says,
  witnessed,
} from '../support/bot.ts';
import { ENGINES } from '../support/engines.ts';
import { type History, historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.remove());

/** Once it runs again, it has this long to do something wrong. */
const AWAKE_MS = 3_000;

const CONFIG = 'test/faults/pausing.config.ts';
const DONE = /Done\. The/;

interface Pause {
  readonly env?: Readonly<Record<string, string>>;
  readonly pieceDelayMs?: number;
  /** Brings the first bot to where it is to be paused. */
  readonly until: (stage: Stage, root: SlackMessage, late: RunningBot) => Promise<unknown>;
  /** What people do while it is paused and another one is there, up to what ends the thread. */
  readonly meanwhile: (stage: Stage, root: SlackMessage) => Promise<unknown>;
  /** Answers of the model that the first bot never got to write. */
  readonly cutTurns?: number;
}

/** A bot is paused until another one takes over, and then it wakes up. */
async function paused(pause: Pause): Promise<History> {
  const stage = await openStage({
    redisUrl: redis.freshDatabase(),
    sandbox: pause.pieceDelayMs === undefined ? {} : { pieceDelayMs: pause.pieceDelayMs },
  });
  try {
    const env = { COUNTERSIGN_CONFIG: CONFIG };
    const late = await stage.startBot({ http: true, env: { ...env, ...pause.env } });
    const root = await mention(stage, ANN, 'restart the payments service');
    await pause.until(stage, root, late);
    late.pause();
    const before = [await historyOf(stage, root)];
    const other = await stage.startBot({ http: true, env });
    await pause.meanwhile(stage, root);
    before.push(await historyOf(stage, root));
    late.resume();
    await reply(stage, root, DONE);
    await aWhile(AWAKE_MS);
    await Promise.all([late.kill(), other.kill()]);

    const history = await historyOf(stage, root);
    expect(brokenRules({ history, before, cutTurns: pause.cutTurns ?? 0 })).toEqual([]);
    expect(history.messages.filter((message) => says(message, DONE))).toHaveLength(1);
    expect(heard(stage)).not.toContain('Another process');
    return history;
  } finally {
    await stage.close();
  }
}

const approve = async (stage: Stage, root: SlackMessage) =>
  stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
const approved = async (stage: Stage, root: SlackMessage) => {
  await approve(stage, root);
  await reply(stage, root, DONE);
};
/** What came of tools, as the model was told. */
const heard = ({ sandbox }: Stage) => JSON.stringify(sandbox.model.requests.map(({ results }) => results));
const types = ({ runs }: History) => runs.flatMap(({ entries }) => entries.map(({ type }) => type));

describe.concurrent('a bot that is paused while another one takes over', () => {
  it('while it waits: the press goes to the other one, and the first wakes up to a run that is over (FP1, D10)', async () => {
    const history = await paused({ until: (stage, root) => cardIn(stage, root), meanwhile: approved });

    expect(history.done).toHaveLength(1);
    expect(types(history).filter((type) => type === 'call-started')).toHaveLength(1);
  });

  it('between the decision and the start: the other one starts the call, and the first does not (FP2)', async () => {
    const history = await paused({
      env: { PAUSES_BEFORE_START: 'yes' },
      until: async (stage, root, late) => {
        await approve(stage, root);
        await logged(late, 'The process stands still.');
        expect(witnessed(stage, 'begun')).toEqual([]);
      },
      meanwhile: (stage, root) => reply(stage, root, DONE),
    });

    expect(history.begun).toHaveLength(1);
    expect(history.done).toHaveLength(1);
  });

  it('inside the tool: the outcome is unknown until the first one reports it (FP3)', async () => {
    const history = await paused({
      // Long enough to be paused in. When the first bot wakes up, this time is over.
      env: { EXAMPLE_TOOL_MS: `${LIMITS.leaseMs}` },
      until: async (stage, root) => {
        await approve(stage, root);
        await stage.world.until(() => witnessed(stage, 'begun').length === 1);
      },
      meanwhile: doubtIn,
    });

    expect(history.begun).toHaveLength(1);
    expect(history.done).toHaveLength(1);
    const written = types(history);
    expect(written.indexOf('call-finished')).toBeGreaterThan(written.indexOf('call-unknown'));
    expect(written).toContain('call-unknown');
  });

  it('while the model answers: the other one asks again, and there is one reply (FP4, D12)', async () => {
    const history = await paused({
      pieceDelayMs: 250,
      until: (stage) => stage.world.until(() => stage.sandbox.model.requests.length === 1),
      meanwhile: approved,
      cutTurns: 1,
    });

    expect(history.done).toHaveLength(1);
    expect(history.runs).toHaveLength(1);
  });
});

describe.concurrent.each(ENGINES)('a bot whose event loop is blocked (%s)', (engine) => {
  it('by work that takes longer than its lease: the tool runs once, and its end is told once (FP5)', async () => {
    const stage = await openStage(engine === 'redis' ? { redisUrl: redis.freshDatabase() } : {});
    try {
      const env = { COUNTERSIGN_CONFIG: CONFIG };
      const block = join(stage.dataDir, 'block');
      writeFileSync(block, '');
      const blocked = await stage.startBot({ http: true, env: { ...env, BLOCKS_WHILE: block } });
      const root = await mention(stage, ANN, 'restart the payments service');
      await approve(stage, root);
      // A blocked bot changes nothing in Slack, so the file is looked at again and again.
      while (witnessed(stage, 'begun').length === 0) await aWhile(50);
      const bots = engine === 'redis' ? [blocked, await stage.startBot({ http: true, env })] : [blocked];
      await (engine === 'redis' ? doubtIn(stage, root) : aWhile(2 * LIMITS.leaseMs));
      rmSync(block);
      await reply(stage, root, DONE);
      await aWhile();
      await Promise.all(bots.map((bot) => bot.kill()));

      const history = await historyOf(stage, root);
      expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
      expect(history.done).toHaveLength(1);
      expect(history.messages.filter((message) => says(message, DONE))).toHaveLength(1);
      expect(heard(stage)).not.toContain('Another process');
    } finally {
      await stage.close();
    }
  });
});
