import { ConfigurationError } from '../../../../interventions/index.ts';
import type { SessionEntry } from './session-entry.ts';

/**
 * Keeps what has happened to the agents of one session. It is only ever added to: no write repeats what an earlier one
 * contained, so what a turn costs does not depend on the length of the conversation.
 */
export interface SessionManager {
  /** What was appended after this version, in order. The version grows with each append and begins with 0. */
  readonly load: (agentId: string, after: number) => Promise<Loaded>;
  /**
   * Durable when it resolves. Of several writers with the same version in hand one succeeds; to the others it answers
   * `conflict`, and nothing of theirs is ever read.
   */
  readonly append: (
    agentId: string,
    expectedVersion: number,
    entries: readonly SessionEntry[],
  ) => Promise<'appended' | 'conflict'>;
}

export interface Loaded {
  readonly version: number;
  readonly entries: readonly SessionEntry[];
}

/** For tests, and for agents that need no memory of their own: gone with the process. */
export function createMemorySession(): SessionManager {
  const kept = new Map<string, string[]>();
  return {
    load: async (agentId, after) => {
      const batches = kept.get(agentId) ?? [];
      return { version: batches.length, entries: batches.slice(after).flatMap(parseBatch) };
    },
    append: async (agentId, expectedVersion, entries) => {
      const batches = kept.get(agentId) ?? [];
      if (batches.length !== expectedVersion) return 'conflict';
      kept.set(agentId, [...batches, JSON.stringify(entries)]);
      return 'appended';
    },
  };
}

function parseBatch(text: string): readonly SessionEntry[] {
  return JSON.parse(text);
}

/** Ids become parts of names in a store, so nothing in them may lead elsewhere. */
export function checkId(what: string, id: string): void {
  if (typeof id === 'string' && /^[^/\\\p{Cc}]+$/u.test(id) && !id.includes('..') && id !== '.') return;
  throw new ConfigurationError(
    `The ${what} id ${JSON.stringify(id)} could lead to another place in a store. Use a name without /, \\ and "..".`,
  );
}
