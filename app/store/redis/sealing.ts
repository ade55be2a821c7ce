import type { ThreadKey } from '../../records/index.ts';
import * as keys from '../keys.ts';
import type { Store, StoredText } from '../store.ts';
import { startOfElement } from './append.ts';
import type { Link } from './connection/link.ts';
import { numberIn, textIn } from './replies.ts';
import { run, type Script } from './script.ts';
import { REPLACE, RESEAL_AT, RESEAL_ELEMENT, RESEAL_MEMBER } from './scripts.ts';

export interface SealingOptions {
  readonly link: Link;
  readonly shards: number;
  readonly shardOf: (thread: ThreadKey) => string;
}

/** The records about the whole store, and the change of what is encrypted. */
export function sealing({ link, shards, shardOf }: SealingOptions): Pick<Store, 'record' | 'writeRecord' | 'reseal'> {
  /** The script that replaces a text, its key and its arguments. */
  const stepFor = (
    at: StoredText,
    before: string,
    after: string,
  ): readonly [Script, string, ...(string | number)[]] => {
    switch (at.type) {
      case 'entry':
        return [RESEAL_AT, keys.journalKey(at.journal), at.position, before, after, 'behind its id'];
      case 'item':
        return [RESEAL_AT, keys.itemsKey(at.run), at.position, before, after];
      case 'inbox': {
        const start = startOfElement(at.key);
        return [RESEAL_ELEMENT, keys.inboxKey(shardOf(at.thread), at.thread), start + before, start + after];
      }
      case 'installation': {
        const [shard = ''] = keys.shardsOfIndex(at.index, shards);
        return [RESEAL_MEMBER, keys.indexKey(shard, at.index), before, after];
      }
    }
  };
  return {
    record: async (of) => {
      const reply = await link.command('get', keys.recordKey(of));
      return reply === null ? undefined : textIn(reply);
    },
    writeRecord: async (of, text, before = '') =>
      numberIn(await run(link, REPLACE, [keys.recordKey(of)], [text, before])) === 1,
    reseal: async (at, before, after) => {
      const [script, key, ...args] = stepFor(at, before, after);
      return numberIn(await run(link, script, [key], args)) === 1;
    },
  };
}
