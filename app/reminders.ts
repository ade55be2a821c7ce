import { decideReminder, type Reminder } from './journal/reminders.ts';
import type { Log } from './log.ts';
import type { ApprovalId, RunId } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import type { Store } from './store/store.ts';
import type { Surface } from './surface.ts';

/** Tells people that a question still waits. It decides nothing, and losing one costs nothing but patience. */
export interface Reminders {
  /** Called when its time may have come. Rejects when nobody could be told, and comes up again. */
  readonly remind: (approval: ApprovalId, what: Reminder) => Promise<void>;
}

export interface RemindersDeps {
  readonly store: Pick<Store, 'findApproval' | 'read'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly surface: Pick<Surface, 'remind'>;
  readonly log: Log;
}

export function createReminders({ store, journalOf, surface, log }: RemindersDeps): Reminders {
  return {
    remind: async (approval, what) => {
      const run = await store.findApproval(approval);
      if (run === undefined) return;
      const journal = journalOf(run);
      const state = await journal.refresh();
      const { nowMs } = await store.read(run, Number.MAX_SAFE_INTEGER);
      if (state === undefined || decideReminder(state, { approval, what }, nowMs).result !== 'remind') return;
      const record = await journal.approval(approval);
      if (record === undefined) return;
      // First told, then written: whoever dies in between finds what was told, and writes it.
      await surface.remind(record, what);
      await journal.commit((now, atMs) =>
        now === undefined ? { entries: [], result: 'over' as const } : decideReminder(now, { approval, what }, atMs),
      );
      log.info('People were reminded of a question.', { approval, what });
    },
  };
}
