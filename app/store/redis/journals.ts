import { checkAppend, refuseBeside } from '../check.ts';
import { dueWord } from '../due.ts';
import { letterOf, readNames } from '../ids.ts';
import * as keys from '../keys.ts';
import type { AppendAnswer, AppendRequest, JournalPage, Store } from '../store.ts';
import { append, type Publishing } from './append.ts';
import type { Link } from './connection/link.ts';
import { listIn, numberIn, textsIn } from './replies.ts';
import { run as runScript } from './script.ts';
import { READ, REMOVE } from './scripts.ts';

export interface JournalsDeps {
  readonly link: Link;
  readonly shards: number;
  readonly publishing: Publishing;
  readonly names: (letter: string) => Promise<readonly string[]>;
  /** Absent: the answer of Redis is safe enough. */
  readonly keep: ((request: AppendRequest, send: () => Promise<AppendAnswer>) => Promise<AppendAnswer>) | undefined;
}

/** Writes, reads, lists and removes journals, and the items of runs. */
export function journals({
  link,
  shards,
  publishing,
  names,
  keep,
}: JournalsDeps): Pick<Store, 'append' | 'read' | 'journals' | 'readItems' | 'removeRun'> {
  return {
    append: async (request) => {
      checkAppend(request, shards);
      refuseBeside(request);
      const send = () => append(link, request, publishing);
      return request.durable === true && keep !== undefined ? keep(request, send) : send();
    },
    read: async (journal, from = 0, most = Number.MAX_SAFE_INTEGER) => {
      const last = Math.min(from + most, Number.MAX_SAFE_INTEGER) - 1;
      return readPage(await runScript(link, READ, [keys.journalKey(journal)], [from, last]));
    },
    journals: async (kind) => readNames(kind, await names(letterOf(kind))),
    readItems: async (run, from = 0) => textsIn(await link.command('lrange', keys.itemsKey(run), from, -1)),
    removeRun: async ({ run, version, thread, approvals, due, members }) => {
      const shard = keys.shardOfId(run);
      const found = [...approvals.map(keys.approvalKey), ...members.map(({ index }) => keys.indexKey(shard, index))];
      const reply = await runScript(
        link,
        REMOVE,
        [keys.journalKey(run), keys.itemsKey(run), keys.threadKey(shard, thread), keys.dueKey(shard), ...found],
        [version, run, approvals.length, due.length, ...due.map(dueWord), ...members.map(({ member }) => member)],
      );
      return numberIn(reply) === 1;
    },
  };
}

function readPage(reply: unknown): JournalPage {
  const [nowMs, version, lines] = listIn(reply);
  const entries = textsIn(lines).map((line) => {
    const space = line.indexOf(' ');
    return { id: line.slice(0, space), text: line.slice(space + 1) };
  });
  return { entries, version: numberIn(version), nowMs: numberIn(nowMs) };
}
