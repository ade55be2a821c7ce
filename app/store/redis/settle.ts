import { Cluster, type Redis } from 'ioredis';
import type { JournalName } from '../../records/index.ts';
import { pause } from '../../time/index.ts';
import { StoreUnavailableError } from '../errors.ts';
import { journalKey, shardOfId, syncKey } from '../keys.ts';
import type { AppendAnswer, AppendRequest, Durability } from '../store.ts';
import type { Client } from './connection/clients.ts';
import { Overdue, within } from './connection/link.ts';
import { primaryOf } from './connection/nodes.ts';
import { listIn, numberIn } from './replies.ts';
import { MARK } from './scripts.ts';

/** Waits until an append is as safe as the deployment asks. */
export interface Settle {
  /**
   * Sends an append and answers when it is safe. An append that a fail-over lost is sent again; if another writer was
   * faster by then, the answer is `conflict`. Rejects after `totalMs`; the append may or may not be safe then.
   */
  readonly keep: (request: AppendRequest, send: () => Promise<AppendAnswer>, totalMs: number) => Promise<AppendAnswer>;
  readonly close: () => void;
}

/** The limit of one question to the server. It is asked again until `totalMs` is over. */
const ASK_MS = 1_000;
/** Longer than the server takes to say that it waited for so long. */
const ANSWER_MS = 2_000;
/** The pause before a question is asked again. A server that answers has waited itself. */
const AGAIN_MS = 100;
/** How long a mark lives: longer than a question waits for it. */
const MARK_MS = 60_000;

interface Written {
  readonly journal: JournalName;
  readonly position: number;
  readonly id: string;
}

/** `gone`: the node that has the shard now does not have the entry. */
type Found = 'safe' | 'gone' | 'not yet';

interface Question {
  readonly about: Written[];
  readonly answer: Promise<readonly Found[]>;
}

/**
 * WAIT and WAITAOF answer only for what their own connection wrote. Appends go over other connections, perhaps to a node
 * that is dead by now. So one script writes a mark and checks that the entries stand where they were written. When the
 * mark is safe, so are the entries before it on the same node. One question at a time serves all callers that came
 * before it was asked.
 */
export function createSettle(connect: () => Client, level: Exclude<Durability, 'process'>): Settle {
  let client: Client | undefined;
  let closed = false;
  const asked = new Map<string, Promise<unknown>>();
  const next = new Map<string, Question>();

  const ask = async (shard: string, about: readonly Written[]): Promise<readonly Found[]> => {
    if (closed) return [];
    client ??= connect();
    const current = client;
    try {
      return await within(ANSWER_MS, question(current, level, shard, about));
      // Nothing is known of the appends then, and they are asked about again. A half-open connection takes bytes and never
      // answers, so it is replaced.
    } catch (error) {
      if (error instanceof Overdue && client === current) {
        client = undefined;
        current.disconnect();
      }
      return [];
    }
  };

  /** Joins the next question of the shard, which is asked when the question before it has its answer. */
  const askNext = async (written: Written): Promise<Found> => {
    const shard = shardOfId(written.journal);
    const waiting = next.get(shard) ?? openQuestion(shard);
    const index = waiting.about.push(written) - 1;
    return (await waiting.answer)[index] ?? 'not yet';
  };

  const openQuestion = (shard: string): Question => {
    const about: Written[] = [];
    const before = asked.get(shard) ?? Promise.resolve();
    const askNow = () => {
      next.delete(shard);
      return ask(shard, about);
    };
    const answer = before.then(askNow);
    const opened = { about, answer };
    asked.set(shard, answer);
    next.set(shard, opened);
    return opened;
  };

  return {
    keep: async (request, send, totalMs) => {
      const { journal, expectedVersion: position, entries } = request;
      const written = { journal, position, id: `${entries[0]?.id}` };
      let answer = await send();
      const deadline = performance.now() + totalMs;
      while (answer.type === 'ok' || answer.type === 'already') {
        const found = await askNext(written);
        if (found === 'safe') return answer;
        if (closed || performance.now() > deadline) throw notSafe(level);
        await pause(AGAIN_MS);
        if (found === 'gone') answer = await send();
      }
      return answer;
    },
    close: () => {
      closed = true;
      client?.disconnect();
    },
  };
}

async function question(
  client: Client,
  level: Exclude<Durability, 'process'>,
  shard: string,
  about: readonly Written[],
): Promise<readonly Found[]> {
  const mark = syncKey(shard);
  const keys = [mark, ...about.map(({ journal }) => journalKey(journal))];
  const args = [MARK_MS, ...about.flatMap(({ position, id }) => [position, `${id} `])];
  const [command, ...numbers] = level === 'disk' ? ['WAITAOF', 1, 0, ASK_MS] : ['WAIT', 1, ASK_MS];
  const node = await nodeOf(client, mark);
  // Sent together over one connection: the second command answers only for what its own connection wrote.
  const [stand, reached] = await Promise.all([
    node.call('EVAL', MARK.text, keys.length, ...keys, ...args),
    node.call(`${command}`, ...numbers),
  ]);
  const enough = numberIn(Array.isArray(reached) ? listIn(reached)[0] : reached) >= 1;
  return listIn(stand).map((stands) => {
    if (stands !== 1) return 'gone';
    return enough ? 'safe' : 'not yet';
  });
}

/** In a Cluster, only the node that has the shard can say how safe its entries are. */
async function nodeOf(client: Client, key: string): Promise<Redis> {
  if (!(client instanceof Cluster)) return client;
  // A command on the key makes the client learn which node has its slot now.
  const [slot] = await Promise.all([client.call('cluster', 'keyslot', key), client.exists(key)]);
  return primaryOf(client, numberIn(slot));
}

function notSafe(level: Durability): Error {
  const where = level === 'disk' ? 'its disk' : 'a replica';
  return new StoreUnavailableError(
    `Redis did not say in time that what was written has reached ${where}. It may have; asking again is safe.`,
  );
}
