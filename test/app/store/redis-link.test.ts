import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { StoreUnavailableError } from '../../../app/store/errors.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { type Client, connectForCommands } from '../../../app/store/redis/connection/clients.ts';
import { createLink, type Link, type Patience, STEADY, within } from '../../../app/store/redis/connection/link.ts';
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

const clients: Client[] = [];
const make = (patience: Patience, port: number): Link => {
  clients.length = 0;
  const connect = () => {
    const client = connectForCommands(readRedisUrl(`redis://127.0.0.1:${port}`), silentLog, () => false);
    clients.push(client);
    return client;
  };
  const link = createLink(connect, patience, silentLog);
  links.push(link);
  return link;
};
const open = async (patience: Patience, port = server.port): Promise<Link> => {
  const link = make(patience, port);
  // On a busy computer, the first connection may take longer than the patience of a test.
  await expect.poll(() => link.command('ping').catch(String)).toBe('PONG');
  return link;
};
const NEVER = 60_000;
/** What a promise comes to, or that it has come to nothing after ten seconds. */
const soon = (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(String, String),
    new Promise<string>((resolve) => setTimeout(resolve, 10_000, 'nothing')),
  ]);
/** What was sent before it is done when this is answered: it goes over the same connection. */
const presses = (link: Link) => link.command('get', 'presses');

it('an act that a person was told did not happen does not happen when Redis is back (FR13)', async () => {
  const link = await open({ attemptMs: 300, attempts: 2, totalMs: 500 });
  const before = clients.length;

  await server.kill();
  await expect(link.command('ping')).rejects.toThrow('Redis gave no answer in time');
  await expect(link.command('incr', 'presses')).rejects.toThrow(/^Redis gave no answer in time \(No answer in \d+/);
  // The client tries anew by itself where there is no server.
  expect(clients).toHaveLength(before);
  await server.start();

  await expect.poll(() => presses(link).catch(() => 'away')).toBeNull();
});

it('work that waits through an outage is sent once when Redis is back, however often it was tried (FR13)', async () => {
  // An answer that takes longer than an attempt is sent for again, so an attempt outlasts a moment of a busy computer.
  const link = await open({ attemptMs: 3_000, attempts: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY });

  await server.kill();
  const waiting = link.command('incr', 'presses');
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  await server.start();
  await waiting;

  expect(await presses(link)).toBe('1');
});

it('a connection over which Redis itself refuses stays', async () => {
  const link = await open(STEADY);

  await expect(link.command('incr', 'presses', 'twice')).rejects.toThrow('wrong number of arguments');
  await link.command('ping');

  expect(clients).toHaveLength(1);
});

it('a dead connection is replaced once, and not replaced while the store is being closed', async () => {
  const wire = await startProxy(server.port);
  const link = await open({ attemptMs: 3_000, attempts: 1, totalMs: 3_000 }, wire.port);

  wire.goSilent();
  await expect(Promise.all([link.command('ping'), link.command('ping')])).rejects.toThrow('Redis gave no answer');
  await link.command('ping');
  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['end', 'ready']);

  wire.goSilent();
  const hanging = link.command('ping');
  await Promise.all([link.close(), expect(hanging).rejects.toThrow('The store is closed')]);
  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['end', 'end']);
  await wire.close();
});

it('a command is tried as often as its patience allows, with a pause between', async () => {
  const link = await open({ attemptMs: NEVER, attempts: 3, totalMs: NEVER });
  const notYet = "redis.call('INCR', 'tries'); return redis.error_reply('TRYAGAIN A slot is on its way.')";
  const timers = vi.spyOn(globalThis, 'setTimeout');

  await expect(link.command('eval', notYet, 0)).rejects.toThrow('Redis gave no answer in time (TRYAGAIN A slot');

  const pauses = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms > 0 && ms < NEVER / 2);
  timers.mockRestore();
  expect(pauses).toHaveLength(2);
  expect(pauses[0]).toBeGreaterThanOrEqual(25);
  expect(pauses[1]).toBeGreaterThanOrEqual(50);
  expect(await link.command('get', 'tries')).toBe('3');
  expect(clients).toHaveLength(1);
});

it('a connection that is open and never becomes ready is replaced (FR5)', async () => {
  const wire = await startProxy(server.port);
  wire.delay(NEVER);
  const link = make({ attemptMs: 50, attempts: 1, totalMs: NEVER }, wire.port);
  await expect.poll(() => clients.map(({ status }) => status)).toEqual(['connect']);

  await expect(link.command('ping')).rejects.toThrow('Redis gave no answer in time (No answer in 50 ms.)');

  expect(clients).toHaveLength(2);
  await wire.close();
});

it('a command that has its answer leaves no timer and no listener behind', async () => {
  const listeners = () => clients.map((client) => [client.listenerCount('ready'), client.listenerCount('end')]);
  const link = make(STEADY, server.port);
  const before = listeners();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const timers = vi.getTimerCount();
    await within(NEVER, link.command('ping'));
    expect(vi.getTimerCount()).toBe(timers);
  } finally {
    vi.useRealTimers();
  }
  expect(listeners()).toEqual(before);
});

it('a store is closed when what was under way has its answer, and not before', async () => {
  const link = await open(STEADY);
  const slow = `
    local function now() local time = redis.call('TIME'); return time[1] * 1000000 + time[2] end
    local begun = now()
    repeat until now() > begun + 50000
    return 'done'
  `;

  let answer: unknown;
  const underWay = link.command('eval', slow, 0).then((given) => {
    answer = given;
  });
  await link.close();
  await new Promise((resolve) => setImmediate(resolve));

  expect(answer).toBe('done');
  await underWay;
});

it('work that waits for Redis ends when the store is closed, and what comes later is refused at once', async () => {
  await server.kill();
  const link = make({ attemptMs: NEVER, attempts: Number.POSITIVE_INFINITY, totalMs: NEVER }, server.port);
  const waiting = link.command('ping');
  waiting.catch(() => {});

  await link.close();

  const closed = /The store is closed: the process is stopping/;
  expect(await soon(waiting)).toMatch(closed);
  expect(await soon(link.command('ping'))).toMatch(closed);
});

it.each([
  ['maxmemory', '1', 'Redis is out of memory and wrote nothing. Raise its maxmemory.'],
  ['min-replicas-to-write', '1', 'Redis refuses to write. It says: NOREPLICAS Not enough good replicas to write.'],
])(
  'a Redis that refuses to write by its %s (%s) causes an outage in words that name the reason (FR12)',
  async (name, value, says) => {
    const link = await open(STEADY);
    await server.client().config('SET', name, value);

    const refused = link.command('set', 'a', 'b');

    await expect(refused).rejects.toThrow(StoreUnavailableError);
    await expect(refused).rejects.toThrow(says);
  },
);

it('a Redis that a script keeps busy causes an outage in words that say how to end the script (FR12)', async () => {
  const link = await open(STEADY);
  const admin = server.client();
  await admin.config('SET', 'lua-time-limit', '50');
  const script = server.client().eval('while true do end', 0).catch(String);
  await expect.poll(() => admin.get('probe').catch(String)).toContain('BUSY');

  await expect(link.command('ping')).rejects.toThrow(
    /^Redis does nothing else while a script runs in it\. End that script with SCRIPT KILL or FUNCTION KILL\. It says: BUSY/,
  );
  await admin.script('KILL');
  await script;
});

it('work that waits for a Redis that takes connections and no writes is logged once, also while reads succeed (EDGE-3)', async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const primary = await startRedisServer();
  const client = server.client();
  await client.replicaof('127.0.0.1', primary.port);
  const connect = () => connectForCommands(readRedisUrl(server.url), log, () => false);
  const link = createLink(connect, STEADY, log);
  links.push(link);

  const written = Promise.all([link.command('set', 'a', '1'), link.command('set', 'b', '1')]);
  await expect.poll(() => warnings).toHaveLength(1);
  for (let reads = 0; reads < 15; reads += 1) {
    await link.command('get', 'a');
    await pause(200);
  }
  expect(warnings).toHaveLength(1);
  await client.replicaof('NO', 'ONE');
  await written;

  expect(warnings).toEqual([expect.stringMatching(/^Redis takes connections and does not do what the bot asks/)]);
  await primary.remove();
});
