import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { ANN, BOT, TEAM } from '../../sandbox/people.ts';
import { cardIn, mention, openStage, type RunningBot, reply, type Stage, witnessed } from '../support/bot.ts';
import { ENGINES } from '../support/engines.ts';
import { startForMany } from '../support/install.ts';
import { type LateSlack, startLateSlack } from '../support/late-slack.ts';
import { listen } from '../support/listen.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

const OTHER = 'T0OTHER009';
const STAGING = 'U0STAGING1';

let stage: Stage;
let redis: RedisServer | undefined;
let late: LateSlack | undefined;
const slacks: Server[] = [];
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  redis = undefined;
  await late?.close();
  late = undefined;
  for (const slack of slacks.splice(0)) slack.close();
});

/** The token of a bot that Slack knows as this user of this workspace. All that the bot may ask Slack is who it is. */
async function tokenOf(team: string, user: string): Promise<Readonly<Record<string, string>>> {
  const slack = createServer((_, response) => {
    const known = { ok: true, url: 'https://example.slack.com/', team_id: team, user_id: user, bot_id: 'B0ELSE0001' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(known));
  });
  slacks.push(slack);
  const port = await listen(slack);
  return { SLACK_API_URL: `http://127.0.0.1:${port}/api/`, SLACK_BOT_TOKEN: 'xoxb-else' };
}

/** Starts a bot over HTTP, where its workspace needs nothing more of Slack. */
const startAs = async (team: string, user: string, env = {}): Promise<RunningBot> =>
  stage.startBot({ http: true, env: { ...(await tokenOf(team, user)), ...env } });

const belongsTo = (there: string, own: string) =>
  `This store belongs to the bot ${there}, and this is the bot ${own}. `;

async function onRedis(): Promise<RedisServer> {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  return redis;
}

it.each([
  ['a bot of another workspace', OTHER],
  ['another bot of the same workspace', TEAM],
])(
  '%s does not start on a Redis that is in use, and what waits there goes on (D1, EDGE-3, EDGE-8)',
  async (_, team) => {
    await onRedis();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    // With a key and tools of its own, it would also change what the store says of these.
    const another = startAs(team, STAGING, { DATA_KEY: Buffer.alloc(32, 7).toString('base64') });
    await expect(another).rejects.toThrow(belongsTo(`${BOT} of ${TEAM}`, `${STAGING} of ${team}`));
    const mayFollow = expect(another).rejects;
    await (team === TEAM ? mayFollow : mayFollow.not).toThrow('remove the key cs:owner.');

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  },
);

it('of two bots that start at once on a new Redis, one gets it and the other says whose it is (EDGE-8)', async () => {
  const { freshDatabase } = await onRedis();
  const REDIS_URL = freshDatabase();
  const starts = await Promise.allSettled([startAs(TEAM, STAGING, { REDIS_URL }), startAs(OTHER, BOT, { REDIS_URL })]);

  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refused] = starts.filter(({ status }) => status === 'rejected');
  expect(`${refused?.status === 'rejected' && refused.reason}`).toContain('This store belongs to the bot ');
});

const forgetsOwner = async (): Promise<unknown> => {
  if (redis !== undefined) return redis.client().del('cs:owner');
  const database = new DatabaseSync(join(stage.dataDir, 'countersign.sqlite'));
  database.exec("DELETE FROM members WHERE list = 'owner'");
  return database.close();
};

it.each(ENGINES)(
  'a store of an older version (%s), which does not say whose it is, is refused to a bot of another workspace alone (EDGE-8)',
  async (engine) => {
    if (engine === 'redis') await onRedis();
    else stage = await openStage();
    const bot = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await bot.stop();
    await forgetsOwner();

    await expect(startAs(OTHER, BOT)).rejects.toThrow(belongsTo('of another workspace', `${BOT} of ${OTHER}`));

    await stage.startBot();
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
  },
);

it('a bot that died at the beginning of its first run on an emptied Redis starts there again (EDGE-3, EDGE-8)', async () => {
  const { client } = await onRedis();
  const bot = await stage.startBot({ dieAt: 'run-started' });
  await client().flushall();
  const root = await mention(stage, ANN, 'hello');
  await bot.gone;
  expect(await client().get('cs:owner')).toBeNull();

  await expect(startAs(OTHER, BOT)).rejects.toThrow(belongsTo('of another workspace', `${BOT} of ${OTHER}`));
  await stage.startBot();
  await reply(stage, root, 'Hello!');
});

it('a bot that died right after its very first run on an emptied Redis was stopped starts there again (EDGE-3, EDGE-8)', async () => {
  const { client } = await onRedis();
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const bot = await stage.startBot({ http: true, env: { SLACK_API_URL: late.url }, dieAt: 'run-stopped' });
  const root = await mention(stage, ANN, 'hello');
  await reply(stage, root, 'Hello!');
  await client().flushall();
  // The run looks for what the thread was told before, so its workspace has no record of it yet.
  late.hold('conversations.replies');
  await stage.world.say(ANN, root.channel, `<@${BOT}> hello again`, { thread: root });
  await late.untilHeld();
  await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
  await bot.gone;
  expect(await client().get('cs:owner')).toBeNull();

  await expect(startAs(OTHER, BOT)).rejects.toThrow(belongsTo('of another workspace', `${BOT} of ${OTHER}`));
  await stage.startBot();
  await reply(stage, root, 'Stopped');
});

it('a file follows its workspace to a new app, and to no other workspace (EDGE-8)', async () => {
  stage = await openStage();
  const bot = await stage.startBot();
  await bot.stop();

  await expect(startAs(OTHER, BOT)).rejects.toThrow(belongsTo(`${BOT} of ${TEAM}`, `${BOT} of ${OTHER}`));
  const next = await startAs(TEAM, STAGING);
  expect(next.isAlive()).toBe(true);
});

it('the store of an app that workspaces install is refused to the bot of a token (EDGE-8)', async () => {
  stage = await openStage();
  const { bot } = await startForMany(stage);
  await bot.stop();

  const own = `${BOT} of ${TEAM}`;
  await expect(startAs(TEAM, BOT)).rejects.toThrow(belongsTo('of SLACK_CLIENT_ID sandbox-client', own));
});
