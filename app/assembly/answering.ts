import { checkEdit, createApprovals, type EditDeps } from '../approvals/index.ts';
import type { Borders } from '../borders.ts';
import {
  askForServer,
  createGiveFeedback,
  createQuestions,
  expireQuestion,
  type GiveFeedback,
  type QuestionsAtWork,
  type ServerAsking,
  type ToldServer,
  wayOfDoubts,
  wayOfInquiries,
} from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { ApprovalId } from '../records/index.ts';
import {
  chosenResult,
  createToolLog,
  digestText,
  postQuestionCard,
  type Runs,
  WORDS,
  withUnknown,
} from '../runs/index.ts';
import { createSafeWords } from '../secrets/index.ts';
import type { Rights } from './authority.ts';
import type { Journals } from './journals.ts';
import type { Process } from './process.ts';
import type { QuestionServices } from './questions.ts';

export interface AnswerServices {
  readonly approvals: ReturnType<typeof createApprovals>;
  readonly questions: QuestionsAtWork;
  /** A tool server asks people in the middle of a call. */
  readonly askForServer: (asking: ServerAsking) => Promise<ToldServer>;
  /** Called when the time of a question other than an approval may have come. */
  readonly expireQuestion: (id: ApprovalId) => Promise<void>;
  readonly giveFeedback: GiveFeedback;
}

export interface AnsweringParts {
  readonly journals: Journals;
  readonly process: Process;
  readonly questions: QuestionServices;
  readonly rights: Rights;
  readonly take: Runs['take'];
}

/** Makes the parts that decide about the answers of people. */
export function makeAnswering(borders: Borders, parts: AnsweringParts): AnswerServices {
  const { failFast, tools, redaction, surface, schemaProblem, log, step } = borders;
  const { authority } = parts.rights;
  const { cards, waiting } = parts.questions;
  const { wake, by } = parts.process;
  const { journalOf: patientJournalOf, failFastJournalOf: journalOf, newQuestionId } = parts.journals;
  const safe = createSafeWords(redaction, tools.find);
  const answering = { store: failFast, journalOf, cards, withUnknown, wake, log, step };
  const cardDeps = { surface, by, waiting, log, step };
  const showCard = (journal: RunJournal, id: ApprovalId) => postQuestionCard(cardDeps, journal, id);
  const questions = createQuestions({
    answering,
    asking: { newQuestionId, showCard, waiting, cards, surface, log, step },
    ways: {
      doubt: wayOfDoubts({ mayChoose: authority.mayTell, safe, chosen: chosenResult }),
      inquiry: wayOfInquiries(schemaProblem),
    },
  });
  return {
    approvals: makeApprovals(borders, parts, safe),
    questions,
    askForServer: (asking) => askForServer({ journalOf: patientJournalOf, inquiry: questions.inquiry }, asking),
    expireQuestion: (id) => expireQuestion(answering, id),
    giveFeedback: createGiveFeedback({ journalOf, log }),
  };
}

function makeApprovals(
  borders: Borders,
  { journals, process, questions, rights, take }: AnsweringParts,
  safe: ReturnType<typeof createSafeWords>,
): AnswerServices['approvals'] {
  const { failFast, surface, schemaProblem, views, clock, log, step } = borders;
  const { authority, trust } = rights;
  return createApprovals({
    store: failFast,
    journalOf: journals.failFastJournalOf,
    cards: questions.cards,
    lines: questions.lines,
    ...views,
    offer: authority.offer,
    schemaProblem,
    safe,
    checkEdit: editChecker(borders),
    newTrustId: journals.newTrustId,
    now: clock.now,
    place: borders.place,
    log,
    step,
    mayDecide: authority.mayDecide,
    lostYeses: authority.lostYeses,
    groupsOf: authority.groupsOf,
    suggestionsTo: borders.config.suggestionsTo,
    judgeEdit: authority.judgeEdit,
    grantTrust: trust.grantTrust,
    showAgain: questions.showAgain,
    callByName: surface.callByName,
    request: ({ id, thread, tool, summary, input, alsoSteeredBy }, by) =>
      take({
        thread,
        user: by.user,
        userTeam: by.team,
        ts: `again:${id}`,
        text: WORDS.askAgain({ tool, summary, input }),
        ...(alsoSteeredBy.length === 0 ? {} : { alsoSteeredBy }),
      }),
    wake: process.wake,
  });
}

/** Checks edits. If a tool cannot describe the edited call, the log of its run says so. */
function editChecker({ tools, redaction, log }: Borders): Parameters<typeof createApprovals>[0]['checkEdit'] {
  return (run, asked, before, typed) => {
    const { call } = asked;
    const failed: EditDeps['failed'] = (tool, input) =>
      createToolLog({ log, redaction }, run).failed({ call, tool, input });
    return checkEdit({ tools, digest: digestText, redaction, failed }, asked, before, typed);
  };
}
