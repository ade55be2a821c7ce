import { type AskedQuestion, decideQuestion, decideWithdrawal, settledQuestion } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import { type ApprovalId, type InquiryContent, RunId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Surface } from '../surface.ts';
import type { Cards } from './cards.ts';
import type { Waiting } from './waiting.ts';

export interface Asking {
  /** Names the running call, as its tool was told. */
  readonly key: string;
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  /** The form, as a JSON Schema. */
  readonly schema: object;
  /** Aborted when the call no longer wants the answer. */
  readonly signal: AbortSignal;
}

export type ToldServer =
  | { readonly action: 'accept'; readonly content: InquiryContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

export interface InquiryAskingDeps {
  /** For the call, which can wait through an outage. */
  readonly journalOf: (run: RunId) => RunJournal;
  readonly newInquiryId: (run: RunId) => ApprovalId;
  /** Posts the card, once; an inquiry whose card cannot be posted is taken back. */
  readonly showCard: (journal: RunJournal, inquiry: ApprovalId) => Promise<void>;
  readonly waiting: Waiting;
  readonly cards: Cards;
  readonly surface: Pick<Surface, 'status'>;
  readonly log: Log;
  readonly step: AtStep;
}

type Standing = AskedQuestion['standing'];

const CANCELLED = { action: 'cancel' } as const;

/** Asks people for a call that is running, and resolves with what its server is told. */
export async function askPeople(deps: InquiryAskingDeps, asking: Asking): Promise<ToldServer> {
  const place = placeOf(asking.key);
  if (place === undefined || asking.signal.aborted) return CANCELLED;
  const journal = deps.journalOf(place.run);
  await journal.refresh();
  const inquiry = deps.newInquiryId(place.run);
  const { server, tool } = asking;
  const committed = await recordInquiry(journal, { inquiry, call: place.call, asking });
  if (committed.type === 'late' || committed.result !== 'asked') {
    if (committed.type === 'done' && committed.result === 'too-many')
      deps.log.warn('A tool server asks too much at once, and was told that nobody answers.', { server, tool });
    return CANCELLED;
  }
  await deps.step('inquiry-asked');
  return showAndWait(deps, journal, { inquiry, signal: asking.signal });
}

/** The key of a running call is the id of its run, a slash, and the name of the call in that run. */
function placeOf(key: string): { readonly run: RunId; readonly call: string } | undefined {
  const slash = key.indexOf('/');
  const run = RunId.safeParse(key.slice(0, Math.max(0, slash)));
  return run.success ? { run: run.data, call: key.slice(slash + 1) } : undefined;
}

/** Writes the inquiry into the journal of its run, if the run still takes one. */
function recordInquiry(
  journal: RunJournal,
  { inquiry, call, asking }: { readonly inquiry: ApprovalId; readonly call: string; readonly asking: Asking },
) {
  const { server, tool, message } = asking;
  const json = JSON.stringify(asking.schema);
  const schema = json.length > LIMITS.inquirySchemaChars ? '' : json;
  return journal.decide((state, nowMs) => {
    const expiresAtMs = nowMs + LIMITS.inquiryLifetimeMs;
    const ask = { id: inquiry, call, server, tool, message, schema, expiresAtMs };
    return decideQuestion(state, 'inquiry', ask, LIMITS.inquiriesPerCall);
  }, 'over');
}

async function showAndWait(
  deps: InquiryAskingDeps,
  journal: RunJournal,
  { inquiry: id, signal }: Pick<Asking, 'signal'> & { readonly inquiry: ApprovalId },
): Promise<ToldServer> {
  const settled = deps.waiting.untilFound(journal, (state) => settledQuestion(state, id), signal);
  // The call may give up while the card is being posted. The rejection is handled below.
  settled.catch(() => {});
  await deps.showCard(journal, id);
  const standing = await settled.then(
    (question) => question.standing,
    () => withdraw(journal, id),
  );
  await deps.cards.settle(journal);
  const state = journal.state();
  if (state?.status.type === 'running') void deps.surface.status(state.thread, 'processing');
  return toldServer(standing);
}

/** Takes the inquiry back. An answer that is recorded already stands. */
async function withdraw(journal: RunJournal, id: ApprovalId): Promise<Standing | undefined> {
  await journal.decide((state) => decideWithdrawal(state, id), 'settled');
  return journal.state()?.questions.get(id)?.standing;
}

function toldServer(standing: Standing | undefined): ToldServer {
  switch (standing?.status) {
    case 'answered':
      return { action: 'accept', content: standing.content };
    case 'declined':
      return { action: 'decline' };
    default:
      return CANCELLED;
  }
}
