import { setTimeout as realPause } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { threadKey } from '../../../../../app/records/index.ts';
import { readRedisUrl } from '../../../../../app/store/redis/address.ts';
import { type Client, connectForHints } from '../../../../../app/store/redis/connection/clients.ts';
import { createSubscriber } from '../../../../../app/store/redis/connection/subscriber.ts';
import type { Hint } from '../../../../../app/store/store.ts';
import { runId, THREAD } from '../../../../support/journal.ts';
import { keptLog } from '../../../../support/kept-log.ts';
import { PATIENCE_MS } from '../../../../support/patience.ts';
import { startProxy } from '../../../../support/proxy.ts';
import { startRedisServer } from '../../../../support/redis.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const CHANNEL = 'hints';

const LOST = 'The subscription to hints is lost; taking a new one.';

function subscriberAt(port: number) {
  const clients: Client[] = [];
  const { log, lines } = keptLog();
  const connect = () => {
    const client = connectForHints(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog);
    clients.push(client);
    return client;
  };
  const subscriber = createSubscriber({ connect, channels: [CHANNEL], sharded: false, log });
  closers.push(subscriber.close);
  /** The levels of the lines that tell of a loss. */
  const told = () => lines.filter((line) => line.includes(LOST)).map((line) => line.split(':')[0]);
  return { subscriber, clients, told };
}

/** From here on, time passes only when the test says so. */
function standsStill(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  closers.push(() => vi.useRealTimers());
}

/** Lets so much time pass, in short steps between which the sockets have real time, until it is as wished. */
async function passUpTo(ms: number, isThere: () => boolean): Promise<void> {
  for (let passedMs = 0; passedMs < ms && !isThere(); passedMs += 1) {
    vi.advanceTimersByTime(1);
    await realPause(1);
  }
}

it('each listener hears until it is closed, and the connection ends with the last of them', async () => {
  const server = await startRedisServer();
  closers.push(server.remove);
  const { subscriber, clients, told } = subscriberAt(server.port);
  const heard: string[] = [];
  const listen = (name: string) =>
    subscriber.add({ onHint: ({ version }: Hint) => heard.push(`${name} ${version}`), onGap: () => {} });
  const tell = (version: number) =>
    server.client().publish(CHANNEL, JSON.stringify({ thread: threadKey(THREAD), run: runId(), version }));

  const one = await listen('one');
  const two = await listen('two');
  await tell(1);
  await expect.poll(() => heard).toEqual(['one 1', 'two 1']);
  await one.close();
  await tell(2);
  await expect.poll(() => heard.slice(2)).toEqual(['two 2']);
  await two.close();

  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['end']);
  expect(told()).toEqual([]);
  // The subscription has rested between its checks.
  expect(await server.client().info('commandstats')).not.toMatch(/cmdstat_ping:calls=\d{2}/);
});

it('what is no hint is not heard, whatever another program publishes (FR8)', async () => {
  const server = await startRedisServer();
  closers.push(server.remove);
  const { subscriber } = subscriberAt(server.port);
  const heard: Hint[] = [];
  await subscriber.add({ onHint: (hint) => heard.push(hint), onGap: () => {} });
  const hint = { thread: threadKey(THREAD), run: runId(), version: 1 };
  const odd = [
    '',
    'null',
    '{',
    '[]',
    '{}',
    'beat 1',
    ...[{ run: 'x' }, { thread: 1 }, { version: '1' }, { version: 0.5 }].map((change) =>
      JSON.stringify({ ...hint, ...change }),
    ),
  ];

  const stranger = server.client();
  for (const text of [...odd, JSON.stringify(hint)]) await stranger.publish(CHANNEL, text);

  await expect.poll(() => heard).toEqual([hint]);
});

it('a connection that is cut is replaced at once, and the listener hears of the gap (FR6)', async () => {
  const server = await startRedisServer();
  closers.push(server.remove);
  const { subscriber, clients, told } = subscriberAt(server.port);
  let gaps = 0;
  const killer = server.client();
  await killer.ping();
  standsStill();
  await subscriber.add({
    onHint: () => {},
    onGap: () => {
      gaps += 1;
    },
  });

  await killer.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  // Less than the two seconds until the next check of the subscription, which would find it as well.
  await passUpTo(1_000, () => gaps === 2);

  expect(gaps).toBe(2);
  expect(clients.map(({ status }) => status)).toEqual(['end', 'ready']);
  expect(told()).toEqual(['warn']);
});

it('a listener whose subscription never worked hears that the store is closed, and the log says once why', async () => {
  standsStill();
  const { subscriber, told } = subscriberAt(1);
  const listening = subscriber.add({ onHint: () => {}, onGap: () => {} });
  listening.catch(() => {});
  // The pause before the second attempt is 50 ms at least.
  await passUpTo(49, () => told().length > 1);
  expect(told().slice(1)).toEqual([]);
  await passUpTo(1_000, () => told().length === 3);
  expect(told()).toEqual(['warn', 'debug', 'debug']);

  await subscriber.close();

  await expect(listening).rejects.toThrow('The store is closed');
});

it('a subscription that does not work is tried again after 100 ms at most, and then after 200', async () => {
  standsStill();
  const { subscriber, clients } = subscriberAt(1);
  subscriber.add({ onHint: () => {}, onGap: () => {} }).catch(() => {});

  // The two pauses, and time for three connections to be refused.
  await passUpTo(300 + 150, () => clients.length === 3);

  expect(clients.length).toBe(3);
});

it('a subscription that gets no answer ends at once when it is closed', async () => {
  const server = await startRedisServer();
  const wire = await startProxy(server.port);
  wire.delay(60_000);
  closers.push(server.remove, wire.close);
  const { subscriber, clients } = subscriberAt(wire.port);
  const listening = subscriber.add({ onHint: () => {}, onGap: () => {} }).then(() => 'heard', String);

  // No time passes, so that no limit ends it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let closed = false;
  void subscriber.close().then(() => {
    closed = true;
  });
  await vi.waitFor(() => expect(closed).toBe(true), { timeout: PATIENCE_MS }).finally(() => vi.useRealTimers());

  expect(await listening).toContain('The store is closed');
  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['end']);
});
