import type { JournalName } from '../../records/index.ts';
import type { NewerEntryError } from './line.ts';

/**
 * Only a newer version of the bot reads this journal. Nothing is decided on it here and nothing is written to it: while both
 * versions run, the newer one goes on with it; after it was rolled back, it waits.
 */
export class NewerJournalError extends Error {
  override readonly name = 'NewerJournalError';
  readonly journal: JournalName;

  constructor(journal: JournalName, cause: NewerEntryError) {
    super(`${journal}: ${cause.message}`, { cause });
    this.journal = journal;
  }
}

/** What somebody hears whose press was not recorded. */
export interface NotRecorded {
  readonly type: 'failed';
  /** Pressed again, it may reach a process of that version. */
  readonly newer?: true;
}

export function notRecorded(error: unknown): NotRecorded {
  return error instanceof NewerJournalError ? { type: 'failed', newer: true } : { type: 'failed' };
}
