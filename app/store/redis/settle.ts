import { Cluster, type Redis } from 'ioredis';
import type { Durability } from '../durability.ts';
import { StoreUnavailableError } from '../errors.ts';
import { syncKey } from '../keys.ts';
import { type Client, pauseMs } from './clients.ts';
import { within } from './link.ts';
import { listIn, numberIn } from './replies.ts';

/** Waits until what was written is as safe as the deployment asks. */
export interface Settle {
  /** Everything that was answered for this shard until now. Rejects after `totalMs`; then it may or may not be safe. */
  readonly settle: (shard: string, totalMs: number) => Promise<void>;
  readonly close: () => void;
}

/** One question to the server; it is asked again until the caller's patience is over. */
const ASK_MS = 1_000;
/** A mark is only there to be waited for. */
const MARK_MS = 60_000;

/**
 * Redis answers for what the asking connection has written, and appends come over others. So a mark is written here behind
 * them, on the same node, and waited for: what came before it is safe when it is. One question at a time serves all who
 * came before it was asked.
 */
export function createSettle(connect: () => Client, level: Exclude<Durability, 'process'>): Settle {
  let client: Client | undefined;
  let closed = false;
  const asked = new Map<string, Promise<boolean>>();
  const next = new Map<string, Promise<boolean>>();

  const ask = async (shard: string): Promise<boolean> => {
    client ??= connect();
    const key = syncKey(shard);
    const node = client instanceof Cluster ? await nodeOf(client, key) : client;
    const [command, ...numbers] = level === 'disk' ? ['WAITAOF', 1, 0, ASK_MS] : ['WAIT', 1, ASK_MS];
    const [, reply] = await within(
      2 * ASK_MS,
      Promise.all([node.set(key, '1', 'PX', MARK_MS), node.call(`${command}`, ...numbers)]),
    );
    return numberIn(Array.isArray(reply) ? listIn(reply)[0] : reply) >= 1;
  };

  /** Shared by all who come before it is asked: it is asked when the one before has its answer. */
  const askNext = (shard: string): Promise<boolean> => {
    const waiting = next.get(shard);
    if (waiting !== undefined) return waiting;
    const before = asked.get(shard) ?? Promise.resolve(true);
    const mine = before
      .catch(() => false)
      .then(() => {
        next.delete(shard);
        const answer = ask(shard);
        asked.set(shard, answer);
        return answer;
      });
    next.set(shard, mine);
    return mine;
  };

  return {
    settle: async (shard, totalMs) => {
      const deadline = performance.now() + totalMs;
      for (let tried = 1; ; tried += 1) {
        if (await askNext(shard).catch(() => false)) return;
        if (closed || performance.now() > deadline) throw notSafe(level);
        await new Promise((resolve) => setTimeout(resolve, pauseMs(tried)));
      }
    },
    close: () => {
      closed = true;
      client?.disconnect();
    },
  };
}

/** In a Cluster, only the node that has the shard can say how safe it is. */
async function nodeOf(cluster: Cluster, key: string): Promise<Redis> {
  const slot = numberIn(await cluster.call('cluster', 'keyslot', key));
  const name = cluster.slots[slot]?.[0];
  const node = cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === name);
  if (node !== undefined) return node;
  throw new StoreUnavailableError('The node that has this shard is not known at the moment. Asking again is safe.');
}

function notSafe(level: Durability): Error {
  const where = level === 'disk' ? 'its disk' : 'a replica';
  return new StoreUnavailableError(
    `Redis did not say in time that what was written has reached ${where}. It may have; asking again is safe.`,
  );
}
