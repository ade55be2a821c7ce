import { describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  mention,
  openCards,
  openStage,
  reply,
  type Stage,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { isRunning } from '../support/read-history.ts';
import { type Sentinels, startSentinels } from '../support/redis-sentinel.ts';

const SERVICES = ['payments', 'search', 'mail'] as const;

describe.concurrent('two replicas behind Sentinel, when the primary dies', () => {
  it('while approvals are pending run each call once that is approved during or after the fail-over (FR11)', async () => {
    await threeWait({}, async ({ sentinels, stage, roots, cards: [during, ...after] }) => {
      if (during === undefined) throw new Error('There is a card.');
      await sentinels.caughtUp();

      const failedOver = sentinels.failOver();
      // A person presses while no Redis takes a fact, and is told so.
      const first = stage.world.press(ANN, during, 'approval_approve');
      await whisper(stage, ANN, /not recorded/i);
      expect(witnessed(stage, 'begun')).toEqual([]);
      // Written meanwhile: Slack sends it again until it is stored.
      const meanwhile = await mention(stage, ANN, 'restart the billing service');
      await Promise.all([first, failedOver]);

      for (const card of [during, ...after]) await pressUntilDecided(stage, card);
      await pressUntilDecided(stage, await cardIn(stage, meanwhile));
      return [...roots, meanwhile];
    });
  });

  it('right after decisions and starts lose none of them with durability for a replica (FR11)', async () => {
    const env = { COUNTERSIGN_CONFIG: 'test/support/replicated.config.ts', EXAMPLE_TOOL_MS: '3000' };
    await threeWait(env, async ({ sentinels, stage, roots, cards: [first, second, ...after] }) => {
      if (first === undefined || second === undefined) throw new Error('There are two cards.');
      // The test does not wait until a replica has the entries: the setting has to do that.
      await Promise.all([first, second].map((card) => stage.world.press(ANN, card, 'approval_approve')));
      await stage.world.until(() => witnessed(stage, 'begun').length === 2);
      await sentinels.failOver();
      await sentinels.replaceReplica();

      for (const card of after) await pressUntilDecided(stage, card);
      return roots;
    });
  });
});

interface Waiting {
  readonly sentinels: Sentinels;
  readonly stage: Stage;
  readonly roots: readonly SlackMessage[];
  readonly cards: readonly SlackMessage[];
}

/**
 * Three approvals are pending when the story begins. It answers with all threads there are, and in each of them one call
 * was made once, and nothing that was shown to anybody is missing from the journals of the new primary.
 */
async function threeWait(
  env: Readonly<Record<string, string>>,
  story: (waiting: Waiting) => Promise<readonly SlackMessage[]>,
): Promise<void> {
  const sentinels = await startSentinels();
  const stage = await openStage({
    redisUrl: sentinels.url,
    sandbox: { eventRetryMs: [500, 1_000, 2_000, 4_000, 8_000, 16_000] },
  });
  try {
    const bots = [await stage.startBot({ env }), await stage.startBot({ env })];
    const asking = await Promise.all(SERVICES.map((service) => mention(stage, ANN, `restart the ${service} service`)));
    const cards = await Promise.all(asking.map((root) => cardIn(stage, root)));
    const roots = await story({ sentinels, stage, roots: asking, cards });
    for (const root of roots) await reply(stage, root, 'Done.');
    // Said before it is written as finished, and that waits for a replica that has to find the new primary.
    while ((await historyOf(stage, ...roots)).runs.some(isRunning)) await aWhile();
    await Promise.all(bots.map((bot) => bot.kill()));

    const history = await historyOf(stage, ...roots);
    expect(brokenRules({ history, before: [], cutTurns: roots.length })).toEqual([]);
    expect(history.begun).toHaveLength(roots.length);
    expect(history.done).toHaveLength(roots.length);
  } finally {
    await stage.close();
    await sentinels.remove();
  }
}

/** As people do who are told that it was not recorded. */
async function pressUntilDecided(stage: Stage, card: SlackMessage): Promise<void> {
  const isOpen = () => openCards(stage, card).some(({ ts }) => ts === card.ts);
  for (let tries = 0; isOpen(); tries += 1) {
    if (tries === 60) throw new Error('The card can still be pressed.');
    await stage.world.press(ANN, card, 'approval_approve').catch(() => {});
    await aWhile();
  }
}
