import type { Authority } from './authority.ts';
import { decideReminder, type Reminder } from './journal/reminders.ts';
import type { Log } from './log.ts';
import { outOfSight } from './out-of-sight.ts';
import type { People } from './people.ts';
import type { ApprovalId, RunId } from './records.ts';
import type { RunJournal } from './run-journal.ts';
import type { Store } from './store/store.ts';
import type { Surface } from './surface.ts';

/** Tells people that a question waits for them. It decides nothing, and losing one costs nothing but patience. */
export interface Reminders {
  /** Called when its time may have come. Rejects when nobody could be told, and comes up again. */
  readonly remind: (approval: ApprovalId, what: Reminder) => Promise<void>;
}

export interface RemindersDeps {
  readonly store: Pick<Store, 'findApproval' | 'read'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly surface: Pick<Surface, 'remind' | 'notify'>;
  readonly people: People;
  readonly mayDecide: Authority['mayDecide'];
  readonly log: Log;
}

export function createReminders({ store, journalOf, surface, log, ...deps }: RemindersDeps): Reminders {
  const tell = async (journal: RunJournal, id: ApprovalId, what: Reminder): Promise<void> => {
    const approval = await journal.approval(id);
    const asked = journal.state()?.approvals.get(id);
    if (approval === undefined || asked === undefined) return;
    if (what !== 'notice') return surface.remind(approval, what);
    const input = (await journal.inputOf(id))?.asked ?? '';
    const people = await outOfSight(deps, { asked, approval, input });
    if (people.length > 0) await surface.notify(approval, people);
  };

  return {
    remind: async (approval, what) => {
      const run = await store.findApproval(approval);
      if (run === undefined) return;
      const journal = journalOf(run);
      const state = await journal.refresh();
      const { nowMs } = await store.read(run, Number.MAX_SAFE_INTEGER);
      if (state === undefined || decideReminder(state, { approval, what }, nowMs).result !== 'remind') return;
      // First told, then written: whoever dies in between finds what was told, and writes it.
      await tell(journal, approval, what);
      await journal.commit((now, atMs) =>
        now === undefined ? { entries: [], result: 'over' as const } : decideReminder(now, { approval, what }, atMs),
      );
      log.info('People were reminded of a question.', { approval, what });
    },
  };
}
