import type { Json, ToolUseBlock } from '../../../interventions/index.ts';
import type { TrustAtWork } from '../../authority/index.ts';
import { given } from '../../given.ts';
import {
  type Ask,
  type AskedApproval,
  type AskResult,
  approvalOf,
  approvedDigest,
  askedUnder,
  callNow,
  decideAsk,
  namedNow,
  outdatedBy,
  type RunState,
  withIntent,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import type { Cards, Waiting } from '../../questions/index.ts';
import type { Committed, RunJournal } from '../../recorder/index.ts';
import { type ApprovalId, type RunId, UserId } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { withLimit } from '../../time/index.ts';
import { type Deadlines, timetableOf } from '../../tools/index.ts';
import type { Described, DescribeWish } from '../gate/describing.ts';
import { TakenOverError } from '../story/taken-over.ts';
import { WORDS } from '../telling/words.ts';
import { type Listing, mayShareCard } from './listing.ts';
import { type CardDeps, cardKey, postOwnCard } from './posting-cards.ts';

/** What people are asked about one call. */
export interface CallQuestion {
  readonly toolUse: ToolUseBlock;
  readonly digest: string;
  readonly signal: AbortSignal;
}

/** What people answered, or why no answer came. */
export type CallAnswer =
  | { readonly decision: 'approve'; readonly approver: UserId; readonly editedInput?: Json }
  | { readonly decision: 'deny'; readonly approver: UserId; readonly comment?: string }
  /** `comment` becomes the result of the call, and the tool does not run. */
  | { readonly decision: 'answered'; readonly approver: UserId; readonly comment: string }
  | { readonly decision: 'expired' }
  /** `unseen`: no card could be shown, so no person was asked. */
  | { readonly decision: 'cancelled'; readonly comment: string; readonly unseen: boolean };

export interface AskingDeps extends CardDeps, Pick<TrustAtWork, 'grantTrust'> {
  readonly surface: CardDeps['surface'] & Pick<Surface, 'paintingHeld'>;
  /** The list cards of the run. */
  readonly listing: Listing;
  readonly cards: Cards;
  readonly waiting: Waiting;
  readonly newQuestionId: (run: RunId) => ApprovalId;
  /** Works out what people are asked about a call. */
  readonly describe: (
    call: CallQuestion['toolUse'],
    wish: Pick<DescribeWish, 'signal' | 'asked'>,
  ) => Promise<Described>;
  readonly log: Log;
}

/** How long the tool waits until the buttons are gone. Slack may be slow. */
const PAINT_FIRST_MS = 3_000;

/**
 * Asks one question durably: writes *asked*, posts the card, and waits until the journal has the answer. Asking again,
 * after a restart or in another process, finds the same approval and posts nothing.
 */
export async function askPeople(deps: AskingDeps, journal: RunJournal, question: CallQuestion): Promise<CallAnswer> {
  const { digest, signal } = question;
  const committed = await ask(deps, journal, question);
  if (committed === 'late' || committed.type === 'over') {
    return { decision: 'cancelled', comment: WORDS.runStopped, unseen: false };
  }
  if (committed.type === 'unasked') return { decision: 'cancelled', comment: committed.problem, unseen: false };
  if (committed.type === 'taken-over') throw new TakenOverError('the call is settled already');

  const { approval, fresh } = committed;
  if (fresh) await deps.step('call-asked');
  const asked = fresh ? journal.state()?.version : undefined;
  const settled = deps.waiting.untilFound(journal, (state) => settledApproval(state, approval), signal, asked);
  // The wait may be given up while the card is being posted. `await settled` below rejects with that.
  void Promise.allSettled([settled]);
  const shown = await showCard(deps, journal, approval, fresh);
  // An earlier question that this one replaces still has its card, which is redrawn.
  if (fresh) void deps.cards.settle(journal);
  await deps.step('call-waiting');
  const answered = await settled;
  await deps.step('waiter-woken');
  if (isTakenBack(answered)) {
    // Another process has asked anew. If both went on, they would replace each other's question for ever.
    const newest = journal.state()?.calls.get(answered.call)?.approval;
    if (newest !== answered.id) throw new TakenOverError('it was asked anew');
    return askPeople(deps, journal, question);
  }
  await keepTrust(deps, journal, answered);
  await showAnswered(deps, journal, answered);
  return toAnswer(await editedInput(journal, answered, digest), answered, shown);
}

/** Describes the call and writes *asked*. A function of its own, because a description may be long, and the wait too. */
async function ask(deps: AskingDeps, journal: RunJournal, question: CallQuestion) {
  const { toolUse, signal } = question;
  const id = deps.newQuestionId(journal.run);
  const described = await deps.describe(toolUse, { signal, asked: askedBefore(journal.state(), question) });
  // The tool was told to stop looking because this process let go of the run. The next process looks again.
  signal.throwIfAborted();
  return described.type === 'unasked' ? described : writeAsked(deps, journal, { ...question, id, described });
}

function settledApproval({ approvals }: RunState, id: ApprovalId): AskedApproval | undefined {
  const asked = approvals.get(id);
  return asked?.standing.status === 'pending' ? undefined : asked;
}

/** Shows the answer on the card. The tool does not wait while Slack's rate leaves no room for the painting. */
async function showAnswered(
  { cards, surface }: AskingDeps,
  journal: RunJournal,
  { id, card }: AskedApproval,
): Promise<void> {
  const shown = withLimit(cards.settleAnswered(journal, id), { ms: PAINT_FIRST_MS, late: undefined });
  const thread = journal.state()?.thread;
  if (card === undefined || thread === undefined) {
    await shown;
    return;
  }
  const over = new AbortController();
  // The workspace may be out of reach. Then there is no painting to wait for.
  await Promise.race([shown, Promise.allSettled([surface.paintingHeld(thread, card, over.signal)])]);
  over.abort('shown');
}

interface Asked extends Pick<CallQuestion, 'toolUse' | 'digest'> {
  readonly id: ApprovalId;
  readonly described: Extract<Described, { readonly type: 'described' }>;
}

/** Writes *asked*, together with the intent to post the card where the question has a card of its own. */
async function writeAsked(deps: AskingDeps, journal: RunJournal, asked: Asked): Promise<Committed<AskResult>> {
  const committed = await writeOnce(deps, journal, asked, true);
  if (committed !== 'late') return committed;
  // The intent may be too old by now, so it is written by itself, right before the card is posted.
  await journal.refresh();
  return writeOnce(deps, journal, asked, false);
}

function writeOnce(
  { by }: AskingDeps,
  journal: RunJournal,
  { toolUse, digest, id, described }: Asked,
  withCard: boolean,
): Promise<Committed<AskResult>> {
  return journal.commit((state, nowMs) => {
    if (state === undefined)
      throw new Error(
        'A question belongs to a run, and this run has no journal. This is a fault of the bot: report it.',
      );
    const { asked, needed, input, shown, lifetimeMs, deadlines } = described;
    const kept = journal.keep(state, { input, shown: shown?.text });
    const ask: Ask = {
      ...asked,
      ...kept.refs,
      ...given({ hides: shown?.hides, undeclared: shown?.undeclared }),
      approval: id,
      call: callNow(state, toolUse.toolUseId),
      tool: toolUse.name,
      digest,
      ...timesFrom(nowMs, deadlines, lifetimeMs),
      ...(namedNow(asked.rule, state.requester, []).length > 0 ? { noticeAtMs: nowMs + LIMITS.noticeAfterMs } : {}),
    };
    const decided = decideAsk(state, ask, { needed });
    if (decided.entries.length === 0) return decided;
    const fresh = { ...decided, items: kept.items };
    if (!withCard || mayShareCard(state)) return fresh;
    return withIntent(fresh, { key: cardKey(id), by }, nowMs);
  });
}

/** The times of the question by the store's clock. */
function timesFrom(nowMs: number, deadlines: Deadlines, lifetimeMs: number): Times {
  const { expireAfterMs, remindAfterMs, escalateAfterMs } = timetableOf(deadlines, lifetimeMs);
  const to = deadlines.escalateTo?.map((id) => UserId.parse(id)) ?? [];
  const after = (ms: number | undefined) => (ms === undefined ? undefined : nowMs + ms);
  const escalateAtMs = after(escalateAfterMs);
  const escalation = escalateAtMs === undefined ? undefined : { atMs: escalateAtMs, to };
  return { expiresAtMs: nowMs + expireAfterMs, ...given({ remindAtMs: after(remindAfterMs), escalation }) };
}

type Times = Pick<Ask, 'expiresAtMs' | 'remindAtMs' | 'escalation'>;

/** Taken back because it is outdated, and not because the call is no longer wanted. */
const isTakenBack = ({ standing }: AskedApproval): boolean =>
  standing.status === 'cancelled' && standing.outdated !== undefined;

function askedBefore(state: RunState | undefined, { toolUse, digest }: CallQuestion): DescribeWish['asked'] {
  const before = state === undefined ? undefined : approvalOf(state, callNow(state, toolUse.toolUseId));
  if (before === undefined || outdatedBy(before) !== undefined) return undefined;
  if (![before.digest, approvedDigest(before)].includes(digest)) return undefined;
  return { ...askedUnder(before, digest), definition: before.definition };
}

/** The input that a person put in place of the agent's. `undefined` once the loop asks about exactly that input. */
async function editedInput(journal: RunJournal, asked: AskedApproval, digest: string): Promise<Json | undefined> {
  if (approvedDigest(asked) === digest) return undefined;
  const edited = (await journal.inputOf(asked.id))?.edited;
  return edited === undefined ? undefined : JSON.parse(edited);
}

/** Shows the question on its own card or on a list card. False when it could not be shown and was taken back. */
async function showCard(deps: AskingDeps, journal: RunJournal, id: ApprovalId, untried: boolean): Promise<boolean> {
  const list = await deps.listing.listOf(id);
  return list === undefined ? postOwnCard(deps, journal, id, untried) : deps.listing.show(list);
}

/** Writes the trust of a decision: the process that took the decision may have died before it did. */
async function keepTrust({ grantTrust, log }: AskingDeps, journal: RunJournal, asked: AskedApproval): Promise<void> {
  const approval = await journal.approval(asked.id);
  const about = { approval: asked.id };
  // The store may be away. The decision still covers this call; only later calls ask again.
  if (approval !== undefined)
    await orLog(log.error, 'A trust could not be written.', about, () => grantTrust(approval, asked));
}

function toAnswer(edited: Json | undefined, { standing, wants }: AskedApproval, shown: boolean): CallAnswer {
  switch (standing.status) {
    case 'decided': {
      const { verdict, by, reason, answer = '' } = standing.decision;
      if (verdict === 'deny') {
        return { decision: 'deny', approver: by, ...given({ comment: reason }) };
      }
      if (verdict === 'answer') {
        // The form has checked the answer against what the agent asked for, so it is handed on as it is.
        const comment = wants?.form === undefined ? WORDS.answeredInstead(answer) : answer;
        return { decision: 'answered', approver: by, comment };
      }
      return { decision: 'approve', approver: by, ...given({ editedInput: edited }) };
    }
    case 'expired':
      return { decision: 'expired' };
    case 'cancelled':
      return { decision: 'cancelled', comment: standing.cause, unseen: !shown };
    case 'pending':
      throw new Error('A wait ended while its question is still open. This is a fault of the bot: report it.');
  }
}
