import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { WORDS } from '../../app/runs/telling/words.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import {
  cardIn,
  draws,
  mention,
  openStage,
  type RunningBot,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { ENGINES, type Engine } from '../support/engines.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer | undefined;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  redis = undefined;
});

async function begin(engine: Engine): Promise<RunningBot> {
  if (engine === 'redis') redis = await startRedisServer();
  stage = await openStage(redis === undefined ? {} : { redisUrl: redis.url });
  return stage.startBot();
}

/** Everything is lost: FLUSHALL under a bot that lives, or a folder that is empty at the next start. */
async function empty(bot: RunningBot): Promise<void> {
  if (redis !== undefined) return void (await redis.client().flushall());
  await bot.kill();
  for (const end of ['', '-wal', '-shm']) rmSync(join(stage.dataDir, `countersign.sqlite${end}`), { force: true });
  await stage.startBot();
}

const now = (card: SlackMessage) => stage.world.message(card) ?? card;

it.each(ENGINES)(
  'a card of a store that was emptied (%s) loses its buttons at the first press, and nothing runs (EDGE-3)',
  async (engine) => {
    const bot = await begin(engine);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await empty(bot);

    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, 'I do not know this request');
    await stage.world.until(() => says(now(card), 'Not on record any more'), { what: 'no buttons' });
    expect(draws(now(card), 'approval_approve')).toBe(false);
    expect(witnessed(stage, 'begun')).toEqual([]);
  },
);

it('a list card of a store that was emptied loses its buttons at a press on one of its rows (EDGE-3)', async () => {
  const bot = await begin('sqlite');
  const root = await mention(stage, ANN, 'restart the fleet');
  const list = await cardIn(stage, root);
  const row = parts(list.blocks).find((part) => part.action_id === 'approval_deny');
  await empty(bot);

  await stage.world.press(ANN, list, 'approval_deny', { value: String(row?.value) });
  await stage.world.until(() => says(now(list), 'Not on record any more'), { what: 'no buttons' });
  expect(draws(now(list), 'list_approve_all')).toBe(false);
});

it('a card of another deployment on the same app keeps its buttons (EDGE-3)', async () => {
  const bot = await begin('sqlite');
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await bot.kill();
  await stage.startBot({ env: { DATA_DIR: join(stage.dataDir, 'other') } });

  await stage.world.press(ANN, card, 'approval_approve');
  await whisper(stage, ANN, 'I do not know this request');
  await stage.world.until(() => stage.world.requests.some(({ method }) => method === 'conversations.replies'));
  expect(draws(now(card), 'approval_approve')).toBe(true);
});

it.each(ENGINES)(
  'a thread under way hears at the next message that its record is gone (%s), and a new thread hears nothing of it (EDGE-3)',
  async (engine) => {
    const bot = await begin(engine);
    const root = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, root);
    await empty(bot);

    await stage.world.say(ANN, root.channel, `<@${BOT}> what is up`, { thread: root });
    await reply(stage, root, WORDS.forgotten);
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    await stage.world.say(ANN, root.channel, `<@${BOT}> and now`, { thread: root });
    const people = await stage.world.say(ANN, root.channel, 'We talk among people.');
    await stage.world.say(ANN, root.channel, `<@${BOT}> join us`, { thread: people });
    const fresh = await mention(stage, ANN, 'what is up');
    for (const thread of [root, people, fresh])
      await stage.world.until(() => stage.world.session(thread).status === 'active');

    const told = [root, people, fresh].map(
      (thread) => stage.world.messages(thread).filter((message) => says(message, WORDS.forgotten)).length,
    );
    expect(told).toEqual([1, 0, 0]);
  },
);
