import {
  decideAnswer,
  decideQuestionExpiry,
  type EntryBody,
  mayAnswer,
  type NotRecorded,
  notRecorded,
  type QuestionAnswer,
  type RunState,
} from '../journal/index.ts';
import type { Log } from '../log.ts';
import { createFindJournal, type FindJournalDeps, type RunJournal } from '../recorder/index.ts';
import {
  type ApprovalId,
  type CardReceipt,
  type Person,
  type QuestionKind,
  type QuestionRecord,
  type QuestionRecords,
  type ThreadKey,
  threadKey,
} from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type Cards, settleSoon } from './cards.ts';

/** What the presser is told. */
export type Answered<Asks> =
  | { readonly type: 'answered'; readonly asks: Asks }
  | { readonly type: 'answered-before'; readonly asks: Asks }
  /** Expired, withdrawn, or no longer needed. */
  | { readonly type: 'over'; readonly asks: Asks }
  | { readonly type: 'not-yours'; readonly asks: Asks; readonly why: string; readonly notNamed?: true }
  /** The press came from a copy of the card elsewhere. */
  | { readonly type: 'not-offered' }
  /** Nothing was recorded; `problem` says what is wrong with the answer. */
  | { readonly type: 'unfit'; readonly problem: string }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type Considered<Asks> =
  | { readonly type: 'open'; readonly asks: Asks }
  | Exclude<Answered<Asks>, { readonly type: 'answered' | 'not-offered' | 'unfit' }>;

export type RightToAnswer =
  | { readonly type: 'allowed' }
  | { readonly type: 'refused'; readonly why: string; readonly notNamed?: true };

/** A question and its journal. */
export interface FoundQuestion<Asks> {
  readonly journal: RunJournal;
  readonly asks: Asks;
}

/** The parts of answering in which one kind of question differs from the others. */
export interface OwnWay<K extends QuestionKind> {
  /** Whether this person may answer now. Absent: only the requester may. */
  readonly right?: (asked: FoundQuestion<QuestionRecords[K]>, by: Person) => Promise<RightToAnswer>;
  /** What is wrong with the answer itself, if anything. */
  readonly problem?: (asks: QuestionRecords[K], answer: QuestionAnswer<K>) => Promise<string | undefined>;
  /** Looks up what the decision needs, and returns the deciding function. */
  readonly decide?: (asked: FoundQuestion<QuestionRecords[K]>, given: GivenAnswer<K>) => Promise<DecideAnswer>;
}

export interface GivenAnswer<K extends QuestionKind> {
  readonly answer: QuestionAnswer<K>;
  readonly press: Pressed;
  readonly right: RightToAnswer;
}

export interface Pressed {
  readonly by: Person;
  /** The pressed card. */
  readonly card: CardReceipt;
}

type DecideAnswer = (state: RunState) => {
  readonly entries: readonly EntryBody[];
  readonly items?: readonly string[];
  readonly result: 'recorded' | 'settled' | 'not-yours' | 'not-offered' | 'unknown';
  readonly notAfterMs?: number;
};

export interface AnsweringDeps extends FindJournalDeps {
  readonly cards: Pick<Cards, 'settle' | 'repaint'>;
  /** Adds what the model is told of a question that ends unanswered, for the same append. */
  readonly withUnknown: <Ended extends { readonly entries: readonly EntryBody[] }>(
    state: RunState,
    id: ApprovalId,
    ended: Ended,
  ) => Ended & { readonly items: readonly string[] };
  readonly wake: (thread: ThreadKey) => void;
  readonly log: Log;
  readonly step: AtStep;
}

/** How people answer questions of one kind. */
export interface Answering<K extends QuestionKind> {
  /** Never throws for an outage: an answer that was not recorded is `failed`, and pressing again is safe. */
  readonly answer: (id: ApprovalId, answer: QuestionAnswer<K>, press: Pressed) => Promise<Answered<QuestionRecords[K]>>;
  /** Whether this person could answer now. Nothing is recorded, and a later answer is judged again. */
  readonly consider: (id: ApprovalId, by: Person) => Promise<Considered<QuestionRecords[K]>>;
}

/** The result of a press. After a failure the presser hears that nothing was recorded, and the log says why. */
export async function orFailed<Result>(
  log: Log,
  what: string,
  about: object,
  press: () => Promise<Result>,
): Promise<Result | NotRecorded> {
  try {
    return await press();
    // The store or Slack may be away, and an outage is never an answer.
  } catch (error) {
    log.error(what, { ...about, error });
    return notRecorded(error);
  }
}

const byRequester = async ({ asks }: FoundQuestion<QuestionRecord['asks']>, by: Person): Promise<RightToAnswer> =>
  mayAnswer(asks, by) ? { type: 'allowed' } : { type: 'refused', why: '' };

export function createAnswering<K extends QuestionKind>(
  deps: AnsweringDeps,
  kind: K,
  { right: rightOf = byRequester, problem: problemOf, decide }: OwnWay<K> = {},
): Answering<K> {
  type Asks = QuestionRecords[K];
  const open = createFindJournal(deps);
  const find = async (id: ApprovalId): Promise<FoundQuestion<Asks> | undefined> => {
    const journal = await open(id);
    const question = await journal?.question(id);
    return journal && question && isOfKind(question, kind) ? { journal, asks: question.asks } : undefined;
  };

  const consider = async (id: ApprovalId, by: Person): Promise<Considered<Asks>> => {
    const asked = await find(id);
    if (asked === undefined) return { type: 'unknown' };
    if (asked.asks.standing.status !== 'pending') {
      void deps.cards.repaint(asked.journal, id);
      return settledAnswer(asked.asks);
    }
    const right = await rightOf(asked, by);
    return right.type === 'allowed'
      ? { type: 'open', asks: asked.asks }
      : { ...right, type: 'not-yours', asks: asked.asks };
  };

  const answer = async (id: ApprovalId, answer: QuestionAnswer<K>, press: Pressed): Promise<Answered<Asks>> => {
    const asked = await find(id);
    if (asked === undefined) return { type: 'unknown' };
    const { journal, asks } = asked;
    const right = await rightOf(asked, press.by);
    const isOpen = asks.standing.status === 'pending' && right.type === 'allowed';
    const problem = isOpen ? await problemOf?.(asks, answer) : undefined;
    if (problem !== undefined) return { type: 'unfit', problem };
    const decided = await decide?.(asked, { answer, press, right });
    const decideNow: DecideAnswer = decided ?? ((state) => decideAnswer(state, { kind, id, by: press.by, answer }));
    const committed = await journal.decide(decideNow, 'unknown');
    if (committed === 'late') await expireQuestion(deps, id);
    // A card that shows the end of a question has no buttons, so the presser saw an older one.
    if (committed === 'settled') void deps.cards.repaint(journal, id);
    if (committed === 'recorded') await follow(deps, journal, id);
    else await settleSoon(deps.cards, journal);
    const now = (await find(id))?.asks ?? asks;
    return committed === 'late' ? settledAnswer(now) : answerTo(committed, now, right);
  };

  return {
    answer: (id, ...given) =>
      orFailed(deps.log, 'An answer to a question was not recorded.', { question: id }, () => answer(id, ...given)),
    consider: (id, by) =>
      orFailed(deps.log, 'Whether a person may answer a question is not known.', { question: id }, () =>
        consider(id, by),
      ),
  };
}

function isOfKind<K extends QuestionKind>(
  question: QuestionRecord,
  kind: K,
): question is QuestionRecord & { readonly asks: QuestionRecords[K] } {
  return question.kind === kind;
}

function answerTo<Asks extends QuestionRecord['asks']>(
  result: ReturnType<DecideAnswer>['result'],
  asks: Asks,
  right: RightToAnswer,
): Answered<Asks> {
  switch (result) {
    case 'recorded':
      return { type: 'answered', asks };
    case 'settled':
      return settledAnswer(asks);
    case 'not-yours':
      return { ...(right.type === 'refused' ? right : { why: '' }), type: 'not-yours', asks };
    case 'not-offered':
    case 'unknown':
      return { type: result };
  }
}

type SettledAnswer<Asks> = Extract<Answered<Asks>, { readonly type: 'answered-before' | 'over' | 'failed' }>;

function settledAnswer<Asks extends QuestionRecord['asks']>(asks: Asks): SettledAnswer<Asks> {
  // The clocks of this process and of the store may differ by a moment. Nothing was recorded, so pressing again is safe.
  if (asks.standing.status === 'pending') return { type: 'failed' };
  return { type: 'by' in asks.standing ? 'answered-before' : 'over', asks };
}

/** Called when a question may have expired. The store's clock decides. */
export async function expireQuestion(deps: AnsweringDeps, id: ApprovalId): Promise<void> {
  const journal = await createFindJournal(deps)(id);
  if (journal === undefined) return;
  const committed = await journal.decide(
    (state, nowMs) => deps.withUnknown(state, id, decideQuestionExpiry(state, id, nowMs)),
    'settled',
  );
  if (committed === 'expired') await follow(deps, journal, id);
}

/** After the end of a question is stored: wakes the run, and paints the card. */
async function follow({ step, wake, cards }: AnsweringDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const state = journal.state();
  const kind = state?.questions.get(id)?.kind;
  if (kind !== undefined) await step('question-settled');
  // For other kinds, the process that runs the call is awake, or the question died with it.
  if (state !== undefined && kind === 'doubt') wake(threadKey(state.thread));
  await settleSoon(cards, journal);
}
