import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { diskFolder } from '../folders.ts';
import type { Figure } from '../measure.ts';
import { startWholeBot } from './stage.ts';

/** What Redis was asked so far, by every connection. */
interface Asked {
  readonly atMs: number;
  readonly scripts: number;
  readonly listReads: number;
  readonly commands: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

const TURNS = 5;
/** As long as sweeps need to come by a few times. */
const IDLE_MS = 3_000;
/** After the last reply, the bot still paints and writes for this long at most. */
const SETTLES_MS = 500;
const KB = 1_000;

/** What an approved turn of the whole bot asks of Redis, its queue included. What an idle bot asks is taken off. A new bot has
 * no paintings that wait. */
export async function commandFigures(redisUrl: string): Promise<readonly Figure[]> {
  const bot = await startWholeBot({ dataDir: diskFolder(), redisUrl });
  await bot.turn(1);
  await pause(SETTLES_MS);
  const client = new Redis(redisUrl);
  const idle = await askedIn(client, () => pause(IDLE_MS));
  const turns = await askedIn(client, async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await bot.turn(1);
    await pause(SETTLES_MS);
  });
  client.disconnect();
  await bot.close();
  const share = turns.atMs / idle.atMs;
  const of = (what: keyof Asked): number => (turns[what] - idle[what] * share) / TURNS;
  const where = 'Redis: in an approved turn of the whole bot';
  return [
    { what: `${where}, scripts`, value: Math.round(of('scripts')), unit: '', target: 30 },
    { what: `${where}, reads of lists: journals and items`, value: Math.round(of('listReads')), unit: '', target: 6 },
    { what: `${where}, all commands, those in scripts included`, value: Math.round(of('commands')), unit: '' },
    { what: `${where}, read from Redis`, value: of('bytesOut') / KB, unit: 'KB', target: 15 },
    { what: `${where}, sent to Redis`, value: of('bytesIn') / KB, unit: 'KB' },
  ];
}

async function askedIn(client: Redis, work: () => Promise<unknown>): Promise<Asked> {
  const before = await askedSoFar(client);
  await work();
  const after = await askedSoFar(client);
  const since = (what: keyof Asked): number => after[what] - before[what];
  return {
    atMs: since('atMs'),
    scripts: since('scripts'),
    listReads: since('listReads'),
    commands: since('commands'),
    bytesOut: since('bytesOut'),
    bytesIn: since('bytesIn'),
  };
}

async function askedSoFar(client: Redis): Promise<Asked> {
  const [commands, stats] = [await client.info('commandstats'), await client.info('stats')];
  const calls = (...names: readonly string[]): number =>
    [...commands.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
      .filter(([, name = '']) => names.length === 0 || names.includes(name))
      .reduce((sum, [, , count]) => sum + Number(count), 0);
  const counter = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
  return {
    atMs: performance.now(),
    scripts: calls('eval', 'evalsha', 'fcall'),
    listReads: calls('lrange'),
    commands: calls(),
    bytesOut: counter('total_net_output_bytes'),
    bytesIn: counter('total_net_input_bytes'),
  };
}
