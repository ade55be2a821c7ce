import { afterEach, expect, it } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { threadKey } from '../../../../../app/records/index.ts';
import { readRedisUrl } from '../../../../../app/store/redis/address.ts';
import { type Client, connectForHints } from '../../../../../app/store/redis/connection/clients.ts';
import { createSubscriber } from '../../../../../app/store/redis/connection/subscriber.ts';
import type { Hint } from '../../../../../app/store/store.ts';
import { runId, THREAD } from '../../../../support/journal.ts';
import { startRedisServer } from '../../../../support/redis.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const CHANNEL = 'hints';

function subscriberAt(port: number) {
  const clients: Client[] = [];
  const connect = () => {
    const client = connectForHints(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog);
    clients.push(client);
    return client;
  };
  const subscriber = createSubscriber({ connect, channels: [CHANNEL], sharded: false, log: silentLog });
  closers.push(subscriber.close);
  return { subscriber, clients };
}

it('each listener hears until it is closed, and the connection ends with the last of them', async () => {
  const server = await startRedisServer();
  closers.push(server.remove);
  const { subscriber, clients } = subscriberAt(server.port);
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
});

it('a listener whose subscription never worked hears that the store is closed', async () => {
  const { subscriber } = subscriberAt(1);
  const listening = subscriber.add({ onHint: () => {}, onGap: () => {} });

  await subscriber.close();

  await expect(listening).rejects.toThrow('The store is closed');
});
