import {
  type AnswerFacts,
  decideAnswer,
  decideInquiryExpiry,
  mayAnswer,
  type NotRecorded,
  notRecorded,
} from '../journal/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { ApprovalId, Inquiry, InquiryContent, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { createFindJournal } from './find-journal.ts';
import { type Answered, type Asking, askPeople, type InquiryAskingDeps } from './inquiry-asking.ts';
import { settleSoon } from './settle-soon.ts';

/** What tool servers ask people in the middle of a call, as those who answer see it. */
export interface Inquiries {
  /** Never throws for an outage: an answer that was not recorded is `failed`, and pressing again is safe. */
  readonly answer: (answer: AnswerFacts) => Promise<AnswerResult>;
  /** Could this person answer it now? Nothing is recorded, and the answer is judged again. */
  readonly consider: (inquiry: ApprovalId, by: AnswerFacts['by']) => Promise<InquiryConsidered>;
}

/** What happens to an inquiry besides. */
export interface InquiriesAtWork {
  /** Resolves with what the server is told. Whatever goes wrong is no answer. */
  readonly ask: (asking: Asking) => Promise<Answered>;
  /** Called when its time may have come; the store's clock has the last word. */
  readonly expire: (inquiry: ApprovalId) => Promise<void>;
}

export type AnswerResult =
  | { readonly type: 'answered'; readonly inquiry: Inquiry }
  | { readonly type: 'already-settled'; readonly inquiry: Inquiry }
  /** Withdrawn or expired. */
  | { readonly type: 'over'; readonly inquiry: Inquiry }
  | { readonly type: 'not-yours'; readonly inquiry: Inquiry }
  /** Nothing was recorded; `problem` says what the form does not take. */
  | { readonly type: 'does-not-fit'; readonly problem: string }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type InquiryConsidered =
  | { readonly type: 'open'; readonly inquiry: Inquiry }
  | Exclude<AnswerResult, { readonly type: 'answered' | 'does-not-fit' }>;

export interface InquiriesDeps extends InquiryAskingDeps {
  readonly store: Pick<Store, 'findApproval'>;
  /** For people, who are told soon. */
  readonly quickJournalOf: (run: RunId) => RunJournal;
  /** What is wrong with this answer by the server's own schema, if anything is. */
  readonly misfit: (schema: string, content: InquiryContent) => Promise<string | undefined>;
}

export function createInquiries(deps: InquiriesDeps): Inquiries & InquiriesAtWork {
  const open = createFindJournal({ store: deps.store, journalOf: deps.quickJournalOf });
  const answering = { ...deps, open };
  return {
    ask: (asking) => askPeople(deps, asking),
    consider: (id, by) => considerOrFail(answering, id, by),
    answer: (facts) => answerOrFail(answering, facts),
    expire: (id) => expire(answering, id),
  };
}

interface AnsweringDeps extends Pick<InquiriesDeps, 'misfit' | 'cards' | 'log' | 'step'> {
  /** The journal of an inquiry, read up to now. */
  readonly open: (id: ApprovalId) => Promise<RunJournal | undefined>;
}

function considerOrFail(deps: AnsweringDeps, id: ApprovalId, by: AnswerFacts['by']): Promise<InquiryConsidered> {
  return consider(deps, id, by).catch((error: unknown): InquiryConsidered => {
    deps.log.error('Nobody could say who may answer a tool server.', { inquiry: id, error });
    return notRecorded(error);
  });
}

async function consider({ open }: AnsweringDeps, id: ApprovalId, by: AnswerFacts['by']): Promise<InquiryConsidered> {
  const inquiry = (await open(id))?.inquiry(id);
  if (inquiry === undefined) return { type: 'unknown' };
  if (inquiry.standing.status !== 'pending') return settledAnswer(inquiry);
  return mayAnswer(inquiry, by) ? { type: 'open', inquiry } : { type: 'not-yours', inquiry };
}

function answerOrFail(deps: AnsweringDeps, facts: AnswerFacts): Promise<AnswerResult> {
  return answer(deps, facts).catch((error: unknown): AnswerResult => {
    deps.log.error('An answer for a tool server was not recorded.', { inquiry: facts.inquiry, error });
    return notRecorded(error);
  });
}

async function answer(deps: AnsweringDeps, facts: AnswerFacts): Promise<AnswerResult> {
  const considered = await consider(deps, facts.inquiry, facts.by);
  if (considered.type !== 'open') return considered;
  if (facts.answer.how === 'answered') {
    const problem = await deps.misfit(considered.inquiry.schema, facts.answer.content);
    if (problem !== undefined) return { type: 'does-not-fit', problem };
  }
  const journal = await deps.open(facts.inquiry);
  if (journal === undefined) return { type: 'unknown' };
  const committed = await commitAnswer(journal, facts);
  const isRecorded = committed.type === 'done' && committed.result === 'recorded';
  if (committed.type === 'late') await expire(deps, facts.inquiry);
  if (isRecorded) await deps.step('inquiry-settled');
  await journal.refresh();
  const inquiry = journal.inquiry(facts.inquiry);
  if (inquiry === undefined) return { type: 'unknown' };
  await settleSoon(deps.cards, journal);
  return isRecorded ? { type: 'answered', inquiry } : settledAnswer(inquiry);
}

function commitAnswer(journal: RunJournal, facts: AnswerFacts) {
  return journal.decide((state) => decideAnswer(state, facts), 'unknown');
}

async function expire({ open, cards }: AnsweringDeps, id: ApprovalId): Promise<void> {
  const journal = await open(id);
  const committed = await journal?.decide((state, nowMs) => decideInquiryExpiry(state, id, nowMs), 'settled');
  if (journal !== undefined && committed?.type === 'done' && committed.result === 'expired') {
    await cards.settle(journal);
  }
}

function settledAnswer(
  inquiry: Inquiry,
): Extract<AnswerResult, { readonly type: 'already-settled' | 'over' | 'failed' }> {
  switch (inquiry.standing.status) {
    case 'pending':
      // The clocks of this process and of the store disagree for a moment. Nothing was recorded, so pressing again is safe.
      return { type: 'failed' };
    case 'answered':
    case 'declined':
      return { type: 'already-settled', inquiry };
    case 'withdrawn':
    case 'expired':
      return { type: 'over', inquiry };
  }
}
