import {
  type AppState,
  applyAnswers,
  ConcurrencyError,
  createAppState,
  dismissInterrupts,
  type Interrupt,
  InterruptedStateError,
  type InterruptResponseBlock,
  type Json,
  type Message,
  type ToolResultBlock,
  unanswered,
} from '../../interventions/index.ts';
import { runLoop } from './loop.ts';
import { hooksOf } from './loop-run.ts';
import type { LoopOutcome } from './outcome.ts';
import { callTool, type DirectCall } from './session-direct.ts';
import type { Invocation, SessionInput, SessionOptions } from './session-options.ts';
import { EMPTY, openPage, type Page, type StoredSession } from './session-page.ts';
import { applyFact, closingResults, isUntouched, textMessage } from './transcript.ts';

export type { SessionInput, SessionOptions } from './session-options.ts';

export type SessionOutcome =
  | LoopOutcome
  /** Nothing was done: the answers were known already, or the message is kept for later. */
  | { readonly type: 'unchanged'; readonly because: 'repeated' | 'queued' };

export interface Session {
  readonly invoke: (input?: SessionInput, invocation?: Invocation) => Promise<SessionOutcome>;
  /** The questions that nobody has answered. */
  readonly pending: () => Promise<readonly Interrupt[]>;
  /** Takes questions back, all of them unless ids are given. The next `invoke()` goes on. */
  readonly dismiss: (reason: string, ids?: readonly string[]) => Promise<void>;
  /** Runs a tool without the model, through the same interventions. */
  readonly callTool: (name: string, input: Json, options?: DirectCall) => Promise<ToolResultBlock>;
  readonly read: () => Promise<StoredSession>;
}

/** How many used answers are remembered, so that a late repetition is recognised. */
const SPENT_KEPT = 200;

/**
 * An agent with a memory: one invocation at a time, saved before anybody is asked, resumed by exactly one worker.
 * What was started is written before, so that a call whose end nobody saw is never simply done again.
 */
export function createSession(given: SessionOptions): Session {
  let busy = false;
  const { id, store } = given;
  // One registry for the life of the session, so that observers subscribe once.
  const options = { ...given, hooks: hooksOf(given.hooks) };

  async function alone<Value>(work: (page: Page) => Promise<Value>): Promise<Value> {
    if (busy) throw new ConcurrencyError(`${id} is busy with another invocation. Wait for it to end.`);
    busy = true;
    try {
      const kept = await store.load(id);
      return await work(openPage(options, kept?.version ?? 0, kept?.state ?? EMPTY));
    } finally {
      busy = false;
    }
  }

  const read = async () => (await store.load(id))?.state ?? EMPTY;
  return {
    read,
    pending: async () => unanswered((await read()).state.interrupts ?? []),
    invoke: (input, invocation = {}) => alone((page) => invoke(page, options, { input, invocation })),
    dismiss: (reason, ids) =>
      alone(async (page) => {
        const interrupts = page.stored().state.interrupts ?? [];
        const dismissed = dismissInterrupts(interrupts, { reason, ...(ids === undefined ? {} : { ids }) });
        await page.save(() => ({ state: { ...page.stored().state, interrupts: dismissed } }));
      }),
    callTool: (name, input, direct = {}) => alone((page) => callTool(page, options, { name, input, direct })),
  };
}

interface Asked {
  readonly input: SessionInput;
  readonly invocation: Invocation;
}

async function invoke(page: Page, options: SessionOptions, { input, invocation }: Asked): Promise<SessionOutcome> {
  const { state } = page.stored();
  if (isAnswers(input)) {
    const { spent } = page.stored();
    const standing = { interrupts: state.interrupts ?? [], spent, nowMs: options.clock.now() };
    const answers = applyAnswers(input, standing);
    if (answers.type === 'repeated') return { type: 'unchanged', because: 'repeated' };
    const used = input.map(({ interruptResponse }) => interruptResponse);
    // Saving claims the pause: of two workers with the same answers, one is refused here.
    await page.save(() => ({
      state: { ...state, interrupts: answers.interrupts },
      spent: [...spent, ...used].slice(-SPENT_KEPT),
    }));
    return run(page, options, invocation, []);
  }
  const messages = typeof input === 'string' ? [textMessage('user', input)] : (input ?? []);
  const waiting = unanswered(state.interrupts ?? []).filter(
    ({ expiresAtMs }) => expiresAtMs === undefined || expiresAtMs > options.clock.now(),
  );
  if (waiting.length === 0) {
    // Two workers that go on with nothing new are told apart here as well.
    await page.save(() => ({}));
    return run(page, options, invocation, messages);
  }
  switch (messages.length === 0 ? 'reject' : (options.whileWaiting ?? 'reject')) {
    case 'queue':
      await page.save(() => ({ queued: [...page.stored().queued, ...messages] }));
      return { type: 'unchanged', because: 'queued' };
    case 'dismissAndContinue': {
      const interrupts = dismissInterrupts(state.interrupts ?? [], { reason: 'Something new was said instead.' });
      await page.save(() => ({ state: { ...state, interrupts } }));
      return run(page, options, invocation, messages);
    }
    case 'reject':
      throw new InterruptedStateError(
        `${options.id} waits for answers (${waiting.map(({ name }) => name).join(', ')}). Resume it with a list of { interruptResponse: { interruptId, response } }, or dismiss the questions.`,
      );
  }
}

async function run(
  page: Page,
  options: SessionOptions,
  invocation: Invocation,
  messages: readonly Message[],
): Promise<LoopOutcome> {
  const appState = createAppState(page.stored().appState);
  const resumes = page.stored().state.pending !== undefined;
  // While a batch is unfinished nothing may be said in between: new messages follow it.
  if (resumes && messages.length > 0) await page.save(() => ({ queued: [...page.stored().queued, ...messages] }));
  const { queued: waiting } = page.stored();
  let spoken = false;
  const incoming = async () => {
    const more = (await options.incoming?.()) ?? [];
    if (spoken) return more;
    spoken = true;
    return [...waiting, ...more];
  };
  try {
    const outcome = await runLoop({
      ...options,
      ...invocation,
      state: page.stored().state,
      agent: { id: options.id, appState },
      input: resumes ? [] : messages,
      incoming,
      record: async (fact) => {
        await options.record?.(fact);
        await page.save(({ state, queued }) => ({
          state: applyFact(state, fact),
          appState: appState.toJSON(),
          queued: fact.type === 'message' && spoken ? [] : queued,
        }));
      },
    });
    await page.save(() => ({ appState: appState.toJSON() }));
    return outcome;
  } catch (error) {
    if (!(error instanceof ConcurrencyError)) await settleAfterFailure(page, appState);
    throw error;
  }
}

/** What ran is kept with its request; a turn of which nothing ran has not happened. A pause survives. */
async function settleAfterFailure(page: Page, appState: AppState): Promise<void> {
  const { state } = page.stored();
  const { pending, ...rest } = state;
  if (pending === undefined || (state.interrupts ?? []).length > 0) return;
  const next = isUntouched(pending)
    ? rest
    : closingResults(pending, 'Tool execution cancelled').reduce(
        (before, result) => applyFact(before, { type: 'result', result, executed: false }),
        state,
      );
  await page.save(() => ({ state: next, appState: appState.toJSON() }));
}

function isAnswers(input: SessionInput): input is readonly InterruptResponseBlock[] {
  if (typeof input === 'string' || input === undefined || input.length === 0) return false;
  const answers = input.filter((block) => 'interruptResponse' in block);
  if (answers.length === 0) return false;
  if (answers.length === input.length) return true;
  throw new InterruptedStateError('A list of answers holds other blocks as well. Send answers alone, then the rest.');
}
