import type { Link } from './connection/link.ts';
import { textsIn } from './replies.ts';
import { run as runScript } from './script.ts';
import { CLAIM } from './scripts.ts';

/** Takes the due members of the list that each shard has under `keyOf`, and moves each forward by `leaseMs`. */
export type Claim = (
  keyOf: (shard: string) => string,
  request: { readonly limit: number; readonly leaseMs: number },
) => Promise<readonly string[]>;

/** Asks shard after shard until it has enough. Each call begins with another shard, so that none is always the last. */
export function claimFrom(link: Link, shards: readonly string[]): Claim {
  let first = 0;
  return async (keyOf, { limit, leaseMs }) => {
    first = (first + 1) % shards.length;
    const claimed: string[] = [];
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      if (claimed.length >= limit) break;
      const more = await runScript(link, CLAIM, [keyOf(shard)], [limit - claimed.length, leaseMs]);
      claimed.push(...textsIn(more));
    }
    return claimed;
  };
}
