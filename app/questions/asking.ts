import {
  type AskedQuestions,
  decideQuestion,
  decideWithdrawal,
  type QuestionAsk,
  questionOf,
  type RunState,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { ApprovalId, QuestionKind, RunId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Surface } from '../surface.ts';
import type { Cards } from './cards.ts';
import type { Waiting } from './waiting.ts';

export interface QuestionAskingDeps {
  readonly newQuestionId: (run: RunId) => ApprovalId;
  /** Posts the card once. A question whose card cannot be posted is withdrawn. */
  readonly showCard: (journal: RunJournal, id: ApprovalId) => Promise<void>;
  readonly waiting: Pick<Waiting, 'untilFound'>;
  readonly cards: Pick<Cards, 'settle' | 'settleAnswered'>;
  readonly surface: Pick<Surface, 'status'>;
  readonly log: Log;
  readonly step: AtStep;
}

export interface Asking<K extends QuestionKind> {
  readonly ask: QuestionAsk<K>;
  /** Aborted when the call no longer wants the answer. */
  readonly signal: AbortSignal;
}

/** Asks people during a call, and resolves with the settled question; `undefined` when it could not be asked. */
export async function askQuestion<K extends QuestionKind>(
  deps: QuestionAskingDeps,
  journal: RunJournal,
  kind: K,
  { ask, signal }: Asking<K>,
): Promise<AskedQuestions[K] | undefined> {
  const id = deps.newQuestionId(journal.run);
  const { call } = ask;
  const committed = await journal.decide((state, nowMs) => {
    const expiresAtMs = nowMs + LIMITS.inquiryLifetimeMs;
    return decideQuestion(state, { kind, id }, ask, { expiresAtMs, most: LIMITS.inquiriesPerCall });
  }, 'over');
  if (committed !== 'asked') {
    if (committed === 'too-many')
      deps.log.warn('A call asks too many questions at once, and was told that this one has no answer.', {
        kind,
        run: journal.run,
        call,
      });
    return undefined;
  }
  await deps.step('question-asked');
  return showAndWait(deps, journal, { kind, id, signal });
}

async function showAndWait<K extends QuestionKind>(
  { waiting, showCard, cards, surface }: QuestionAskingDeps,
  journal: RunJournal,
  { kind, id, signal }: { readonly kind: K; readonly id: ApprovalId; readonly signal: AbortSignal },
): Promise<AskedQuestions[K] | undefined> {
  const settledIn = (state: RunState) => {
    const question = questionOf(state, kind, id);
    return question?.standing.status === 'pending' ? undefined : question;
  };
  const settled = waiting.untilFound(journal, settledIn, signal);
  // The call may give up while the card is being posted. Its rejection is handled below, after `showCard`.
  void Promise.allSettled([settled]);
  await showCard(journal, id);
  // The call gave up, or the wait was lost: the question is withdrawn. An answer that is already recorded stands.
  const question = await settled.catch(async () => {
    await journal.decide((state) => decideWithdrawal(state, id), 'settled');
    return undefined;
  });
  // This process has just withdrawn it, so no other one paints it.
  if (question === undefined) await cards.settle(journal);
  else await cards.settleAnswered(journal, id);
  const state = journal.state();
  if (state?.status.type === 'running') void surface.status(state.thread, 'processing');
  return question ?? (state && settledIn(state));
}
