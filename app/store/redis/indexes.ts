import type { Log } from '../../log.ts';
import { RunId } from '../../records/index.ts';
import { dueWord, readDueWord } from '../due.ts';
import * as keys from '../keys.ts';
import type { Store } from '../store.ts';
import type { Claim } from './claim.ts';
import type { Link } from './connection/link.ts';
import { numberIn, textsIn } from './replies.ts';
import { run as runScript } from './script.ts';
import { MOVE, TAKE_PLACE } from './scripts.ts';

/** The lists that an append changes together with its entries. */
export function indexes({
  link,
  shards,
}: {
  readonly link: Link;
  readonly shards: number;
}): Pick<Store, 'findApproval' | 'members' | 'takePlace' | 'leaveLists'> {
  return {
    findApproval: async (approval) => {
      const reply = await link.command('get', keys.approvalKey(approval));
      return reply === null ? undefined : RunId.parse(reply);
    },
    members: async (index, most) => {
      const lists = keys.shardsOfIndex(index, shards).map((shard) => keys.indexKey(shard, index));
      const found = await Promise.all(lists.map(async (key) => textsIn(await link.command('smembers', key))));
      return [...new Set(found.flat())].slice(0, most);
    },

    takePlace: async ({ index, member, most }) => {
      const [shard = ''] = keys.shardsOfIndex(index, shards);
      const reply = await runScript(link, TAKE_PLACE, [keys.indexKey(shard, index)], [member, most, keys.PLACES_MS]);
      return numberIn(reply) === 1;
    },

    leaveLists: async (members) => {
      const removed = members.flatMap(({ index, member }) =>
        keys.shardsOfIndex(index, shards).map((shard) => link.command('srem', keys.indexKey(shard, index), member)),
      );
      await Promise.all(removed);
    },
  };
}

export interface DueIndexDeps {
  readonly link: Link;
  readonly claim: Claim;
  readonly log: Log;
}

/** The items that become due. */
export function due({ link, claim, log }: DueIndexDeps): Pick<Store, 'claimDue' | 'moveDue'> {
  return {
    claimDue: async (request) =>
      (await claim(keys.dueKey, request)).flatMap((word) => {
        const item = readDueWord(word);
        if (item === undefined) log.warn('This version cannot read a due item; it is left alone.', { word });
        return item ?? [];
      }),

    moveDue: async (item, inMs) => {
      const later = inMs === 'never' ? [] : [inMs];
      await runScript(link, MOVE, [keys.dueKey(keys.shardOfId(item.subject))], [dueWord(item), ...later]);
    },
  };
}
