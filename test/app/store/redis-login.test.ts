import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { silentLog } from '../../../app/log.ts';
import { openStore } from '../../../app/store/open.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { ANN } from '../../../sandbox/people.ts';
import { cardIn, mention, openStage, reply, whisper } from '../../support/bot.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';

let server: RedisServer;
/** It was there before the password. */
let admin: Redis;
beforeEach(async () => {
  server = await startRedisServer();
  admin = server.client();
  await admin.config('SET', 'requirepass', 'right');
});
afterEach(() => server.remove());

const at = (login: string) => `redis://${login}127.0.0.1:${server.port}`;
const openAt = (url: string) => createRedisStore({ place: readRedisUrl(url), log: silentLog });

it.each([
  ['no password', '', 'NOAUTH'],
  ['a wrong password', ':wrong@', 'WRONGPASS'],
  ['an unknown user', 'ann:right@', 'WRONGPASS'],
])('a start with %s for Redis ends with a sentence that says what to do (MF-15)', async (_what, login, code) => {
  await expect(openAt(at(login))).rejects.toThrow(
    `Redis at 127.0.0.1:${server.port} refuses the login that REDIS_URL gives (${code}). Write the user name and the password that it wants`,
  );
});

it('a start with the right password for Redis goes on (MF-15)', async () => {
  const store = await openAt(at(':right@'));

  expect(store.shards).toBe(1);
  await store.close();
});

it('a bot with a wrong password for Redis ends, and does not print the password (MF-15)', async () => {
  const stage = await openStage({ redisUrl: at(':wrong-password@') });

  const ended = stage.startBot().then(
    () => 'The bot runs.',
    (error: unknown) => String(error),
  );

  expect(await ended).toMatch(/ended with 1 at start:.*Countersign could not start: Redis at \S+ refuses the login/s);
  expect(await ended).not.toContain('wrong-password');
  await stage.close();
});

it('a start with a database that Redis does not have ends, and writes into no other database (MF-15)', async () => {
  const stage = await openStage({ redisUrl: `${at(':right@')}/2000` });

  const ended = stage.startBot().catch((error: unknown) => String(error));

  expect(await ended).toMatch(
    /ended with 1 at start:\s+Countersign could not start: Redis at \S+\/2000 refuses the database that REDIS_URL names \(ERR DB index is out of range\)/,
  );
  expect(await admin.dbsize()).toBe(0);
  await stage.close();
});

it('a bot that loses its database while it runs touches no other one, and says that a press was not recorded (FR11)', async () => {
  await makeAnn('&cs:*');
  const stage = await openStage({ redisUrl: `${at('ann:right@')}/3` });
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await makeAnn('&cs:*', '-select');
  await admin.client('KILL', 'USER', 'ann');
  await stage.world.press(ANN, card, 'approval_approve');
  await whisper(stage, ANN, /not recorded/i);

  expect(await admin.dbsize()).toBe(0);
  await stage.close();
});

it('a start at one node of a Redis Cluster says how the address of a Cluster begins, and writes nothing (MF-15)', async () => {
  const cluster = await startRedisCluster();
  try {
    for (const { url } of cluster.servers)
      await expect(openStore({ redisUrl: url, dataDir: '', clock: systemClock, log: silentLog })).rejects.toThrow(
        'is one node of a Redis Cluster. Begin REDIS_URL with redis+cluster://',
      );
    expect(await Promise.all(cluster.servers.map((node) => node.client().dbsize()))).toEqual([0, 0, 0]);
  } finally {
    await cluster.remove();
  }
});

it('a start on a Redis that gives a command another name says which (MF-15)', async () => {
  const renamed = await startRedisServer('--rename-command', 'hget', 'other');
  try {
    await expect(openStore({ redisUrl: renamed.url, dataDir: '', clock: systemClock, log: silentLog })).rejects.toThrow(
      /does not know a command that the bot needs\. It says: .*\(HGET\)\. Give the command its own name back/,
    );
  } finally {
    await renamed.remove();
  }
});

/** A user of Redis 7 that is made without a word about channels may use none. */
const makeAnn = (...channels: readonly string[]) =>
  admin.call('ACL', 'SETUSER', 'ann', 'on', '>right', '+@all', '~cs:*', ...channels);

it('a bot whose user may use no channel of Redis ends, and says what to give that user (MF-15)', async () => {
  await makeAnn();
  const stage = await openStage({ redisUrl: at('ann:right@') });

  const ended = stage.startBot().catch((error: unknown) => String(error));

  expect(await ended).toMatch(
    /could not start: Redis does not let the user .* NOPERM .*channels.*Give that user .*ACL SETUSER name \+@all ~cs:\* &cs:\*\./,
  );
  await stage.close();
});

it('a start with a user who may not ask for the time ends with a sentence that says what to do (MF-15)', async () => {
  await makeAnn('&cs:*', '-time');

  await expect(
    openStore({ redisUrl: at('ann:right@'), dataDir: '', clock: systemClock, log: silentLog }),
  ).rejects.toThrow(/Redis does not let the user .*Give that user every command/);
});

it.each(['zrem', 'lindex', 'lrange', 'llen', 'zscore', 'zrangebyscore', 'hget', 'hmget', 'hexists', 'hgetall'])(
  'a start with a user who lacks the command %s, which the store needs, ends with a sentence that names it (MF-15)',
  async (command) => {
    await makeAnn('&cs:*', `-${command}`);

    await expect(
      openStore({ redisUrl: at('ann:right@'), dataDir: '', clock: systemClock, log: silentLog }),
    ).rejects.toThrow(
      new RegExp(`Redis does not let the user .*\\(${command.toUpperCase()}\\)\\. Give that user every command`),
    );
  },
);

it.each(['incr', 'lpush', 'rpoplpush', 'hmset', 'hincrby', 'xadd'])(
  'a start with a user who lacks the command %s, which the queue of threads needs, ends with a sentence that names it (MF-15)',
  async (command) => {
    await makeAnn('&cs:*', `-${command}`);
    const stage = await openStage({ redisUrl: at('ann:right@') });

    const ended = stage.startBot().then(() => 'The bot runs.', String);

    expect(await ended).toMatch(
      new RegExp(
        `could not start: Redis does not let .*\\(${command.toUpperCase()}\\)\\. Give that user every command`,
      ),
    );
    await stage.close();
  },
);

it('a bot whose user may not wait for the queue of threads warns once, and works all the same (MF-15)', async () => {
  await makeAnn('&cs:*', '-bzpopmin');
  const stage = await openStage({ redisUrl: at('ann:right@') });
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.');

  const warnings = bot.log().match(/The queue of threads does not work, .*'bzpopmin'.* Give that user every command/g);
  expect(warnings).toHaveLength(1);
  await stage.close();
});

it.each([
  ['one server', 'subscribe', startRedisServer],
  ['a Cluster', 'ssubscribe', startRedisCluster],
])('a bot on %s whose user lacks %s ends, and says what to give that user (MF-15)', async (_what, command, start) => {
  const place = await start();
  const nodes = 'servers' in place ? place.servers : [place];
  for (const node of nodes)
    await node.client().call('ACL', 'SETUSER', 'ann', 'on', '>right', '+@all', '~cs:*', '&cs:*', `-${command}`);
  const stage = await openStage({ redisUrl: place.url.replace('://', '://ann:right@') });

  const ended = stage.startBot().then(() => 'The bot runs.', String);

  expect(await ended).toMatch(
    new RegExp(`could not start: Redis does not let the user .* '${command}' command\\. Give that user every command`),
  );
  await stage.close();
  await place.remove();
});

it('a bot runs with a user that has no more than the keys and channels of the bot (MF-15)', async () => {
  await makeAnn('&cs:*');
  const stage = await openStage({ redisUrl: at('ann:right@') });
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

  await reply(stage, root, 'Done.');
  expect(bot.log()).not.toContain('NOPERM');
  await stage.close();
});

it('a press counts when its user lost the channels of Redis, and the person hears of no trouble (EDGE-3)', async () => {
  await makeAnn('&cs:*');
  const stage = await openStage({ redisUrl: at('ann:right@') });
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await makeAnn('resetchannels');
  await stage.world.press(ANN, card, 'approval_approve');

  await reply(stage, root, 'Done.');
  expect(stage.world.ephemerals(ANN)).toEqual([]);
  await stage.close();
});

it('a start with a wrong password for a Redis Cluster ends with the same sentence (MF-15)', async () => {
  const cluster = await startRedisCluster();
  try {
    const wrong = cluster.url.replace('://', '://:wrong@');
    await Promise.all(cluster.servers.map((node) => node.client().config('SET', 'requirepass', 'right')));

    await expect(openAt(wrong)).rejects.toThrow('refuses the login that REDIS_URL gives (WRONGPASS)');
  } finally {
    await cluster.remove();
  }
});
