import { StoreSetupError } from '../../errors.ts';
import { allShards, digits, SHARDS_KEY, seenKey, wakeChannel } from '../../keys.ts';
import type { Durability, StoreHealth } from '../../store.ts';
import type { Publishing } from '../append.ts';
import { textIn } from '../replies.ts';
import { run } from '../script.ts';
import { TRY } from '../scripts.ts';
import type { Link } from './link.ts';

/** Asks every primary how it is set up. Refuses a setup that would lose facts, and warns of one that could. */
export async function checkHealth(link: Link): Promise<StoreHealth> {
  const warnings = (await askInfo(link)).map(({ facts, where }) => {
    const policy = facts.get('maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction') {
      throw new StoreSetupError(
        `Redis may throw stored approvals away: its maxmemory-policy${where} is ${policy}. ` +
          'Set maxmemory-policy to noeviction, in its configuration and with CONFIG SET.',
      );
    }
    return [
      ...(policy === undefined ? [`Redis does not say its maxmemory-policy${where}. See that it is noeviction.`] : []),
      ...(facts.get('aof_enabled') === '0'
        ? [
            `Redis keeps no append-only file${where}: when it dies, decisions and started calls are lost. ` +
              'Set appendonly to yes.',
          ]
        : []),
    ];
  });
  return { warnings: warnings.flat() };
}

/**
 * Rejects when a shard takes no write or no hint: a Redis that is full, or cannot save, still answers every read, and one may keep
 * its channels from the user of the bot.
 */
export async function tryToWrite(
  link: Link,
  { shards, publishing }: { readonly shards: number; readonly publishing: Publishing },
): Promise<void> {
  await Promise.all(
    allShards(shards).flatMap((shard) => [
      // The key is that of a delivery, and no delivery has such a name.
      run(link, TRY, [seenKey(shard, 'health')], []),
      // An empty text is no hint, and no process listens to it.
      link.command(publishing.command, wakeChannel(shard, publishing.database), ''),
    ]),
  );
}

/** Refuses a durability that this server cannot give. */
export async function checkDurability(link: Link, level: Durability): Promise<void> {
  for (const primary of await askInfo(link)) checkPrimary(primary, level);
}

function checkPrimary({ facts, where }: Described, level: Durability): void {
  if (level === 'replica' && Number(facts.get('connected_slaves') ?? 0) < 1)
    throw new StoreSetupError(
      `durability is 'replica', and no replica of this Redis is connected${where}. Start one, or set durability to 'process'.`,
    );
  if (level !== 'disk') return;
  const version = facts.get('redis_version') ?? '0';
  if (version.localeCompare('7.2', 'en', { numeric: true }) < 0)
    throw new StoreSetupError(
      `durability is 'disk', which needs Redis 7.2, and this one${where} is ${version}. Update it, or set durability to 'process'.`,
    );
  if (facts.get('aof_enabled') !== '1')
    throw new StoreSetupError(
      `durability is 'disk', and this Redis keeps no append-only file${where}. Set appendonly to yes, or durability to 'process'.`,
    );
}

/** The facts that a primary gives, and its name as the end of a sentence. The name is empty where there is one primary. */
interface Described {
  readonly facts: ReadonlyMap<string, string>;
  readonly where: string;
}

async function askInfo(link: Link): Promise<readonly Described[]> {
  const answers = await link.askEach('info');
  return answers.map(({ node, reply }) => ({
    facts: readInfo(textIn(reply)),
    where: node === undefined ? '' : ` on ${node}`,
  }));
}

/** The number of shards, which the first process to start fixes: with another number, stored facts would not be found. */
export async function settleShards(link: Link, { wanted, usual }: ShardsWish): Promise<number> {
  const known = await link.command('get', SHARDS_KEY);
  // A Redis that is full refuses even a write that would change nothing.
  if (known === null) {
    const shards = wanted ?? usual;
    // Where the address names one node of a Cluster, another one has these keys, and nothing is written.
    await Promise.all(allShards(shards).map((shard) => link.command('exists', seenKey(shard, 'health'))));
    await link.command('set', SHARDS_KEY, shards, 'NX');
  }
  const stored = Number(textIn(known ?? (await link.command('get', SHARDS_KEY))));
  if (wanted !== undefined && wanted !== stored) {
    throw new StoreSetupError(
      `This Redis was set up with ${stored} shards and cannot be used with ${wanted}: what is stored would not be ` +
        `found. Ask for ${stored}, or use another Redis.`,
    );
  }
  return checked(stored);
}

/** The stored number of shards. Rejects for a Redis that no bot has used. */
export async function readShards(link: Link): Promise<number> {
  const stored = await link.command('get', SHARDS_KEY);
  if (stored !== null) return checked(Number(textIn(stored)));
  throw new StoreSetupError('Nothing of Countersign is stored in this Redis. See that REDIS_URL is that of the bot.');
}

function checked(stored: number): number {
  if (!Number.isInteger(stored) || stored < 1 || digits(stored - 1).length > 2) {
    throw new StoreSetupError(`${SHARDS_KEY} in Redis is not a number from 1 to 100. Put back what it was.`);
  }
  return stored;
}

export interface ShardsWish {
  readonly wanted: number | undefined;
  /** The number for a new Redis. */
  readonly usual: number;
}

function readInfo(info: string): ReadonlyMap<string, string> {
  return new Map(Array.from(info.matchAll(/^(\w+):(.*?)\r?$/gm), ([, name = '', value = '']) => [name, value]));
}
