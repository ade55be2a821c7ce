import {
  AbortedError,
  canonicalCall,
  createAppState,
  createGuidanceCaps,
  createHookRegistry,
  createInterruptBook,
  createPipeline,
  createTurnstile,
  type DecidedEvent,
  type Dispatched,
  dispatch,
  type EventContext,
  type GuidanceCaps,
  type HookRegistry,
  type InterruptBook,
  type InterventionEvent,
  type Json,
  type LoopEvent,
  type Message,
  MessageAddedEvent,
  type Noted,
  type Pipeline,
  type Profile,
  type Settled,
  shown,
  type Turnstile,
  thrownWithKind,
  type Warning,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { addUsage, NO_USAGE } from '../cost.ts';
import type { LoopFact, LoopTool, Usage } from '../ports.ts';
import { applyFact, type LoopState } from '../transcript.ts';
import { AgentOfRun } from './agent-of-run.ts';
import { auditOf, decisionDraft, type RunDraft } from './audit.ts';
import { LOOP_LIMITS, type LoopLimits, type LoopOptions, type LoopView } from './options.ts';

/** One invocation while it runs. */
export interface Run {
  readonly options: LoopOptions;
  readonly limits: LoopLimits;
  readonly hooks: HookRegistry;
  readonly pipeline: Pipeline;
  readonly caps: GuidanceCaps;
  readonly book: InterruptBook;
  readonly turnstile: Turnstile;
  /** Limits how many tools run at once. */
  readonly workshop: Turnstile;
  readonly signal: AbortSignal;
  readonly agentId: string;
  readonly profile: Profile;
  readonly tool: (name: string) => LoopTool | undefined;
  /** The digest of what people would be shown of a moment. */
  readonly momentDigest: (event: InterventionEvent) => string;
  readonly digest: (call: { readonly name: string; readonly input: Json }) => string;
  readonly state: () => LoopState;
  readonly usage: () => Usage;
  readonly spend: (usage: Usage) => void;
  readonly context: (resumed?: boolean) => EventContext;
  readonly remember: (fact: LoopFact) => Promise<void>;
  readonly say: (message: Message) => Promise<void>;
  readonly show: (view: LoopView) => void;
  /** Asks callbacks and handlers; after an abort, callbacks alone. */
  readonly ask: (event: InterventionEvent, settle?: (noted: Noted) => Promise<Settled>) => Promise<Dispatched>;
  /** Tells callbacks alone. */
  readonly tell: (event: LoopEvent) => Promise<Dispatched['interrupts']>;
  /** Completes a pair of events during an abort. Never fails, because the first failure is the one that counts. */
  readonly close: (event: LoopEvent) => Promise<void>;
  /** After this, nothing starts. */
  readonly abort: (reason: unknown) => void;
  /** Call when all is over: the caller's signal may live on, and keeps nothing of this run. */
  readonly leave: () => void;
  readonly check: () => void;
  readonly warn: (warning: Warning) => void;
  readonly audit: (make: () => RunDraft) => void;
}

export function beginRun(options: LoopOptions): Run {
  const limits = { ...LOOP_LIMITS, ...options.limits };
  const { profile = 'strict', invocationState = {}, agent = { id: 'default', appState: createAppState() } } = options;
  let state = options.state;
  let usage = NO_USAGE;
  const { controller, leave } = following(options.signal);
  const { signal } = controller;
  const tools = tableOf(options.tools);
  const audit = auditOf(options, { invocationState, agentId: agent.id, turn: () => state.turn ?? 0 });
  const warn = warningTo(options, audit);
  const hooks = hooksOf(options.hooks);
  const pipeline = pipelineOf(options, { profile, limits, warn, audit });
  const caps = createGuidanceCaps(profile === 'reference' ? NO_CAPS : limits.guidance);
  const view = new AgentOfRun({ ...agent, warn, judge: options.judge, messages: () => state.messages });

  const run: Run = {
    options,
    limits,
    hooks,
    pipeline,
    caps,
    signal,
    profile,
    warn,
    audit,
    book: createInterruptBook(state.interrupts, options.clock),
    turnstile: createTurnstile(limits.parallelAsks),
    workshop: createTurnstile(limits.parallelTools),
    agentId: agent.id,
    tool: (name) => tools.get(name),
    momentDigest: (event) => options.hash(shown(event)),
    digest: (call) => options.hash(canonicalCall(call)),
    state: () => state,
    usage: () => usage,
    spend: (spent) => {
      usage = addUsage(usage, spent);
    },
    context: (resumed = false) => ({
      agent: view,
      invocationState,
      signal,
      turn: state.turn ?? 0,
      resumed,
      clock: options.clock,
      profile,
    }),
    remember: async (fact) => {
      await options.record?.(fact);
      state = applyFact(state, fact);
    },
    say: (message) => say(run, message),
    show: showingTo(options, warn),
    ...eventsOf({ hooks, pipeline, caps, signal, warn }),
    abort: (reason) => controller.abort(reason),
    leave,
    check: () => {
      if (signal.aborted) throw new AbortedError(signal.reason);
    },
  };
  return run;
}

/**
 * Aborts with the caller's signal, until `leave`. It is cheaper than `AbortSignal.any`, whose signal looks at each of its sources
 * whenever it is asked.
 */
function following(outer: AbortSignal | undefined): {
  readonly controller: AbortController;
  readonly leave: () => void;
} {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return { controller, leave: () => outer?.removeEventListener('abort', abort) };
}

const NO_CAPS = { perTurn: Number.POSITIVE_INFINITY, perInvocation: Number.POSITIVE_INFINITY };

function warningTo(options: LoopOptions, audit: Run['audit']): Run['warn'] {
  return (warning) => {
    options.warn?.(warning);
    const { handler, event, action, message: reason } = warning;
    audit(() => ({ kind: 'warning', handler, event, reason, ...given({ action }) }));
  };
}

function pipelineOf(
  { interventions = [], timers, audit: sink, hash }: LoopOptions,
  { profile, limits, warn, audit }: Pick<Run, 'profile' | 'limits' | 'warn' | 'audit'>,
): Pipeline {
  return createPipeline({
    handlers: interventions,
    profile,
    timers,
    warn,
    handlerTimeoutMs: limits.handlerTimeoutMs,
    ...given({ heard: sink && ((decided: DecidedEvent) => audit(() => decisionDraft(decided, hash))) }),
  });
}

async function say(run: Run, message: Message): Promise<void> {
  await run.remember({ type: 'message', message });
  await run.tell(new MessageAddedEvent(run.context(), { message }));
  run.show({ type: 'message', message });
}

function showingTo(options: LoopOptions, warn: Run['warn']): Run['show'] {
  return (view) => {
    try {
      options.onEvent?.(view);
      // A view is code of the caller and may throw. It must not end a run.
    } catch (error) {
      warn({
        handler: 'onEvent',
        event: view.type,
        message: `A view failed and was ignored: ${thrownWithKind(error)}`,
      });
    }
  };
}

/** How the run asks and tells about an event. */
function eventsOf({
  hooks,
  pipeline,
  caps,
  signal,
  warn,
}: Pick<Run, 'hooks' | 'pipeline' | 'caps' | 'signal' | 'warn'>): Pick<Run, 'ask' | 'tell' | 'close'> {
  const tell: Run['tell'] = async (event) => (await hooks.invokeCallbacks(event)).interrupts;
  return {
    tell,
    ask: async (event, settle) => {
      if (!signal.aborted) return dispatch(event, { hooks, pipeline, caps, ...given({ settle }) });
      return { verdict: { type: 'proceed' }, interrupts: await tell(event) };
    },
    close: async (event) => {
      try {
        await tell(event);
        // A callback may throw. The run is ending for another reason, which is the one to report.
      } catch (error) {
        warn({
          handler: 'hook',
          event: event.type,
          message: `A callback failed while cleaning up: ${thrownWithKind(error)}`,
        });
      }
    },
  };
}

function tableOf(tools: readonly LoopTool[]): ReadonlyMap<string, LoopTool> {
  const table = new Map(tools.map((tool) => [tool.name, tool]));
  if (table.size === tools.length) return table;
  const twice = tools.map(({ name }) => name).find((name, index, names) => names.indexOf(name) !== index);
  throw new TypeError(`Two tools are called ${twice}, so a call would be ambiguous. Rename one of them.`);
}

function hooksOf(given: LoopOptions['hooks']): HookRegistry {
  if (given !== undefined && 'addCallback' in given) return given;
  const hooks = createHookRegistry();
  for (const provider of given ?? []) hooks.addHook(provider);
  return hooks;
}
