import { ConcurrencyError, type Json, type Message, type Spent, type StateStore } from '../../interventions/index.ts';
import type { LoopState } from './transcript.ts';

/** What a session keeps between invocations. */
export interface StoredSession {
  readonly state: LoopState;
  readonly appState: Readonly<Record<string, Json>>;
  readonly spent: readonly Spent[];
  /** What people wrote while the agent waited for an answer. */
  readonly queued: readonly Message[];
}

export const EMPTY: StoredSession = { state: { messages: [] }, appState: {}, spent: [], queued: [] };

/** The stored session as one worker sees it: whoever saves second is refused. */
export interface Page {
  readonly stored: () => StoredSession;
  readonly save: (change: (stored: StoredSession) => Partial<StoredSession>) => Promise<void>;
}

export function openPage(
  { id, store }: { readonly id: string; readonly store: StateStore<StoredSession> },
  version: number,
  stored: StoredSession,
): Page {
  let now = { version, stored };
  let line: Promise<void> = Promise.resolve();
  return {
    stored: () => now.stored,
    save: (change) => {
      // Calls of one batch are remembered one after the other, each on top of the one before.
      const saved = line.then(() => write(change(now.stored)));
      line = saved.catch(() => {});
      return saved;
    },
  };

  async function write(change: Partial<StoredSession>): Promise<void> {
    const next = { ...now.stored, ...change };
    if ((await store.save(id, now.version, next)) === 'conflict') {
      throw new ConcurrencyError(`Somebody else has gone on with ${id}, so this worker stops. Nothing was run twice.`);
    }
    now = { version: now.version + 1, stored: next };
  }
}
