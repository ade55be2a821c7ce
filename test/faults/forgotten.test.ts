import { describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, mention, openStage, reply, type Stage } from '../support/bot.ts';
import { ENGINES, type Engine } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { startRedisServer } from '../support/redis.ts';
import { forget } from '../support/scheduled.ts';

/*
 * Tests of a test. Each removes what would bring a process back to a thread, which no bot ever does. The rule that
 * nothing is forgotten must then name the thread that no process will advance.
 */

/** What the rule says of a thread whose bot has died. */
async function forgottenIn(stage: Stage, root: SlackMessage): Promise<readonly string[]> {
  const then = await historyOf(stage, root);
  const now = { ...then, inbox: [], runs: [], threads: [] };
  return brokenRules({ history: now, before: [then], cutTurns: 9 }).filter((problem) => problem.startsWith('D9'));
}

async function toldOn(engine: Engine, story: (stage: Stage) => Promise<void>): Promise<void> {
  const redis = engine === 'redis' ? await startRedisServer() : undefined;
  const stage = await openStage(redis === undefined ? {} : { redisUrl: redis.url });
  try {
    await story(stage);
  } finally {
    await stage.close();
    await redis?.remove();
  }
}

const SAID_ALL = ['a run that has said all and is not sealed', 'run-finished', /is over and not sealed/] as const;

describe.concurrent.each(ENGINES)('the check that nothing is forgotten (%s)', (engine) => {
  const told = (story: (stage: Stage) => Promise<void>) => toldOn(engine, story);

  it('names a question that has lost its time (D9)', () =>
    told(async (stage) => {
      const bot = await stage.startBot();
      const root = await mention(stage, ANN, 'restart the payments service');
      await cardIn(stage, root);
      await bot.kill();
      expect(await forgottenIn(stage, root)).toEqual([]);

      await forget(stage, 'due');

      expect(await forgottenIn(stage, root)).toEqual([expect.stringMatching(/has no time at which that ends$/)]);
    }));

  it.each<readonly [string, string, RegExp]>([
    ['a message that is in no journal yet', 'delivery-stored', /has messages that no run has heard/],
    ['a run that has just begun', 'run-started', /is not over, and nobody is to go on with it$/],
    ['a run whose question was answered', 'call-decided', /is not over, and nobody is to go on with it$/],
    ['a run that was stopped and is not sealed', 'run-stopped', /is over and not sealed/],
    // On SQLite, a run that owes nothing is sealed with its last answer.
    ...(engine === 'redis' ? [SAID_ALL] : []),
  ])('names %s, when no process is going to look at it (D9)', (_what, dieAt, says) =>
    told(async (stage) => {
      const bot = await stage.startBot({ dieAt });
      const root = await mention(stage, ANN, 'restart the payments service');
      if (dieAt === 'call-decided' || dieAt === 'run-finished')
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      if (dieAt === 'run-stopped') {
        await cardIn(stage, root);
        await stage.world.stop(ANN, root);
      }
      await bot.gone;
      expect(await forgottenIn(stage, root)).toEqual([]);

      await forget(stage, 'todo');

      expect(await forgottenIn(stage, root)).toEqual([expect.stringMatching(says)]);
    }),
  );
});

it('reports nothing while a bot is at work, however often it looks (D9)', () =>
  toldOn('redis', async (stage) => {
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    let over = false;
    const approved = async () => {
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      await reply(stage, root, 'Done.');
      await stage.world.until(() => stage.world.session(root).status === 'active');
    };
    const done = approved().finally(() => {
      over = true;
    });

    while (!over) expect(await forgottenIn(stage, root)).toEqual([]);
    await done;
  }));
