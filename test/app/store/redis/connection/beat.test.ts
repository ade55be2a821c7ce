import { afterEach, expect, it } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { readRedisUrl } from '../../../../../app/store/redis/address.ts';
import { beat } from '../../../../../app/store/redis/connection/beat.ts';
import { connectForHints } from '../../../../../app/store/redis/connection/clients.ts';
import { startProxy } from '../../../../support/proxy.ts';
import { startRedisServer } from '../../../../support/redis.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('a subscription reports that it is alive while its connection works, and stops when the connection is dead (FR6)', async () => {
  const server = await startRedisServer();
  const wire = await startProxy(server.port);
  const client = connectForHints(readRedisUrl(`redis://127.0.0.1:${wire.port}`), silentLog);
  closers.push(server.remove, wire.close, () => client.disconnect());
  await client.subscribe('hints');
  await beat(client, ['hints'], false);

  wire.goSilent();
  const alive = beat(client, ['hints'], false).then(() => 'alive');
  alive.catch(() => {});
  const other = server.client();
  const answered = other.ping().then(() => other.ping());

  expect(await Promise.race([alive, answered])).toBe('PONG');
});
