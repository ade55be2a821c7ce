import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../app/log.ts';
import { StoreUnavailableError } from '../../../../app/store/errors.ts';
import { readRedisUrl } from '../../../../app/store/redis/address.ts';
import { type Client, connectForCommands } from '../../../../app/store/redis/connection/clients.ts';
import { scanKeys } from '../../../../app/store/redis/scan.ts';
import { startProxy } from '../../../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.remove());

const scanAt = (port: number) => {
  const clients: Client[] = [];
  const connect = () => {
    const client = connectForCommands(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog, () => false);
    clients.push(client);
    return client;
  };
  return { scan: () => scanKeys(connect, 'key:*'), clients };
};

it('a list of keys has each that fits, however many there are, and its connection ends', async () => {
  const names = Array.from({ length: 3_000 }, (_, number) => `key:${number}`);
  await server.client().mset(Object.fromEntries([...names, 'other'].map((name) => [name, ''])));
  const { scan, clients } = scanAt(server.port);

  expect([...(await scan())].sort()).toEqual(names.sort());
  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['end']);
});

it('a list of keys that Redis refuses is refused with its words', async () => {
  await server.client().call('ACL', 'SETUSER', 'default', '-scan');

  await expect(scanAt(server.port).scan()).rejects.toThrow(/^NOPERM/);
  await server.client().call('ACL', 'SETUSER', 'default', '+scan');
});

it('a list of keys that gets no answer is an outage after five seconds', async () => {
  const wire = await startProxy(server.port);
  wire.delay(60_000);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const listed = scanAt(wire.port).scan();
    listed.catch(() => {});
    vi.advanceTimersByTime(5_000);

    await expect(listed).rejects.toThrow(StoreUnavailableError);
    await expect(listed).rejects.toThrow('Redis gave no answer in time while the journals were listed.');
  } finally {
    vi.useRealTimers();
    await wire.close();
  }
});
