import type { JournalName } from '../../records/index.ts';
import type { NewerEntryError } from './line.ts';

/**
 * Only a newer version of the bot can read this journal. This version decides nothing on it and writes nothing to it. While
 * both versions run, the newer one continues it. After a rollback, it waits.
 */
export class NewerJournalError extends Error {
  override readonly name = 'NewerJournalError';
  readonly journal: JournalName;

  constructor(journal: JournalName, cause: NewerEntryError) {
    super(`${journal}: ${cause.message}`, { cause });
    this.journal = journal;
  }
}

/** What the presser is told when a press was not recorded. */
export interface NotRecorded {
  readonly type: 'failed';
  /** A second press may reach a process of the newer version. */
  readonly newer?: true;
}

export function notRecorded(error: unknown): NotRecorded {
  return error instanceof NewerJournalError ? { type: 'failed', newer: true } : { type: 'failed' };
}
