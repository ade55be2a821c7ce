import { decideAnswer, mayAnswer, type Presser, type QuestionAnswer } from '../journal/index.ts';
import type { ApprovalId, Inquiry, InquiryContent } from '../records/index.ts';
import { type Answered, type Answering, type AnsweringDeps, createAnswering } from './answering.ts';
import { type Asking, askPeople, type InquiryAskingDeps, type ToldServer } from './inquiry-asking.ts';

/** What tool servers ask people in the middle of a call, as those who answer see it. */
export interface Inquiries extends Pick<Answering<Inquiry, AnswerFacts>, 'consider'> {
  readonly answer: (answer: AnswerFacts) => Promise<Answered<Inquiry>>;
}

export interface AnswerFacts {
  readonly inquiry: ApprovalId;
  readonly by: Presser;
  readonly answer: QuestionAnswer<'inquiry'>;
}

export interface InquiriesAtWork {
  /** Resolves with what the server is told. Whatever goes wrong is no answer. */
  readonly ask: (asking: Asking) => Promise<ToldServer>;
}

export interface InquiriesDeps extends AnsweringDeps {
  readonly asking: InquiryAskingDeps;
  /** What is wrong with this answer by the server's own schema, if anything is. */
  readonly misfit: (schema: string, content: InquiryContent) => Promise<string | undefined>;
}

export function createInquiries(deps: InquiriesDeps): Inquiries & InquiriesAtWork {
  const { answer, consider } = createAnswering<Inquiry, AnswerFacts>(deps, {
    read: (question) => (question.kind === 'inquiry' ? question.asks : undefined),
    right: async ({ asks }, by) => (mayAnswer(asks, by) ? { type: 'allowed' } : { type: 'refused', why: '' }),
    problem: async ({ schema }, { answer }) =>
      answer.how === 'answered' ? deps.misfit(schema, answer.content ?? {}) : undefined,
    decide:
      async (_asked, { inquiry, ...facts }) =>
      (state) =>
        decideAnswer(state, { kind: 'inquiry', id: inquiry, ...facts }),
  });
  return {
    consider,
    answer: (facts) => answer(facts.inquiry, facts),
    ask: (asking) => askPeople(deps.asking, asking),
  };
}
