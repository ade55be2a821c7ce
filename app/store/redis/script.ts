import { createHash } from 'node:crypto';
import type { Link } from './connection/link.ts';

export interface Script {
  readonly text: string;
  readonly digest: string;
}

/** The store's clock, for the beginning of a script. */
export const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

export function script(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** Runs a script by its digest. A server that does not know the digest gets the text. */
export async function run(
  link: Link,
  { text, digest }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await link.command('evalsha', digest, keys.length, ...keys, ...args);
    // A server forgets its scripts at a restart or a fail-over. Every other error is for the caller.
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return link.command('eval', text, keys.length, ...keys, ...args);
  }
}
