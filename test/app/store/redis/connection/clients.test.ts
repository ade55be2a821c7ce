import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { readRedisUrl } from '../../../../../app/store/redis/address.ts';
import {
  type Client,
  connectForCommands,
  connectForHints,
  connectForQueue,
  pauseMs,
} from '../../../../../app/store/redis/connection/clients.ts';
import { type KeptLog, keptLog } from '../../../../support/kept-log.ts';
import { startRedisServer } from '../../../../support/redis.ts';
import { startOfUnknownAuthority } from '../../../../support/unknown-authority.ts';

const opened = (url: string) => {
  const client = connectForCommands(readRedisUrl(url), silentLog, () => false);
  client.disconnect();
  return (client instanceof Cluster ? client.options.redisOptions : client.options) ?? {};
};

/** What the client of this address shows to each Redis that it connects to. */
function shownTo(url: string) {
  const { username, password, tls } = opened(url);
  return { username: username ?? undefined, password: password ?? undefined, tls: tls !== undefined };
}

it.each([
  'rediss://ann:secret@h:1',
  'rediss+sentinel://ann:secret@h:1,i:2/main',
  'rediss+cluster://ann:secret@h:1,i:2',
])('every Redis of the address %s is shown the login of that address, over TLS', (url) => {
  expect(shownTo(url)).toEqual({ username: 'ann', password: 'secret', tls: true });
});

it.each(['redis://h:1', 'redis+sentinel://h:1/main', 'redis+cluster://h:1'])(
  'a Redis of the address %s is shown no login, and no TLS',
  (url) => {
    expect(shownTo(url)).toEqual({ tls: false });
  },
);

it.each(['redis://h:1', 'redis+sentinel://h:1/main', 'redis+cluster://h:1'])(
  'a connection of the address %s is made anew after its primary became a replica, and after no other refusal (FR11)',
  (url) => {
    const { reconnectOnError } = opened(url);

    expect(reconnectOnError?.(new Error("READONLY You can't write against a read only replica."))).toBe(true);
    expect(reconnectOnError?.(new Error('OOM command not allowed'))).toBe(false);
  },
);

const KINDS: Readonly<Record<string, (url: string) => Client>> = {
  commands: (url) => connectForCommands(readRedisUrl(url), silentLog, () => false),
  hints: (url) => connectForHints(readRedisUrl(url), silentLog),
  'the queue': (url) => connectForQueue(readRedisUrl(url), silentLog),
};
const ONE = ['redis://h:1/3', 'redis+sentinel://h:1,i:2/main/3'];
const cases = (urls: readonly string[]) =>
  urls.flatMap((url) => [
    { kind: 'commands', url, queues: false, repeats: 0, again: true },
    { kind: 'hints', url, queues: true, repeats: 0, again: false },
    { kind: 'the queue', url, queues: true, repeats: null, again: true },
  ]);
/** What no connection does by itself, because the store does it or must hear of it. */
const COMMON = {
  connectTimeout: 1_000,
  connectionName: 'countersign',
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
};

it.each(cases(ONE))(
  'the connection for $kind to $url queues commands ($queues), repeats them ($repeats) and connects again ($again) as its user needs',
  ({ kind, url, queues, repeats, again }) => {
    const client = KINDS[kind]?.(url);
    client?.disconnect();
    if (client === undefined || client instanceof Cluster) throw new Error('It is a connection to one server.');

    const { options } = client;
    expect(options).toMatchObject({ ...COMMON, enableOfflineQueue: queues, maxRetriesPerRequest: repeats, db: 3 });
    expect(typeof options.retryStrategy?.(1)).toBe(again ? 'number' : 'object');
    expect(options.sentinels ?? []).toEqual(
      url.includes('sentinel')
        ? [
            { host: 'h', port: 1 },
            { host: 'i', port: 2 },
          ]
        : [],
    );
  },
);

it.each(cases(['redis+cluster://h:1,i:2']))(
  'the connection for $kind to a Redis Cluster queues commands ($queues), repeats them ($repeats) and connects again ($again) as its user needs',
  ({ kind, url, queues, repeats, again }) => {
    const client = KINDS[kind]?.(url);
    client?.disconnect();
    if (!(client instanceof Cluster)) throw new Error('It is a connection to a Cluster.');

    const { options } = client;
    expect(options).toMatchObject({ enableOfflineQueue: queues, shardedSubscribers: true, slotsRefreshTimeout: 1_000 });
    expect(options.redisOptions).toMatchObject({ ...COMMON, maxRetriesPerRequest: repeats });
    expect(typeof options.clusterRetryStrategy?.(1)).toBe(again ? 'number' : 'object');
  },
);

it('an outage is in the log once, however often a connection is tried, and an error that is handled is not (FR13)', async () => {
  const server = await startRedisServer();
  const logs = [keptLog(), keptLog()] as const;
  const errors: unknown[] = [];
  const connect = ({ log }: KeptLog, handled: boolean) =>
    connectForCommands(readRedisUrl(server.url), log, (error) => {
      if (!handled) errors.push(error);
      return handled;
    });
  const clients = [connect(logs[0], false), connect(logs[1], true)];
  const outage = async () => {
    await expect.poll(() => clients.map(({ status }) => status)).toEqual(['ready', 'ready']);
    errors.length = 0;
    await server.kill();
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    await server.start();
  };

  await outage();
  const warning = expect.stringMatching(
    /^warn: Redis cannot be reached; trying until it can\. See that REDIS_URL is right/,
  );
  const linesOf = () => logs.map(({ lines }) => lines);
  expect(linesOf()).toEqual([[warning], []]);
  await outage();
  expect(linesOf()).toEqual([[warning, warning], []]);
  for (const client of clients) client.disconnect();
  await server.remove();
});

it('a Redis whose certificate is refused is in the log with the variable that names its authority (SURF-5)', async () => {
  const server = await startOfUnknownAuthority();
  const { log, lines } = keptLog();

  const client = connectForCommands(readRedisUrl(server.redisUrl), log, () => false);
  await expect.poll(() => lines.length).toBe(1);
  client.disconnect();
  server.stop();

  expect(lines[0]).toMatch(
    /^warn: The certificate of Redis is refused; trying until it is not\. .* set NODE_EXTRA_CA_CERTS to the file .*, not in \.env\./,
  );
});

it('the pause before a new attempt is doubled each time, up to two seconds, and half of it is chance', () => {
  const span = (attempt: number) => {
    const pauses = Array.from({ length: 5_000 }, () => pauseMs(attempt));
    return [Math.min(...pauses), Math.max(...pauses)];
  };

  expect([1, 2].map(span)).toEqual([
    [25, 50],
    [50, 100],
  ]);
  for (const attempt of [7, 50, 10_000]) {
    const [least = 0, most = 0] = span(attempt);
    expect(least).toBeGreaterThanOrEqual(1_000);
    expect(most).toBeLessThanOrEqual(2_000);
  }
});
