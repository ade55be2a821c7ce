import { unreachable } from '../../../interventions/index.ts';
import {
  type ApprovalId,
  QUESTIONS,
  type QuestionEntry,
  type QuestionEntryOf,
  type QuestionKind,
} from '../../records/index.ts';
import { type EntryThat, isEntryThat, questionIn } from '../facts/questions.ts';
import type { Stamp } from '../line/line.ts';
import type { AskedOnce, AskedQuestion } from './asked.ts';
import { BrokenJournalError, withCall } from './changes.ts';
import type { RunState } from './state.ts';

export function foldQuestion(state: RunState, entry: QuestionEntry & Stamp): RunState {
  if (isEntryThat(entry, 'asked')) return ask(state, entry);
  if (isEntryThat(entry, 'posted'))
    return withQuestion(state, entry, (question) => ({ ...question, card: entry.card, painted: false }));
  if (isEntryThat(entry, 'painted')) return withQuestion(state, entry, (question) => ({ ...question, painted: true }));
  if (isEntryThat(entry, 'settled')) return settle(state, entry);
  if (entry.type === 'doubt-refused')
    return withQuestion(state, entry, (question) => ({ ...question, refusedChoices: question.refusedChoices + 1 }));
  return unreachable(entry);
}

const OPEN = { lostCards: [], painted: false, refusedChoices: 0, standing: { status: 'pending' } } as const;

function ask(before: RunState, entry: EntryThat<'asked'> & Stamp): RunState {
  const { kind, id } = questionIn(entry);
  const { type: _type, id: _id, atMs, ...named } = entry;
  const { [kind]: _name, ...asked }: Partial<Record<QuestionKind, ApprovalId>> = named;
  const question: Pick<AskedQuestion, keyof AskedOnce | 'kind'> = { ...asked, ...OPEN, kind, id, askedAtMs: atMs };
  // The entry's schema has checked that these are the fields of its kind.
  const questions = new Map([...before.questions, [id, question as AskedQuestion]]);
  const state = { ...before, questions };
  if (entry.type !== 'doubt-asked') return state;
  return withCall(state, entry.call, (call) => ({ ...call, doubt: id }));
}

function withQuestion(
  state: RunState,
  entry: QuestionEntry,
  change: (question: AskedQuestion) => AskedQuestion,
): RunState {
  const { kind, id } = questionIn(entry);
  const question = state.questions.get(id);
  if (question?.kind !== kind) throw new BrokenJournalError(`speaks of ${kind} ${id}, which was never asked`);
  return { ...state, questions: new Map([...state.questions, [id, change(question)]]) };
}

function settle(state: RunState, entry: EntryThat<'settled'> & Stamp): RunState {
  const settled = withQuestion(state, entry, (question) => {
    const { kind, id } = question;
    if (question.standing.status !== 'pending') throw new BrokenJournalError(`settles ${kind} ${id} twice`);
    const ofKind: Standings | undefined = QUESTIONS.find((one) => one.kind === kind);
    // Entry, question and standing are of the same kind: `withQuestion` has compared them.
    return { ...question, settledAtMs: entry.atMs, standing: ofKind?.standing(entry, entry.atMs) } as AskedQuestion;
  });
  return entry.type === 'doubt-settled' ? putInPlace(settled, entry) : settled;
}

/** A method, not a property: so its parameter may be an entry of any kind. `QUESTIONS` pairs each kind with its own. */
interface Standings {
  standing(settled: EntryThat<'settled'>, atMs: number): AskedQuestion['standing'];
}

function putInPlace(state: RunState, { doubt, retry }: QuestionEntryOf<'doubt', 'settled'>): RunState {
  const call = state.questions.get(doubt)?.call;
  if (retry === undefined || call === undefined) return state;
  // The retry is a new call: it is not approved and has not run.
  const fresh = withCall(state, retry, (before) => before);
  return withCall(fresh, call, (before) => ({ ...before, retriedAs: retry }));
}
