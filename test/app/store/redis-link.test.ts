import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { connectForCommands } from '../../../app/store/redis/connection/clients.ts';
import { createLink, type Link, type Patience, STEADY } from '../../../app/store/redis/connection/link.ts';
import { startProxy } from '../../support/proxy.ts';
import { type RedisServer, startRedisServer } from '../../support/redis.ts';

let server: RedisServer;
const links: Link[] = [];
beforeEach(async () => {
  server = await startRedisServer();
});
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.close()));
  await server.remove();
});

let connections = 0;
const open = async (patience: Patience, port = server.port): Promise<Link> => {
  connections = 0;
  const connect = () => {
    connections += 1;
    return connectForCommands(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog);
  };
  const link = createLink(connect, patience, silentLog);
  links.push(link);
  await link.command('ping');
  return link;
};
/** What was sent before it is done when this is answered: it goes over the same connection. */
const presses = (link: Link) => link.command('get', 'presses');

it('an act that a person was told did not happen does not happen when Redis is back (FR13)', async () => {
  const link = await open({ attemptMs: 300, attempts: 2, totalMs: 500 });

  await server.kill();
  await expect(link.command('ping')).rejects.toThrow('Redis gave no answer in time');
  await expect(link.command('incr', 'presses')).rejects.toThrow('Redis gave no answer in time');
  await server.start();

  await expect.poll(() => presses(link).catch(() => 'away')).toBeNull();
});

it('work that waits through an outage is sent once when Redis is back, however often it was tried (FR13)', async () => {
  // An answer that takes longer than an attempt is sent for again, so an attempt outlasts a moment of a busy computer.
  const link = await open({ attemptMs: 1_000, attempts: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY });

  await server.kill();
  const waiting = link.command('incr', 'presses');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await server.start();
  await waiting;

  expect(await presses(link)).toBe('1');
});

it('a connection over which Redis itself refuses stays', async () => {
  const link = await open(STEADY);

  await expect(link.command('incr', 'presses', 'twice')).rejects.toThrow('wrong number of arguments');
  await link.command('ping');

  expect(connections).toBe(1);
});

it('a dead connection is replaced once, and not replaced while the store is being closed', async () => {
  const wire = await startProxy(server.port);
  const link = await open({ attemptMs: 1_000, attempts: 1, totalMs: 1_000 }, wire.port);

  wire.goSilent();
  await expect(Promise.all([link.command('ping'), link.command('ping')])).rejects.toThrow('Redis gave no answer');
  await link.command('ping');
  expect(connections).toBe(2);

  wire.goSilent();
  const hanging = link.command('ping');
  await Promise.all([link.close(), expect(hanging).rejects.toThrow('The store is closed')]);
  expect(connections).toBe(2);
  await wire.close();
});
