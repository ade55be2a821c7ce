import type { Borders } from '../borders.ts';
import { createDue, createRecordKeeping, createUsage, type RecordKeeping, type UsageOf } from '../keeping/index.ts';
import { remind } from '../questions/index.ts';
import { createLeaveToNewer } from '../recorder/index.ts';
import type { Runs, RunsAtWork } from '../runs/index.ts';
import type { DueItem } from '../store/index.ts';
import { createRetries } from '../time/index.ts';
import { comeBack, leave } from '../workspaces/index.ts';
import { type AnswerServices, makeAnswering } from './answering.ts';
import { makeAuthority, type Rights } from './authority.ts';
import { makeJournals } from './journals.ts';
import { makeProcess } from './process.ts';
import { makeQuestions } from './questions.ts';
import { makeRuns } from './runs.ts';

/** The parts that decide, as the door, the work on threads and the start of a process use them. */
export interface Core extends AnswerServices {
  readonly runs: Runs & RunsAtWork;
  readonly trust: Rights['trust'];
  readonly approverWatch: Rights['approverWatch'];
  readonly usage: UsageOf;
  readonly recordConfiguration: RecordKeeping['recordConfiguration'];
  readonly onDue: (item: DueItem) => Promise<void>;
  /** Called when the app was removed from a workspace, which may have installed it again at `installedAtMs`. */
  readonly left: (team: string, installedAtMs?: number) => Promise<void>;
  /** Called when the app was installed in a workspace, which may be again. Never rejects. */
  readonly returned: (team: string) => Promise<void>;
}

/** Makes each part that decides, and hands it the other parts it needs. No part here knows Slack or a network. */
export function assemble(borders: Borders): Core {
  const { config, store, failFast, surface, people, work, elapsed, log, step } = borders;
  const leaveToNewer = createLeaveToNewer({ elapsed, log });
  const retries = createRetries({ elapsed });
  const journals = makeJournals(borders);
  const { journalOf, failFastJournalOf, workspaces } = journals;
  const process = makeProcess(borders);
  const questions = makeQuestions(borders, process);
  const { copies } = questions;
  // Trust calls the approvals to paint its card, and approvals give trust. Both exist when either is called.
  const ended: AnswerServices['approvals']['trustEnded'] = (end) => approvals.trustEnded(end);
  const rights = makeAuthority(borders, { journals, ended });
  const { authority, trust, trustAtWork } = rights;
  // Approvals send a denied request to the runs again as a message, and runs need the approvals.
  const take: Runs['take'] = (message) => runs.take(message);
  const answering = makeAnswering(borders, { journals, process, questions, rights, take });
  const { approvals, expireQuestion } = answering;
  const keeping = createRecordKeeping({
    ...borders,
    journalOf,
    workspaces,
    copies,
    kick: work.kick,
    policyOf: authority.policyOf,
  });
  const { recordConfiguration, retire } = keeping;
  const runs = makeRuns(borders, {
    journals,
    process,
    questions,
    rights,
    approvals,
    keeping,
    leaveToNewer,
    retries,
  });
  const { mayDecide } = authority;
  const reminding = { store, journalOf, surface, copies, people, retries, mayDecide, log, step };
  const { endTrust } = trustAtWork;
  const leaving = { store: failFast, journalOf: failFastJournalOf, endTrust, kick: work.kick, log };
  return {
    ...answering,
    runs,
    trust,
    approverWatch: rights.approverWatch,
    recordConfiguration,
    usage: createUsage({ store: failFast, journalOf: failFastJournalOf, prices: config.model.prices }),
    onDue: createDue({
      approvals,
      trust: trustAtWork,
      expireQuestion,
      retire,
      leaveToNewer,
      retries,
      store,
      remind: (approval, what) => remind(reminding, approval, what),
    }),
    left: (team, installedAtMs) => leave(leaving, team, installedAtMs),
    returned: (team) => comeBack({ store, workspaces, journalOf, cards: questions.cards, log }, team),
  };
}
