import type { Authority, People } from '../authority/index.ts';
import {
  type AskedApproval,
  type CallReminded,
  decideReminder,
  decideTold,
  type Reminder,
  toldPerhaps,
} from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, RunId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import { ifNotRefused, NotYetError, type Surface, type Telling } from '../surface.ts';
import type { Retries } from '../time/index.ts';
import type { Copies } from './copies.ts';
import { outOfSight } from './out-of-sight.ts';

/** Tells people that a question waits for them. It decides nothing, and losing one costs nothing but patience. */
export interface Reminders {
  /** Called when its time may have come. Answers in how many milliseconds to call it again, when nobody could be told. */
  readonly remind: (approval: ApprovalId, what: Reminder) => Promise<number | undefined>;
}

export interface RemindersDeps {
  readonly store: Pick<Store, 'findApproval' | 'read'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly surface: Pick<Surface, 'remind' | 'notify' | 'findCopies'>;
  readonly copies: Pick<Copies, 'settle'>;
  readonly people: People;
  readonly retries: Retries;
  readonly mayDecide: Authority['mayDecide'];
  readonly log: Log;
  readonly step: AtStep;
}

export function createReminders({
  store,
  journalOf,
  surface,
  copies,
  retries,
  log,
  step,
  ...deps
}: RemindersDeps): Reminders {
  const tell = async (journal: RunJournal, due: CallReminded): Promise<CallReminded> => {
    const approval = await journal.approval(due.approval);
    const asked = journal.state()?.approvals.get(due.approval);
    if (approval === undefined || asked === undefined) return due;
    const of = ({ copies: told, found }: Telling): CallReminded => ({
      ...due,
      ...(told.length === 0 ? {} : { copies: told }),
      ...(told.length === 0 || found ? {} : { revision: approval.revision }),
    });
    const telling = await tellNow(journal, { due, approval, asked });
    // Somebody who has said yes is not told any more, and may have been by a try that came to no end.
    const early = toldPerhaps(asked, approval.requester, due).filter((one) => asked.yeses.some(({ by }) => by === one));
    const before = early.length === 0 ? [] : await surface.findCopies(approval, due.what, early);
    return of({ copies: [...before, ...telling.copies], found: telling.found || before.length > 0 });
  };

  const tellNow = async (
    journal: RunJournal,
    {
      due,
      approval,
      asked,
    }: { readonly due: CallReminded; readonly approval: Approval; readonly asked: AskedApproval },
  ): Promise<Telling> => {
    if (due.what !== 'notice') return surface.remind(approval, due.what);
    const input = (await journal.inputOf(due.approval))?.asked ?? '';
    const people = await outOfSight(deps, { asked, approval, input });
    return people.length === 0 ? { copies: [], found: false } : surface.notify(approval, people);
  };

  /** A refusal is final, and then nobody is told. What may pass is tried again, and the end of the question ends that. */
  const tellInTime = async (journal: RunJournal, due: CallReminded): Promise<CallReminded | number> => {
    const name = `${due.what}/${due.approval}`;
    const told = await tell(journal, due).catch(ifNotRefused);
    if (!(told instanceof Error)) {
      retries.done(name);
      return told;
    }
    const inMs = told instanceof NotYetError ? retries.next(name) : undefined;
    if (inMs === undefined) retries.done(name);
    const words = inMs === undefined ? 'People cannot be reminded of a question.' : 'Nobody could be reminded yet.';
    log.warn(words, { approval: due.approval, what: due.what, inMs, error: told });
    return inMs ?? due;
  };

  return {
    remind: async (approval, what) => {
      const run = await store.findApproval(approval);
      if (run === undefined) return undefined;
      const journal = journalOf(run);
      const state = await journal.refresh();
      const { nowMs } = await store.read(run, Number.MAX_SAFE_INTEGER);
      const due = state === undefined ? 'over' : decideReminder(state, { approval, what }, nowMs);
      if (due === 'over' || due === 'not-yet') return undefined;
      // First told, then written: whoever dies in between finds what was told, and writes it.
      const told = await tellInTime(journal, due);
      if (typeof told === 'number') return told;
      await step('people-told');
      await journal.commit((now) =>
        now === undefined ? { entries: [], result: 'over' as const } : decideTold(now, told),
      );
      log.info('People were reminded of a question.', { approval, what });
      // It may have been answered while they were told.
      await copies.settle(journal);
      return undefined;
    },
  };
}
