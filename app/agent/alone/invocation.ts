import {
  ConcurrencyError,
  checkAskers,
  clone,
  type HookRegistry,
  type InvocationState,
  type Message,
  thrownWithKind,
  unanswered,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { pause } from '../../time/index.ts';
import {
  type Ahead,
  beginRun,
  type FittingModel,
  fittingModel,
  isUntouched,
  judgeAhead,
  type LoopLimits,
  type LoopOptions,
  type LoopTool,
  type ModelFunction,
  observe,
  runLoop,
  type Tracing,
} from '../index.ts';
import { withRetry } from '../model/index.ts';
import { checkAnswer } from './check.ts';
import type { GivenInput } from './input/input.ts';
import type { AgentMemory } from './memory/keep.ts';
import { describeReduction } from './memory/reduction.ts';
import type { AgentSettings } from './options.ts';
import { type AgentResult, resultOf, unchangedResult } from './result.ts';
import { closing, startOf } from './start.ts';
import { type OutputSchema, structuring } from './structured.ts';
import { glimpseOf, type Viewer } from './view.ts';

export interface InvocationParts {
  readonly settings: AgentSettings;
  readonly memory: AgentMemory;
  readonly systemPrompt: () => string | undefined;
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

/** Runs one invocation from its input to its result. Everything that happens is recorded as it happens. */
export async function runInvocation<Output>(
  given: GivenInput,
  parts: InvocationParts,
  invocation: Invocation<Output>,
): Promise<AgentResult<Output>> {
  const { settings, memory, hooks, tools } = parts;
  const { invocationState, signal, viewers } = invocation;
  checkAskers(memory.remembered().state.interrupts ?? [], settings.interventions);
  const start = await startOf(given, { ...parts, judge: (words) => judgeWords(words, parts, invocation) });
  if (start.type !== 'go') {
    const { messages, interrupts = [] } = memory.remembered().state;
    const endedBy = start.type === 'refused' ? { handler: start.handler, text: start.text } : undefined;
    return unchangedResult({ messages, interrupts: clone(unanswered(interrupts)), endedBy }, invocationState);
  }
  const warn = (message: string) => settings.warn({ handler: 'agent', event: 'invocation', message });
  const onDiscard = () => {
    // Text that was held back was not shown, so there is nothing to take back.
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
    // Anything may fail here. Unless another process goes on with this agent, the conversation is put in order first.
  } catch (error) {
    if (!(error instanceof ConcurrencyError)) await settleAfterFailure(memory, warn);
    throw error;
  } finally {
    stop?.();
  }
}

/** Shows the agent to its observers and tells `InitializedEvent`, unless that was done before. */
export async function introduce(parts: InvocationParts): Promise<void> {
  await observe(beginRun({ ...loopOptions(parts), state: parts.memory.remembered().state }));
}

/** Asks the handlers about words in a run of their own, which says nothing. */
async function judgeWords<Output>(
  words: readonly Message[],
  parts: InvocationParts,
  { signal, invocationState }: Invocation<Output>,
): Promise<Ahead> {
  const run = beginRun({ ...loopOptions(parts), state: parts.memory.remembered().state, signal, invocationState });
  return observe(run)
    .then(() => judgeAhead(run, words))
    .finally(run.leave);
}

/** The options of every loop of an agent, also of one for a single direct call. */
export function loopOptions({ settings, memory, systemPrompt, hooks, tools }: InvocationParts) {
  const { choices, id, interventions, toolExecutor, profile, judge, warn, audit, clock, timers, hash } = settings;
  return {
    ...choices,
    model: settings.model,
    tools,
    interventions,
    hooks,
    system: systemPrompt,
    executor: toolExecutor,
    profile,
    agent: { id, appState: memory.appState },
    warn,
    ...given({ judge, audit }),
    clock,
    timers,
    hash,
    limits: settings.limits,
  } satisfies Partial<LoopOptions>;
}

/** The model with retries and tracing. It leaves requests that are too long to the caller. */
export function modelOf({ settings, tracing }: InvocationParts, onDiscard: () => void): ModelFunction {
  const { model, retryStrategy, timers } = settings;
  const traced = tracing.model(async (request, context) => checkAnswer(await model(request, context)));
  if (retryStrategy === undefined) return traced;
  return withRetry(traced, {
    sleep: (ms, signal) => pause(ms, { signal, timers }),
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

function once(messages: readonly Message[]): () => Promise<readonly Message[]> {
  let left = messages;
  return async () => {
    const now = left;
    left = [];
    return now;
  };
}

/** After a failure, keeps what ran with its request, and drops an answer of which no call ran. A pause survives. */
async function settleAfterFailure(memory: AgentMemory, warn: (message: string) => void): Promise<void> {
  const { pending, interrupts = [] } = memory.remembered().state;
  try {
    if (pending === undefined || interrupts.length > 0) await memory.add();
    else if (isUntouched(pending)) await memory.add({ type: 'dropped' });
    else await memory.add(...closing(pending, 'Tool execution cancelled'));
    // The session may fail as well. The caller gets the first failure, and this one is only a warning.
  } catch (error) {
    warn(`What was left of a failed invocation could not be settled: ${thrownWithKind(error)}`);
  }
}

/** Shortens the conversation when the answer is there. A failure therefore only leaves the conversation as it is. */
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
    // A manager may fail, for example while it asks a model. Only another process that went on ends the invocation.
  } catch (error) {
    if (error instanceof ConcurrencyError) throw error;
    context.warn(`The conversation could not be shortened and stays as it is: ${thrownWithKind(error)}`);
  }
}

function glimpse(viewers: readonly Viewer[], item: Parameters<Viewer['glimpse']>[0]): void {
  for (const viewer of viewers) viewer.glimpse(item);
}
