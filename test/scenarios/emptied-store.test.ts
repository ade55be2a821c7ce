import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { WORDS } from '../../app/runs/telling/words.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import {
  cardIn,
  draws,
  logged,
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
    await stage.world.until(() => says(now(card), 'No longer on record'), { what: 'no buttons' });
    expect(draws(now(card), 'approval_approve')).toBe(false);
    expect(witnessed(stage, 'begun')).toEqual([]);
  },
);

it.each<[string, (root: SlackMessage) => Promise<unknown>]>([
  ['waits for a person', (root) => cardIn(stage, root)],
  [
    'asks the model',
    () => stage.world.until(() => stage.sandbox.model.requests.length === 1, { what: 'the model is asked' }),
  ],
])('a thread in which the bot %s when the store is emptied does not look busy for ever (EDGE-3)', async (_, until) => {
  await begin('redis');
  stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
  const root = await mention(stage, ANN, 'restart the payments service');
  await until(root);
  await redis?.client().flushall();

  await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the bot is idle' });
  expect(witnessed(stage, 'begun')).toEqual([]);
});

it('a list card of a store that was emptied loses its buttons at a press on one of its rows (EDGE-3)', async () => {
  const bot = await begin('sqlite');
  const root = await mention(stage, ANN, 'restart the fleet');
  const list = await cardIn(stage, root);
  const row = parts(list.blocks).find((part) => part.action_id === 'approval_deny');
  await empty(bot);

  await stage.world.press(ANN, list, 'approval_deny', { value: String(row?.value) });
  await stage.world.until(() => says(now(list), 'No longer on record'), { what: 'no buttons' });
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

/** How often the bot has searched this thread. */
const searches = ({ ts }: SlackMessage) =>
  stage.world.requests.filter((request) => request.method === 'conversations.replies' && request.arguments.ts === ts)
    .length;

/** The bot has taken or let go all that was said, because it acknowledges a message only then. */
const acknowledged = (message: SlackMessage) =>
  Promise.all(stage.world.deliveriesOf(message).map(({ settled }) => settled));

it.each(ENGINES)(
  'a channel thread under way hears at the next plain message that its record is gone, once, and the message is answered (%s) (EDGE-3)',
  async (engine) => {
    const bot = await begin(engine);
    const root = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, root);
    await empty(bot);

    stage.sandbox.model.next('I heard you.');
    await stage.world.say(ANN, root.channel, 'is it done by now?', { thread: root });
    await reply(stage, root, 'I heard you.');
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    stage.sandbox.model.next('And again.');
    await stage.world.say(ANN, root.channel, 'and now?', { thread: root });
    await reply(stage, root, 'And again.');

    const told = stage.world.messages(root).filter((message) => says(message, WORDS.forgotten));
    expect(told).toHaveLength(1);
  },
);

it.each(ENGINES)(
  'a thread of people that is older than the store is searched once and left alone (%s) (EDGE-3)',
  async (engine) => {
    const bot = await begin(engine);
    const root = await stage.world.say(ANN, OPS, 'We talk among people.');
    await empty(bot);

    for (const text of ['One more thing.', 'And another.', 'That is all.'])
      await acknowledged(await stage.world.say(ANN, OPS, text, { thread: root }));

    expect(searches(root)).toBe(1);
    expect(stage.world.messages(root).filter(({ user }) => user === BOT)).toEqual([]);
    expect(stage.sandbox.model.requests).toEqual([]);
  },
);

it.each(ENGINES)('a thread of people that is younger than the store is not searched (%s) (EDGE-3)', async (engine) => {
  await begin(engine);
  const root = await stage.world.say(ANN, OPS, 'We talk among people.');
  await acknowledged(await stage.world.say(ANN, OPS, 'One more thing.', { thread: root }));

  expect(searches(root)).toBe(0);
});

it('a flood of plain messages in threads older than the store searches a few of them in a minute (EDGE-3)', async () => {
  const bot = await begin('sqlite');
  const roots = await Promise.all(
    Array.from({ length: LIMITS.lostSearchesAMinute + 5 }, (_, at) => stage.world.say(ANN, OPS, `Topic ${at}.`)),
  );
  await empty(bot);

  const said = await Promise.all(roots.map((root) => stage.world.say(ANN, OPS, 'Anything new?', { thread: root })));
  await Promise.all(said.map(acknowledged));
  expect(roots.reduce((sum, root) => sum + searches(root), 0)).toBe(LIMITS.lostSearchesAMinute);
});

it('a plain message that comes while Slack is away is let go, and the next one is heard (EDGE-3)', async () => {
  const bot = await begin('redis');
  const root = await mention(stage, ANN, 'restart the payments service');
  await cardIn(stage, root);
  await empty(bot);

  stage.world.faults.set('conversations.replies', { type: 'status', status: 503 }, Number.POSITIVE_INFINITY);
  await acknowledged(await stage.world.say(ANN, root.channel, 'is it done by now?', { thread: root }));
  await logged(bot, 'A thread could not be searched for what is lost.');
  expect(stage.world.messages(root).filter((message) => says(message, WORDS.forgotten))).toEqual([]);

  stage.world.faults.clear('conversations.replies');
  await stage.world.say(ANN, root.channel, 'and now?', { thread: root });
  await reply(stage, root, WORDS.forgotten);
});
