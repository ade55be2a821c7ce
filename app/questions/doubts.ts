import { given } from '../given.ts';
import { decideChoice, decideDoubtExpiry, type NotRecorded, notRecorded, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import {
  type ApprovalId,
  type CardReceipt,
  type Doubt,
  type DoubtChoice,
  type RunId,
  type ThreadKey,
  threadKey,
  type UserId,
} from '../records/index.ts';
import type { SafeWords } from '../secrets/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Cards } from './cards.ts';
import { createFindJournal } from './find-journal.ts';
import { settleSoon } from './settle-soon.ts';

/** Calls of which nobody knows whether they finished, as those who can say it see them. */
export interface Doubts {
  /** Never throws for an outage: a choice that was not recorded is `failed`, and pressing again is safe. */
  readonly choose: (choosing: Choosing) => Promise<ChooseResult>;
  /** Could this person say it now? Nothing is recorded, and the choice is judged again. */
  readonly consider: (doubt: ApprovalId, by: Choosing['by']) => Promise<DoubtConsidered>;
}

/** What happens to a doubt besides. */
export interface DoubtsAtWork {
  readonly find: (doubt: ApprovalId) => Promise<Doubt | undefined>;
  /** Called when its time may have come; the store's clock has the last word. */
  readonly expire: (doubt: ApprovalId) => Promise<void>;
}

export interface Choosing {
  readonly doubt: ApprovalId;
  readonly choice: DoubtChoice;
  /** From the verified payload. */
  readonly by: { readonly user: UserId; readonly team: string };
  /** The card that was pressed; it must be the one that was posted. */
  readonly card: CardReceipt;
  /** What came of it, in the person's words. */
  readonly said?: string;
}

export type ChooseResult =
  | { readonly type: 'chosen'; readonly doubt: Doubt }
  | { readonly type: 'chosen-before'; readonly doubt: Doubt }
  /** It finished after all, expired, or its run was stopped. */
  | { readonly type: 'over'; readonly doubt: Doubt }
  | { readonly type: 'not-yours'; readonly doubt: Doubt; readonly why: string }
  /** A copy of the card elsewhere. */
  | { readonly type: 'not-offered' }
  | { readonly type: 'unknown' }
  | NotRecorded;

export type DoubtConsidered =
  | { readonly type: 'open'; readonly doubt: Doubt }
  | Exclude<ChooseResult, { readonly type: 'chosen' | 'not-offered' }>;

type Right = { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };

export interface DoubtsDeps {
  readonly store: Pick<Store, 'findApproval'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly cards: Cards;
  /** The rule of the call itself, asked at the press with facts fetched then. */
  readonly mayChoose: (doubt: Doubt, about: { readonly by: Choosing['by']; readonly input: string }) => Promise<Right>;
  /** What the model is told, as an item of the run. */
  readonly results: {
    readonly chosen: (
      state: RunState,
      doubt: ApprovalId,
      what: { readonly choice: Exclude<DoubtChoice, 'retry'>; readonly said: string | undefined },
    ) => string;
    readonly unknown: (state: RunState, doubt: ApprovalId) => string;
  };
  /** What people type is searched for secrets before it is written anywhere. */
  readonly safe: Pick<SafeWords, 'words'>;
  readonly wake: (thread: ThreadKey) => void;
  readonly log: Log;
  readonly step: AtStep;
}

interface ChoosingDeps extends DoubtsDeps {
  /** The journal of a doubt, read up to now. */
  readonly open: (id: ApprovalId) => Promise<RunJournal | undefined>;
}

export function createDoubts(deps: DoubtsDeps): Doubts & DoubtsAtWork {
  const choosing = { ...deps, open: createFindJournal(deps) };
  return {
    find: (id) => find(choosing, id),
    consider: (id, by) => considerOrFail(choosing, id, by),
    choose: (choice) => chooseOrFail(choosing, choice),
    expire: (id) => expire(choosing, id),
  };
}

async function find({ open }: ChoosingDeps, id: ApprovalId): Promise<Doubt | undefined> {
  return (await open(id))?.doubt(id);
}

function considerOrFail(deps: ChoosingDeps, id: ApprovalId, by: Choosing['by']): Promise<DoubtConsidered> {
  return consider(deps, id, by).catch((error: unknown): DoubtConsidered => {
    deps.log.error('Nobody could say who may tell what became of a call.', { doubt: id, error });
    return notRecorded(error);
  });
}

async function consider(deps: ChoosingDeps, id: ApprovalId, by: Choosing['by']): Promise<DoubtConsidered> {
  const journal = await deps.open(id);
  const doubt = await journal?.doubt(id);
  if (journal === undefined || doubt === undefined) return { type: 'unknown' };
  if (doubt.standing.status !== 'pending') return settledAnswer(doubt);
  const right = await deps.mayChoose(doubt, { by, input: await whatBegan(journal, doubt) });
  return right.type === 'allowed' ? { type: 'open', doubt } : { type: 'not-yours', doubt, why: right.why };
}

/** With every secret in it: rules are about that, whether people were asked about the call or not. */
async function whatBegan(journal: RunJournal, { id, approval, input: shown }: Doubt): Promise<string> {
  if (approval === undefined) return (await journal.requestOf(id)) ?? shown;
  const input = await journal.inputOf(approval);
  return input?.edited ?? input?.asked ?? shown;
}

function chooseOrFail(deps: ChoosingDeps, choosing: Choosing): Promise<ChooseResult> {
  return choose(deps, choosing).catch((error: unknown): ChooseResult => {
    deps.log.error('What became of a call was not recorded.', { doubt: choosing.doubt, error });
    return notRecorded(error);
  });
}

async function choose(deps: ChoosingDeps, choosing: Choosing): Promise<ChooseResult> {
  const { doubt: id, by } = choosing;
  const journal = await deps.open(id);
  const before = await journal?.doubt(id);
  if (journal === undefined || before === undefined) return { type: 'unknown' };
  const input = await whatBegan(journal, before);
  const right = await deps.mayChoose(before, { by, input });
  const spoken = spokenSafely(deps.safe, { tool: before.tool, input }, choosing);
  const committed = await journal.decide(
    (state) => decideAndTell(state, { ...choosing, by: by.user, right, spoken }, deps.results),
    'unknown',
  );
  if (committed.type === 'late') await expire(deps, id);
  if (committed.type === 'done' && committed.result === 'recorded') await follow(deps, journal);
  else await settleSoon(deps.cards, journal);
  const doubt = (await find(deps, id)) ?? before;
  return committed.type === 'late' ? settledAnswer(doubt) : answerTo(committed.result, doubt, right);
}

function spokenSafely(
  safe: DoubtsDeps['safe'],
  about: { readonly tool: string; readonly input: string },
  { said }: Choosing,
): string | undefined {
  return said === undefined ? undefined : safe.words(about, said).slice(0, LIMITS.reasonChars);
}

interface Chosen extends Pick<Choosing, 'doubt' | 'choice' | 'card'> {
  readonly by: UserId;
  readonly right: Right;
  readonly spoken: string | undefined;
}

/** Decides about the choice, with the item that tells the model, unless the call is tried again. */
function decideAndTell(
  state: RunState,
  { doubt, choice, by, right, card, spoken }: Chosen,
  results: DoubtsDeps['results'],
) {
  const said = given({ said: spoken });
  const decided = decideChoice(state, {
    doubt,
    choice,
    by,
    right,
    card,
    refusedKept: LIMITS.refusedPressesKept,
    ...said,
  });
  const told = decided.result === 'recorded' && choice !== 'retry';
  return { ...decided, items: told ? [results.chosen(state, doubt, { choice, said: spoken })] : [] };
}

/** What the presser is told. */
function answerTo(result: ReturnType<typeof decideChoice>['result'], doubt: Doubt, right: Right): ChooseResult {
  switch (result) {
    case 'recorded':
      return { type: 'chosen', doubt };
    case 'settled':
      return settledAnswer(doubt);
    case 'not-yours':
      return { type: 'not-yours', doubt, why: right.type === 'refused' ? right.why : '' };
    case 'not-offered':
    case 'unknown':
      return { type: result };
  }
}

function settledAnswer(doubt: Doubt): Extract<ChooseResult, { readonly type: 'chosen-before' | 'over' | 'failed' }> {
  const { standing } = doubt;
  // The clocks of this process and of the store disagree for a moment. Nothing was recorded, so pressing again is safe.
  if (standing.status === 'pending') return { type: 'failed' };
  return { type: 'by' in standing ? 'chosen-before' : 'over', doubt };
}

/** After its end is stored: the run goes on, and the card says what became of it. */
async function follow(deps: ChoosingDeps, journal: RunJournal): Promise<void> {
  await deps.step('doubt-settled');
  const state = journal.state();
  if (state !== undefined) deps.wake(threadKey(state.thread));
  await settleSoon(deps.cards, journal);
}

async function expire(deps: ChoosingDeps, id: ApprovalId): Promise<void> {
  const journal = await deps.open(id);
  if (journal === undefined) return;
  const committed = await journal.decide((state, nowMs) => {
    const decided = decideDoubtExpiry(state, id, nowMs);
    return { ...decided, items: decided.result === 'expired' ? [deps.results.unknown(state, id)] : [] };
  }, 'settled');
  if (committed.type === 'done' && committed.result === 'expired') await follow(deps, journal);
}
