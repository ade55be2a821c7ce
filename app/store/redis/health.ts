import { StoreSetupError } from '../errors.ts';
import { digits, SHARDS_KEY } from '../keys.ts';
import type { StoreHealth } from '../store.ts';
import type { Link } from './link.ts';
import { textIn } from './replies.ts';

/** Asks Redis how it is set up. Refuses what would lose facts, warns of what could. */
export async function checkHealth(link: Link): Promise<StoreHealth> {
  const facts = readInfo(textIn(await link.command('info')));

  const policy = facts.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new StoreSetupError(
      `Redis may throw stored approvals away: its maxmemory-policy is ${policy}. ` +
        'Set maxmemory-policy to noeviction, in its configuration and with CONFIG SET.',
    );
  }
  const warnings: string[] = [];
  if (policy === undefined) warnings.push('Redis does not say its maxmemory-policy. See that it is noeviction.');
  if (facts.get('aof_enabled') === '0') {
    warnings.push(
      'Redis keeps no append-only file: when it dies, decisions and started calls are lost. Set appendonly to yes.',
    );
  }
  return { warnings };
}

/** The number of shards, fixed by whoever starts first: with another one, nothing that is stored would be found. */
export async function settleShards(link: Link, { wanted, usual }: ShardsWish): Promise<number> {
  await link.command('set', SHARDS_KEY, wanted ?? usual, 'NX');
  const stored = Number(textIn(await link.command('get', SHARDS_KEY)));
  if (wanted !== undefined && wanted !== stored) {
    throw new StoreSetupError(
      `This Redis was set up with ${stored} shards and cannot be used with ${wanted}: what is stored would not be ` +
        `found. Ask for ${stored}, or use another Redis.`,
    );
  }
  return checked(stored);
}

/** The number that a bot has settled; in a Redis that none has used, there is nothing to read. */
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
  /** For a Redis that is new. */
  readonly usual: number;
}

export function readInfo(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
}
