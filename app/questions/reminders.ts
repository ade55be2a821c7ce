import type { Authority, People } from '../authority/index.ts';
import {
  type AskedApproval,
  type CallReminded,
  decideReminder,
  decideTold,
  namedNow,
  toldPerhaps,
} from '../journal/index.ts';
import type { Log } from '../log.ts';
import { endOf, type RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, Reminder, RunId, UserId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import { ifNotRefused, NotYetError, type Surface, type Telling } from '../surface.ts';
import type { Retries } from '../time/index.ts';
import type { Copies } from './copies.ts';

export interface RemindersDeps {
  readonly store: Pick<Store, 'findApproval' | 'read'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly surface: Pick<Surface, 'remind' | 'findCopies'>;
  readonly copies: Pick<Copies, 'settle'>;
  readonly people: People;
  readonly retries: Retries;
  readonly mayDecide: Authority['mayDecide'];
  readonly log: Log;
  readonly step: AtStep;
}

/**
 * Tells people that a question waits for them, when a reminder may be due. Answers in how many milliseconds to call again, when it
 * could not be sent. A reminder decides nothing; a lost one only delays the answer.
 */
export async function remind(deps: RemindersDeps, approval: ApprovalId, what: Reminder): Promise<number | undefined> {
  const run = await deps.store.findApproval(approval);
  if (run === undefined) return undefined;
  const journal = deps.journalOf(run);
  const state = await journal.refresh();
  const { nowMs } = await endOf(deps.store, run);
  const due = state === undefined ? 'over' : decideReminder(state, { approval, what }, nowMs);
  if (due === 'over' || due === 'not-yet') return undefined;
  // First told, then written: if the process dies in between, the next one finds the message and writes it.
  const told = await tellInTime(deps, journal, due);
  if (typeof told === 'number') return told;
  await deps.step('people-told');
  await journal.decide((now) => decideTold(now, told), 'over');
  deps.log.info('People were reminded of a question.', { approval, what });
  // The question may have been answered meanwhile.
  await deps.copies.settle(journal);
  return undefined;
}

/** A refusal of Slack is final: the reminder counts as told. A passing failure is tried again while the question waits. */
async function tellInTime(deps: RemindersDeps, journal: RunJournal, due: CallReminded): Promise<CallReminded | number> {
  const { retries, log } = deps;
  const name = `${due.what}/${due.approval}`;
  // Slack may refuse the message for good. Any other failure counts as passing, and is tried again.
  const told = await tell(deps, journal, due).catch(ifNotRefused);
  if (!(told instanceof Error)) {
    retries.done(name);
    return told;
  }
  const inMs = told instanceof NotYetError ? retries.next(name) : undefined;
  if (inMs === undefined) retries.done(name);
  const words = inMs === undefined ? 'People cannot be reminded of a question.' : 'People could not be reminded yet.';
  log.warn(words, { approval: due.approval, what: due.what, inMs, error: told });
  return inMs ?? due;
}

async function tell(deps: RemindersDeps, journal: RunJournal, due: CallReminded): Promise<CallReminded> {
  const approval = await journal.approval(due.approval);
  const asked = journal.state()?.approvals.get(due.approval);
  if (approval === undefined || asked === undefined) return due;
  const telling = await tellNow(deps, journal, { due, approval, asked });
  // An approver who has approved is not told any more. An earlier, failed try may have told that approver.
  const early = toldPerhaps(asked, approval.requester, due).filter((one) => asked.yeses.some(({ by }) => by === one));
  const before = early.length === 0 ? [] : await deps.surface.findCopies(approval, due.what, early);
  const copies = [...before, ...telling.copies];
  if (copies.length === 0) return due;
  const found = telling.found || before.length > 0;
  return { ...due, copies, ...(found ? {} : { revision: approval.revision }) };
}

async function tellNow(
  deps: RemindersDeps,
  journal: RunJournal,
  { due, approval, asked }: Pick<OpenQuestion, 'approval' | 'asked'> & { readonly due: CallReminded },
): Promise<Telling> {
  if (due.what !== 'notice') return deps.surface.remind(approval, due.what, []);
  const input = (await journal.inputOf(due.approval))?.asked ?? '';
  const people = await outOfSight(deps, { asked, approval, input });
  return people.length === 0 ? { copies: [], found: false } : deps.surface.remind(approval, due.what, people);
}

interface OpenQuestion {
  readonly asked: AskedApproval;
  readonly approval: Approval;
  readonly input: string;
}

/** The approvers named now who may decide, but are not known to be in the card's channel. Never rejects. */
async function outOfSight(
  { people, mayDecide }: Pick<RemindersDeps, 'people' | 'mayDecide'>,
  { asked, approval, input }: OpenQuestion,
): Promise<readonly UserId[]> {
  const { thread, requester } = approval;
  const { team, workspace, channel } = thread;
  const isTold = async (user: UserId): Promise<boolean> => {
    if (await people.isInChannel({ user, team, workspace }, channel)) return false;
    return (await mayDecide(asked, approval, { by: { user, team }, input })).type === 'allowed';
  };
  const named = namedNow(asked.rule, requester, asked.yeses);
  const told = await Promise.all(named.map(isTold));
  return named.filter((_, at) => told[at]);
}
