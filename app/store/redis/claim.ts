import type { ClaimTodo } from '../todo.ts';
import type { Link } from './connection/link.ts';
import { textsIn } from './replies.ts';
import { run as runScript } from './script.ts';
import { CLAIM } from './todo-scripts.ts';

/** Takes the due members of the list that each shard has under `keyOf`, and moves each forward by `leaseMs`. */
export type Claim = (keyOf: (shard: string) => string, request: ClaimTodo) => Promise<readonly string[]>;

/** Asks shard after shard until it has enough. Chance chooses the first, so that none is always the last. */
export function claimFrom(link: Link, shards: readonly string[]): Claim {
  return async (keyOf, { limit, leaseMs, mostMs }) => {
    const most = mostMs === undefined ? [] : [mostMs];
    const first = Math.floor(Math.random() * shards.length);
    let left = limit;
    const claimed: string[] = [];
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      if (left === 0) break;
      const more = textsIn(await runScript(link, CLAIM, [keyOf(shard)], [left, leaseMs, ...most]));
      claimed.push(...more);
      left -= more.length;
    }
    return claimed;
  };
}
