import {
  type AnswerFacts,
  decideAnswer,
  decideInquiry,
  decideInquiryExpiry,
  decideWithdrawal,
  mayAnswer,
  type NotRecorded,
  notRecorded,
  settledInquiry,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type ApprovalId, type Inquiry, type InquiryContent, RunId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Surface } from '../surface.ts';
import type { Cards } from './cards.ts';
import { createFindJournal } from './find-journal.ts';
import { settleSoon } from './settle-soon.ts';
import type { Waiting } from './waiting.ts';

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

export interface Asking {
  /** Names the running call, as its tool was told. */
  readonly key: string;
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  /** The form, as a JSON Schema. */
  readonly schema: object;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export type Answered =
  | { readonly action: 'accept'; readonly content: InquiryContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

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

export interface InquiriesDeps {
  readonly store: Pick<Store, 'findApproval'>;
  /** For the call, which can wait through an outage. */
  readonly journalOf: (run: RunId) => RunJournal;
  /** For people, who are told soon. */
  readonly quickJournalOf: (run: RunId) => RunJournal;
  readonly surface: Pick<Surface, 'status'>;
  /** Posts the card, once; an inquiry that nobody can see is taken back. */
  readonly showCard: (journal: RunJournal, inquiry: ApprovalId) => Promise<void>;
  readonly cards: Cards;
  readonly waiting: Waiting;
  readonly newInquiryId: (run: RunId) => ApprovalId;
  /** What is wrong with this answer by the server's own schema, if anything is. */
  readonly misfit: (schema: string, content: InquiryContent) => Promise<string | undefined>;
  readonly log: Log;
  readonly step: AtStep;
}

const CANCELLED = { action: 'cancel' } as const;

export function createInquiries(deps: InquiriesDeps): Inquiries & InquiriesAtWork {
  const { cards, waiting, surface, log, step } = deps;
  const open = createFindJournal({ store: deps.store, journalOf: deps.quickJournalOf });

  const ask = async (asking: Asking): Promise<Answered> => {
    const place = placeOf(asking.key);
    if (place === undefined || asking.signal.aborted) return CANCELLED;
    const journal = deps.journalOf(place.run);
    await journal.refresh();
    const inquiry = deps.newInquiryId(place.run);
    const { server, tool } = asking;
    const committed = await recordInquiry(journal, { inquiry, call: place.call, asking });
    if (committed.type === 'late' || committed.result !== 'asked') {
      if (committed.type === 'done' && committed.result === 'too-many')
        log.warn('A tool server asks too much at once, and was told that nobody answers.', { server, tool });
      return CANCELLED;
    }
    await step('inquiry-asked');
    return waitFor(journal, inquiry, asking.signal);
  };

  const waitFor = async (journal: RunJournal, id: ApprovalId, signal: AbortSignal): Promise<Answered> => {
    const settled = waiting.untilFound(journal, (state) => settledInquiry(state, id), signal);
    // It may be given up while the card is on its way; that is heard below.
    settled.catch(() => {});
    await deps.showCard(journal, id);
    const standing = await settled.then(
      (inquiry) => inquiry.standing,
      () => withdraw(journal, id),
    );
    await cards.settle(journal);
    const state = journal.state();
    if (state?.status.type === 'running') void surface.status(state.thread, 'processing');
    return toldServer(standing);
  };

  const consider: Inquiries['consider'] = async (id, by) => {
    const inquiry = (await open(id))?.inquiry(id);
    if (inquiry === undefined) return { type: 'unknown' };
    if (inquiry.standing.status !== 'pending') return settledAnswer(inquiry);
    return mayAnswer(inquiry, by) ? { type: 'open', inquiry } : { type: 'not-yours', inquiry };
  };

  const answer = async (facts: AnswerFacts): Promise<AnswerResult> => {
    const considered = await consider(facts.inquiry, facts.by);
    if (considered.type !== 'open') return considered;
    if (facts.answer.how === 'answered') {
      const problem = await deps.misfit(considered.inquiry.schema, facts.answer.content);
      if (problem !== undefined) return { type: 'does-not-fit', problem };
    }
    const journal = await open(facts.inquiry);
    const committed = await journal?.commit((state) =>
      state === undefined ? { entries: [], result: 'unknown' as const } : decideAnswer(state, facts),
    );
    if (committed?.type === 'late') await expire(facts.inquiry);
    if (committed?.type === 'done' && committed.result === 'recorded') await step('inquiry-settled');
    await journal?.refresh();
    const inquiry = journal?.inquiry(facts.inquiry);
    if (journal === undefined || inquiry === undefined) return { type: 'unknown' };
    await settleSoon(cards, journal);
    if (committed?.type === 'done' && committed.result === 'recorded') return { type: 'answered', inquiry };
    return settledAnswer(inquiry);
  };

  const expire = async (id: ApprovalId): Promise<void> => {
    const journal = await open(id);
    const committed = await journal?.commit((state, nowMs) =>
      state === undefined ? { entries: [], result: 'settled' as const } : decideInquiryExpiry(state, id, nowMs),
    );
    if (journal !== undefined && committed?.type === 'done' && committed.result === 'expired') {
      await cards.settle(journal);
    }
  };

  return {
    ask,
    expire,
    consider: (id, by) =>
      consider(id, by).catch((error: unknown): InquiryConsidered => {
        log.error('Nobody could say who may answer a tool server.', { inquiry: id, error });
        return notRecorded(error);
      }),
    answer: (facts) =>
      answer(facts).catch((error: unknown): AnswerResult => {
        log.error('An answer for a tool server was not recorded.', { inquiry: facts.inquiry, error });
        return notRecorded(error);
      }),
  };
}

/** Writes the question into the journal of its run, if the run still takes one. */
function recordInquiry(
  journal: RunJournal,
  { inquiry, call, asking }: { readonly inquiry: ApprovalId; readonly call: string; readonly asking: Asking },
) {
  const { server, tool, message } = asking;
  const json = JSON.stringify(asking.schema);
  const schema = json.length > LIMITS.inquirySchemaChars ? '' : json;
  return journal.commit((state, nowMs) => {
    if (state === undefined) return { entries: [], result: 'over' as const };
    const expiresAtMs = nowMs + LIMITS.inquiryLifetimeMs;
    return decideInquiry(state, { inquiry, call, server, tool, message, schema, expiresAtMs }, LIMITS.inquiriesPerCall);
  });
}

/** An answer that was faster stands. */
async function withdraw(journal: RunJournal, id: ApprovalId): Promise<Inquiry['standing'] | undefined> {
  await journal.commit((state) =>
    state === undefined ? { entries: [], result: 'settled' as const } : decideWithdrawal(state, id),
  );
  return journal.inquiry(id)?.standing;
}

function toldServer(standing: Inquiry['standing'] | undefined): Answered {
  switch (standing?.status) {
    case 'answered':
      return { action: 'accept', content: standing.content };
    case 'declined':
      return { action: 'decline' };
    default:
      return CANCELLED;
  }
}

function settledAnswer(
  inquiry: Inquiry,
): Extract<AnswerResult, { readonly type: 'already-settled' | 'over' | 'failed' }> {
  switch (inquiry.standing.status) {
    case 'pending':
      // Somebody's clock and the store's disagree for a moment: nothing was recorded, so pressing again is safe.
      return { type: 'failed' };
    case 'answered':
    case 'declined':
      return { type: 'already-settled', inquiry };
    case 'withdrawn':
    case 'expired':
      return { type: 'over', inquiry };
  }
}

/** The key that a running call was given is its run and its name there. */
function placeOf(key: string): { readonly run: RunId; readonly call: string } | undefined {
  const slash = key.indexOf('/');
  const run = RunId.safeParse(key.slice(0, Math.max(0, slash)));
  return run.success ? { run: run.data, call: key.slice(slash + 1) } : undefined;
}
