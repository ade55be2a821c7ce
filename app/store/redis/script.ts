import { createHash } from 'node:crypto';
import type { Link } from './connection/link.ts';

export interface Script {
  readonly text: string;
  readonly digest: string;
}

export function script(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** By its digest; with its text when the server does not know it, which it does not after a restart or a fail-over. */
export async function run(
  link: Link,
  { text, digest }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await link.command('evalsha', digest, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return link.command('eval', text, keys.length, ...keys, ...args);
  }
}
