import { StoreUnavailableError } from '../errors.ts';
import type { Client } from './connection/clients.ts';
import { Overdue, STEADY, within } from './connection/link.ts';
import { primaries } from './connection/nodes.ts';
import { listIn, textIn, textsIn } from './replies.ts';

/** The keys that fit a pattern. */
export type Scan = (pattern: string) => Promise<readonly string[]>;

/** The keys that fit a pattern, on every primary. It opens its own connection, so that no other command waits for it. */
export async function scanKeys(connect: () => Client, pattern: string): Promise<readonly string[]> {
  const client = connect();
  try {
    await inTime(new Promise<void>((resolve) => client.once('ready', resolve)));
    const found = new Set<string>();
    for (const node of await primaries(client)) {
      let cursor = '0';
      do {
        const scanned = node.call('scan', cursor, 'match', pattern, 'count', 1_000);
        const [next, keys] = listIn(await inTime(scanned));
        cursor = textIn(next);
        for (const key of textsIn(keys)) found.add(key);
      } while (cursor !== '0');
    }
    return [...found];
  } finally {
    client.disconnect();
  }
}

/** A Redis that says nothing would keep the caller for ever. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await within(STEADY.attemptMs, promise);
    // The list of journals is read by commands of a person, who hears what happened.
  } catch (cause) {
    if (!(cause instanceof Overdue)) throw cause;
    throw new StoreUnavailableError('Redis gave no answer in time while the journals were listed. Try again.', {
      cause,
    });
  }
}
