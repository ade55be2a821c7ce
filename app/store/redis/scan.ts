import type { Client } from './connection/clients.ts';
import { primaries } from './connection/nodes.ts';
import { listIn, textIn, textsIn } from './replies.ts';

/** The keys that fit a pattern. */
export type Scan = (pattern: string) => Promise<readonly string[]>;

/** The keys that fit a pattern, on every primary. It opens its own connection, so that no other command waits for it. */
export async function scanKeys(connect: () => Client, pattern: string): Promise<readonly string[]> {
  const client = connect();
  try {
    await readiness(client);
    const found = new Set<string>();
    for (const node of await primaries(client)) {
      let cursor = '0';
      do {
        const [next, keys] = listIn(await node.call('scan', cursor, 'match', pattern, 'count', 1_000));
        cursor = textIn(next);
        for (const key of textsIn(keys)) found.add(key);
      } while (cursor !== '0');
    }
    return [...found];
  } finally {
    client.disconnect();
  }
}

async function readiness(client: Client): Promise<void> {
  if (client.status === 'ready') return;
  await new Promise<void>((resolve) => {
    client.once('ready', () => resolve());
  });
}
