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

/** The result of the work, or of `otherwise` when only a newer version reads the journal. Other failures go to the caller. */
export async function unlessNewer<Result, Otherwise>(
  work: () => Promise<Result>,
  otherwise: (error: NewerJournalError) => Promise<Otherwise> | Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await work();
    // A replica of the newer version goes on with this journal. The place of the call says what this one does.
  } catch (error) {
    if (error instanceof NewerJournalError) return otherwise(error);
    throw error;
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
