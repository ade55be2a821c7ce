import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { DoubtStanding, InquiryStanding } from '../../records/index.ts';
import type { DoubtSettled } from '../facts/doubts.ts';
import type { InquirySettled } from '../facts/inquiries.ts';
import { type QuestionEntry, questionIn } from '../facts/questions.ts';
import type { Stamp } from '../line/line.ts';
import type { AskedQuestion } from './asked.ts';
import { BrokenJournalError, withCall, withTexts } from './changes.ts';
import type { RunState } from './state.ts';

type Settled = (DoubtSettled | InquirySettled) & Stamp;

export function foldQuestion(state: RunState, entry: QuestionEntry & Stamp): RunState {
  switch (entry.type) {
    case 'doubt-asked': {
      const { type: _, id: _id, atMs, doubt: id, ...asked } = entry;
      const next = withTexts(
        withCall(state, entry.call, (call) => ({ ...call, doubt: id })),
        [entry.input],
      );
      return withAsked(next, { ...asked, ...OPEN, kind: 'doubt', id, askedAtMs: atMs, refusedChoices: 0 });
    }
    case 'inquiry-asked': {
      const { type: _, id: _id, atMs, inquiry: id, ...asked } = entry;
      return withAsked(state, { ...asked, ...OPEN, kind: 'inquiry', id, askedAtMs: atMs });
    }
    case 'doubt-posted':
    case 'inquiry-posted':
      return withQuestion(state, entry, (question) => ({ ...question, card: entry.card, painted: false }));
    case 'doubt-painted':
    case 'inquiry-painted':
      return withQuestion(state, entry, (question) => ({ ...question, painted: true }));
    case 'doubt-refused':
      return withQuestion(state, entry, (question) =>
        question.kind === 'doubt' ? { ...question, refusedChoices: question.refusedChoices + 1 } : question,
      );
    case 'inquiry-settled':
      return withQuestion(state, entry, (question) => settle(question, entry));
    case 'doubt-settled': {
      const settled = withQuestion(state, entry, (question) => settle(question, entry));
      const call = settled.questions.get(entry.doubt)?.call;
      const { retry } = entry;
      if (retry === undefined || call === undefined) return settled;
      // It is a call like any other: nobody has said yes to it, and it has not run.
      const fresh = withCall(settled, retry, (before) => before);
      return withCall(fresh, call, (before) => ({ ...before, retriedAs: retry }));
    }
    default:
      return unreachable(entry);
  }
}

const OPEN = { lostCards: [], painted: false, standing: { status: 'pending' } } as const;

function withAsked(state: RunState, question: AskedQuestion): RunState {
  return { ...state, questions: new Map([...state.questions, [question.id, question]]) };
}

function withQuestion(
  state: RunState,
  entry: QuestionEntry,
  change: (question: AskedQuestion) => AskedQuestion,
): RunState {
  const { kind, id } = questionIn(entry);
  const question = state.questions.get(id);
  if (question?.kind !== kind) throw new BrokenJournalError(`speaks of ${kind} ${id}, which was never asked`);
  return withAsked(state, change(question));
}

function settle(question: AskedQuestion, entry: Settled): AskedQuestion {
  if (question.standing.status !== 'pending')
    throw new BrokenJournalError(`settles ${question.kind} ${question.id} twice`);
  if (question.kind === 'doubt' && entry.type === 'doubt-settled') return { ...question, standing: standingOf(entry) };
  return question.kind === 'inquiry' && entry.type === 'inquiry-settled'
    ? { ...question, standing: after(entry) }
    : question;
}

function standingOf({ how, by, said, atMs }: DoubtSettled & Stamp): DoubtStanding {
  switch (how) {
    case 'finished':
    case 'expired':
    case 'withdrawn':
      return { status: how };
    default:
      return by === undefined ? { status: 'withdrawn' } : { status: how, by, atMs, ...given({ said }) };
  }
}

function after({ how, by, content, atMs }: InquirySettled & Stamp): InquiryStanding {
  if (by === undefined) return { status: how === 'expired' ? 'expired' : 'withdrawn' };
  return how === 'answered' && content !== undefined
    ? { status: 'answered', by, atMs, content }
    : { status: 'declined', by, atMs };
}
