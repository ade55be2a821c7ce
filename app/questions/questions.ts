import type { AskedQuestions } from '../journal/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import { QUESTIONS, type QuestionKind } from '../records/index.ts';
import { type Answering, type AnsweringDeps, createAnswering, type OwnWay } from './answering.ts';
import { type Asking, askQuestion, type QuestionAskingDeps } from './asking.ts';

/** Answering, for each kind of question besides approvals. */
export type Questions = { readonly [K in QuestionKind]: Answering<K> };

/** Answering and asking, for the run. */
export type QuestionsAtWork = { readonly [K in QuestionKind]: Answering<K> & AtWork<K> };

interface AtWork<K extends QuestionKind> {
  readonly ask: (journal: RunJournal, asking: Asking<K>) => Promise<AskedQuestions[K] | undefined>;
}

export interface QuestionsDeps {
  readonly answering: AnsweringDeps;
  readonly asking: QuestionAskingDeps;
  /** The parts in which a kind differs from the others. */
  readonly ways: { readonly [K in QuestionKind]?: OwnWay<K> };
}

export function createQuestions(deps: QuestionsDeps): QuestionsAtWork {
  const ofKind = <K extends QuestionKind>(kind: K): Answering<K> & AtWork<K> => ({
    ...createAnswering(deps.answering, kind, deps.ways[kind]),
    ask: (journal, asking) => askQuestion(deps.asking, journal, kind, asking),
  });
  // The table has each kind, so the object has a property for each.
  return Object.fromEntries(QUESTIONS.map(({ kind }) => [kind, ofKind(kind)])) as QuestionsAtWork;
}
