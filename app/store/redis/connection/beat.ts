import { randomUUID } from 'node:crypto';
import type { Client } from './clients.ts';

/**
 * Resolves when the subscription has shown that it is alive. With one server, the connection answers a ping. A client of
 * a Cluster has several connections, and channels move between them, so a word must come back on every channel.
 */
export async function beat(client: Client, channels: readonly string[], sharded: boolean): Promise<void> {
  if (!sharded) return void (await client.ping());

  const word = `beat ${randomUUID()}`;
  const missing = new Set(channels);
  let onMessage = (_channel: string, _text: string) => {};
  const allCame = new Promise<void>((resolve) => {
    onMessage = (channel, text) => {
      if (text === word) missing.delete(channel);
      if (missing.size === 0) resolve();
    };
  });
  client.on('smessage', onMessage);
  try {
    await Promise.all(channels.map((channel) => client.spublish(channel, word)));
    await allCame;
  } finally {
    client.off('smessage', onMessage);
  }
}
