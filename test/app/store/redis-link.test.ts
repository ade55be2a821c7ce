import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { connectForCommands } from '../../../app/store/redis/connection/clients.ts';
import { createLink, type Link, type Patience } from '../../../app/store/redis/connection/link.ts';
import { readRedisUrl } from '../../../app/store/redis/place.ts';
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

const open = async (patience: Patience): Promise<Link> => {
  const link = createLink(() => connectForCommands(readRedisUrl(server.url), silentLog), patience);
  links.push(link);
  await link.command('ping');
  return link;
};
/** What was sent before it is done when this is answered: it goes over the same connection. */
const presses = (link: Link) => link.command('get', 'presses');

it('what a person was told did not happen does not happen when Redis is back (FR13)', async () => {
  const link = await open({ attemptMs: 300, attempts: 2, totalMs: 500 });

  await server.kill();
  await expect(link.command('ping')).rejects.toThrow('Redis gave no answer in time');
  await expect(link.command('incr', 'presses')).rejects.toThrow('Redis gave no answer in time');
  await server.start();

  await expect.poll(() => presses(link).catch(() => 'away')).toBeNull();
});

it('work that waits through an outage is sent once when Redis is back, however often it was tried (FR13)', async () => {
  const link = await open({ attemptMs: 50, attempts: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY });

  await server.kill();
  const waiting = link.command('incr', 'presses');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await server.start();
  await waiting;

  expect(await presses(link)).toBe('1');
});
