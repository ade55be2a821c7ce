import { ConfigurationError } from '../../../../interventions/index.ts';
import type { SessionEntry } from './session-entry.ts';

/**
 * Stores what has happened to the agents of one session. It is only ever appended to: no write repeats what an earlier
 * one contained, so the cost of a turn does not depend on the length of the conversation.
 */
export interface SessionManager {
  /** The entries appended after this version, in order. The version begins with 0 and grows with each append. */
  readonly load: (agentId: string, after: number) => Promise<Loaded>;
  /**
   * Appends entries, which are durable when it resolves. When several writers expect the same version, one succeeds.
   * The others get `conflict`, and their entries are never read.
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

/** A session that ends with the process, for tests and for agents that need no memory. */
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

/** Refuses an id that could lead elsewhere in a store, because ids become parts of names there. */
export function checkId(what: string, id: string): void {
  if (typeof id === 'string' && /^[^/\\\p{Cc}]+$/u.test(id) && !id.includes('..') && id !== '.') return;
  throw new ConfigurationError(
    `The ${what} id ${JSON.stringify(id)} could lead to another place in a store. Use a name without /, \\ and "..".`,
  );
}
