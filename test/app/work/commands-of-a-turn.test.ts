import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { Script } from '../../../app/store/redis/script.ts';
import * as SCRIPTS from '../../../app/store/redis/scripts.ts';
import * as OF_TODO from '../../../app/store/redis/todo-scripts.ts';
import { startWholeBot, type WholeBot } from '../../../bench/whole/stage.ts';
import { emptyRedis } from '../../support/redis.ts';
import { pause } from './contract.ts';

const NAMES = new Map(Object.entries<Script>({ ...SCRIPTS, ...OF_TODO }).map(([name, { digest }]) => [digest, name]));
/** What a bot asks on its own, however many turns there are: its sweeps, and BullMQ's look at jobs that stand still. */
const BY_ITSELF = ['CLAIM', 'STALLED'];
const TURNS = 4;
/** What the queue still hears of a thread that rests. */
const SETTLES_MS = 500;

it('an approved turn on Redis asks for each of these things as often as is named here', async () => {
  const redisUrl = await emptyRedis();
  const bot = await startBot(redisUrl);
  const commands = await listen(redisUrl);
  /** After the last reply, the bot still paints and writes, and then lets its thread rest. */
  const wholeTurn = async (): Promise<Asked> => {
    commands.splice(0);
    await bot.turn(1);
    await expect.poll(() => askedIn(commands).scripts).toContain('REST');
    await pause(SETTLES_MS);
    return askedIn(commands);
  };
  await wholeTurn();

  const turns: Asked[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await wholeTurn());

  // A busy machine adds renewed leases and paintings that come apart. It may leave out the claim for a kick that came late.
  expect(leastOf(turns, ({ scripts }) => scripts.length)).toBeLessThanOrEqual(28);
  expect(leastOf(turns, ({ listReads }) => listReads)).toBeLessThanOrEqual(5);
  const of = (name: string): number => leastOf(turns, ({ scripts }) => scripts.filter((one) => one === name).length);
  const counts = {
    take: of('TAKE'),
    renew: of('MOVE'),
    thread: of('THREAD'),
    rest: of('REST'),
  };
  expect(counts).toEqual({ take: 1, renew: 0, thread: 3, rest: 1 });
  expect(of('CLAIM_ONE') + of('TAKE_IN_HAND')).toBeLessThanOrEqual(2);
  expect(of('BullMQ')).toBe(5);
  // The press finds its run on the card. Behind it, the process looks whether the store still has the question.
  expect(leastOf(turns, ({ lookups }) => lookups)).toBe(1);
});

interface Asked {
  readonly scripts: readonly string[];
  /** Of journals, items and inboxes. */
  readonly listReads: number;
  /** Of the run that an approval belongs to. */
  readonly lookups: number;
}

function askedIn(commands: readonly (readonly string[])[]): Asked {
  const scripts = commands
    .filter(([command = '']) => /^eval(sha)?$/i.test(command))
    .map(
      ([, digest = '', ...given]) =>
        NAMES.get(digest) ?? (given.includes('cs:{queue}:threads:stalled-check') ? 'STALLED' : 'BullMQ'),
    )
    .filter((name) => !BY_ITSELF.includes(name));
  const listReads = commands.filter(
    ([command, key = '']) => command?.toLowerCase() === 'lrange' && key.startsWith('cs:{s'),
  );
  const lookups = commands.filter(([command, key = '']) => command?.toLowerCase() === 'get' && key.includes(':ap:'));
  return { scripts, listReads: listReads.length, lookups: lookups.length };
}

const leastOf = (turns: readonly Asked[], count: (turn: Asked) => number): number => Math.min(...turns.map(count));

async function startBot(redisUrl: string): Promise<WholeBot> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-commands-'));
  const bot = await startWholeBot({ dataDir, redisUrl });
  onTestFinished(async () => {
    await bot.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return bot;
}

/** Every command on this database from now on, those in scripts included. */
async function listen(redisUrl: string): Promise<string[][]> {
  const client = new Redis(redisUrl);
  const monitor = await client.monitor();
  onTestFinished(() => {
    monitor.disconnect();
    client.disconnect();
  });
  const commands: string[][] = [];
  const own = new URL(redisUrl).pathname.slice(1);
  monitor.on('monitor', (_at: string, command: string[], _from: string, database: string) => {
    if (database === own) commands.push(command);
  });
  return commands;
}
