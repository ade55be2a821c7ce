import {
  applyAnswers,
  ConcurrencyError,
  type HookRegistry,
  InterruptedStateError,
  type InterruptResponseBlock,
  type InvocationState,
  type Message,
  unanswered,
} from '../../interventions/index.ts';
import type { Given } from './agent-input.ts';
import type { AgentMemory } from './agent-memory.ts';
import type { AgentSettings } from './agent-options.ts';
import { type AgentResult, resultOf, unchangedResult } from './agent-result.ts';
import { type OutputSchema, structuring } from './agent-structured.ts';
import { glimpseOf, type Viewer } from './agent-view.ts';
import { sleepWith } from './agent-world.ts';
import { type LoopLimits, type LoopOptions, runLoop } from './loop.ts';
import { type FittingModel, fittingModel } from './memory/fitting.ts';
import { describeReduction } from './memory/reduction.ts';
import type { SessionEntry } from './memory/session-entry.ts';
import type { LoopTool, ModelFunction } from './ports.ts';
import { withRetry } from './retry.ts';
import type { Tracing } from './tracing.ts';
import { closingResults, isUntouched, type PendingBatch } from './transcript.ts';

export interface InvocationParts {
  readonly settings: AgentSettings;
  readonly memory: AgentMemory;
  readonly hooks: HookRegistry;
  readonly tracing: Tracing;
  readonly tools: readonly LoopTool[];
}

export interface Invocation<Output> {
  readonly invocationState: InvocationState;
  readonly schema: OutputSchema<Output> | undefined;
  readonly limits: Partial<LoopLimits>;
  readonly signal: AbortSignal;
  readonly viewers: readonly Viewer[];
}

/** One invocation from its input to its result. Everything that happens is remembered as it happens. */
export async function runInvocation<Output>(
  given: Given,
  parts: InvocationParts,
  invocation: Invocation<Output>,
): Promise<AgentResult<Output>> {
  const { settings, memory, hooks, tools } = parts;
  const { invocationState, signal, viewers } = invocation;
  const start = given.type === 'answers' ? await resume(given.answers, parts) : await begin(given.messages, parts);
  if (start.type === 'repeated') {
    const { messages, interrupts = [] } = memory.remembered().state;
    return unchangedResult({ messages, interrupts: unanswered(interrupts) }, invocationState);
  }
  const warn = (message: string) => settings.warn({ handler: 'agent', event: 'invocation', message });
  const onDiscard = () => {
    // Nothing was shown of what is held back, so there is nothing to take back.
    if (settings.choices.bufferText !== true) glimpse(viewers, { type: 'responseDiscarded' });
  };
  const { state } = memory.remembered();
  const answer = invocation.schema === undefined ? undefined : structuring(invocation.schema, state.pending);
  const fitting = fittingModel(modelOf(parts, onDiscard), settings.conversationManager ?? KEEP_ALL, warn);
  const stop = answer?.watch(hooks);
  try {
    const outcome = await runLoop({
      ...loopOptions(parts),
      ...(answer === undefined ? {} : { tools: [...tools, answer.tool], answerTool: answer.tool }),
      model: answer === undefined ? fitting.model : answer.around(fitting.model, onDiscard),
      state,
      input: start.input,
      incoming: once(start.afterwards),
      record: memory.record,
      limits: { ...settings.limits, ...invocation.limits },
      signal,
      invocationState,
      onEvent: (view) => {
        const item = glimpseOf(view);
        if (item !== undefined) glimpse(viewers, item);
      },
    });
    await tidy(parts, fitting, { signal, warn });
    return resultOf(outcome, { invocationState, output: answer?.output() });
  } catch (error) {
    // Somebody else goes on with this agent: what is to be done about the rest is for them to say.
    if (!(error instanceof ConcurrencyError)) await settleAfterFailure(memory, warn);
    throw error;
  } finally {
    stop?.();
  }
}

/** What every loop of an agent is given, also one for a single direct call. */
export function loopOptions({ settings, memory, hooks, tools }: InvocationParts) {
  const { choices, id, interventions, systemPrompt, toolExecutor, profile, judge, warn, audit, clock, timers, hash } =
    settings;
  return {
    ...choices,
    model: settings.model,
    tools,
    interventions,
    hooks,
    ...(systemPrompt === undefined ? {} : { system: systemPrompt }),
    executor: toolExecutor,
    profile,
    agent: { id, appState: memory.appState },
    warn,
    ...(judge === undefined ? {} : { judge }),
    ...(audit === undefined ? {} : { audit }),
    clock,
    timers,
    hash,
    limits: settings.limits,
  } satisfies Partial<LoopOptions>;
}

/** The model with everything that is done about its failures, except about too much input. */
export function modelOf({ settings, tracing }: InvocationParts, onDiscard: () => void): ModelFunction {
  const { model, retryStrategy, timers } = settings;
  const traced = tracing.model(model);
  if (retryStrategy === undefined) return traced;
  return withRetry(traced, {
    sleep: sleepWith(timers),
    ...retryStrategy,
    onRetry: (retry) => {
      retryStrategy.onRetry?.(retry);
      if (retry.withdrawnText !== '') onDiscard();
    },
  });
}

const KEEP_ALL = {
  manage: async (messages: readonly Message[]) => messages,
  reduce: async (messages: readonly Message[]) => messages,
};

type Start =
  | { readonly type: 'repeated' }
  /** `afterwards` is said once the unfinished batch is done. */
  | { readonly type: 'go'; readonly input: readonly Message[]; readonly afterwards: readonly Message[] };

/** Saving the answers claims the pause: of several that answer, one goes on. */
async function resume(
  answers: readonly InterruptResponseBlock[],
  { memory, settings }: InvocationParts,
): Promise<Start> {
  const { state, spent } = memory.remembered();
  const standing = { interrupts: state.interrupts ?? [], spent, nowMs: settings.clock.now() };
  if (applyAnswers(answers, standing).type === 'repeated') return { type: 'repeated' };
  await memory.add({ type: 'answered', answers: answers.map(({ interruptResponse }) => interruptResponse) });
  return { type: 'go', input: [], afterwards: [] };
}

async function begin(messages: readonly Message[], { memory, settings }: InvocationParts): Promise<Start> {
  const { state } = memory.remembered();
  const { interrupts = [], pending } = state;
  const nowMs = settings.clock.now();
  const waiting = unanswered(interrupts).filter(({ expiresAtMs }) => expiresAtMs === undefined || expiresAtMs > nowMs);
  if (waiting.length > 0) {
    throw new InterruptedStateError(
      `${settings.id} waits for answers (${waiting.map(({ name }) => name).join(', ')}). Resume it with a list of { interruptResponse: { interruptId, response } }, or dismiss the questions.`,
    );
  }
  // A question outside tool calls was taken back. Its refusal comes first, and then what is new.
  if (pending === undefined && interrupts.length > 0) return { type: 'go', input: [], afterwards: messages };
  if (pending === undefined) {
    if (messages.length === 0 && state.messages.length === 0) {
      throw new TypeError(
        'Nothing was said and nothing was said before, so there is nothing to answer. Give an input.',
      );
    }
    return { type: 'go', input: messages, afterwards: [] };
  }
  if (messages.length === 0 || interrupts.length > 0) return { type: 'go', input: [], afterwards: messages };
  // Left by a process that is gone. The conversation goes on without it.
  await memory.add(...closing(pending, 'This tool call did not run: the conversation went on without it.'));
  return { type: 'go', input: messages, afterwards: [] };
}

function once(messages: readonly Message[]): () => Promise<readonly Message[]> {
  let left = messages;
  return async () => {
    const now = left;
    left = [];
    return now;
  };
}

function closing(pending: PendingBatch, text: string): readonly SessionEntry[] {
  return closingResults(pending, text).map((result) => ({ type: 'result', result, executed: false }));
}

/** What ran is kept with its request; an answer of which nothing ran was never given. A pause survives. */
async function settleAfterFailure(memory: AgentMemory, warn: (message: string) => void): Promise<void> {
  const { pending, interrupts = [] } = memory.remembered().state;
  try {
    if (pending === undefined || interrupts.length > 0) await memory.add();
    else if (isUntouched(pending)) await memory.add({ type: 'dropped' });
    else await memory.add(...closing(pending, 'Tool execution cancelled'));
  } catch (error) {
    // The first failure is the one that counts.
    warn(`What was left of a failed invocation could not be settled: ${String(error)}`);
  }
}

/** The answer is there already: a conversation that cannot be shortened just now stays as it is. */
async function tidy(
  { memory }: InvocationParts,
  fitting: FittingModel,
  context: { readonly signal: AbortSignal; readonly warn: (message: string) => void },
): Promise<void> {
  const { messages, pending, interrupts = [] } = memory.remembered().state;
  if (pending !== undefined || interrupts.length > 0) return memory.add();
  try {
    const kept = await fitting.settle(messages, context);
    if (kept === messages) await memory.add();
    else await memory.add({ type: 'reduced', parts: describeReduction(messages, kept) });
  } catch (error) {
    if (error instanceof ConcurrencyError) throw error;
    context.warn(`The conversation could not be shortened and stays as it is: ${String(error)}`);
  }
}

function glimpse(viewers: readonly Viewer[], item: Parameters<Viewer['glimpse']>[0]): void {
  for (const viewer of viewers) viewer.glimpse(item);
}
