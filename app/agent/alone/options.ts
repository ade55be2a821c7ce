import {
  type AnyHandler,
  type AuditSink,
  ConfigurationError,
  createPipeline,
  type HookProvider,
  type InvocationState,
  type Json,
  type Judge,
  type Message,
  type Profile,
  type Warning,
} from '../../../interventions/index.ts';
import {
  type ConversationManager,
  type LoopChoices,
  type LoopLimits,
  type ModelFunction,
  slidingWindow,
  type TraceAttributes,
} from '../index.ts';
import type { RetryOptions } from '../model/index.ts';
import { promptText, type SystemPrompt } from './input/prompt.ts';
import { checkId, type SessionManager } from './memory/session.ts';
import type { Remembered } from './memory/session-entry.ts';
import { checkMemory } from './memory/stored.ts';
import type { OutputSchema } from './structured.ts';
import type { DirectoryLoader, ToolSource } from './tools.ts';
import type { AgentItem } from './view.ts';
import { type AgentWorld, THIS_WORLD } from './world.ts';

/** The model of an agent. One that keeps the conversation itself cannot have it shortened here. */
export type AgentModel = ModelFunction & { readonly keepsHistory?: boolean };

/** What new input does while people are asked. */
export type WhileWaiting = 'reject' | 'dismissAndContinue' | 'queue';

export interface AgentOptions extends Partial<AgentWorld>, LoopChoices {
  /** A function, or a name that `resolveModel` knows. */
  readonly model: AgentModel | string;
  readonly resolveModel?: (name: string) => AgentModel;
  /** Earlier messages. Callbacks and handlers are not told of them. */
  readonly messages?: readonly Message[];
  /** The tools of the agent. Lists may be nested. An agent becomes a tool that hands it work. */
  readonly tools?: readonly ToolSource[];
  readonly systemPrompt?: SystemPrompt;
  /** The shape of every answer, unless an invocation names another. */
  readonly structuredOutputSchema?: OutputSchema<unknown>;
  /** Called with everything that happens. What it throws is ignored. */
  readonly callbackHandler?: ((item: AgentItem) => unknown) | null;
  /** Default: keeps the newest 40 messages. `null` keeps everything. */
  readonly conversationManager?: ConversationManager | null;
  /** Writes direct tool calls into the conversation. Default yes. */
  readonly recordDirectToolCall?: boolean;
  /** Loads more tools at first use. */
  readonly loadToolsFromDirectory?: false | DirectoryLoader;
  readonly traceAttributes?: TraceAttributes;
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly appState?: Readonly<Record<string, Json>>;
  readonly hooks?: readonly HookProvider[];
  readonly sessionManager?: SessionManager;
  readonly toolExecutor?: 'concurrent' | 'sequential';
  /** Default: 6 tries, 4 s doubling to 240 s. `null`: no retries. */
  readonly retryStrategy?: RetryOptions | null;
  readonly interventions?: readonly AnyHandler[];
  /** New input while the agent waits for answers is refused, kept for later, or takes the place of the answers. */
  readonly whileWaiting?: WhileWaiting;
  /** The state of another agent with this configuration, as `snapshot()` gave it. */
  readonly snapshot?: AgentSnapshot;
  readonly limits?: Partial<LoopLimits>;
  readonly profile?: Profile;
  /** A model that handlers may borrow for judgements. */
  readonly judge?: Judge;
  readonly warn?: (warning: Warning) => void;
  /** Called with a record of every decision and its outcome. */
  readonly audit?: AuditSink;
}

export interface InvokeOptions<Output = unknown> {
  readonly invocationState?: InvocationState;
  /** The schema for this invocation, in place of the agent's own. */
  readonly structuredOutputSchema?: OutputSchema<Output>;
  readonly cancelSignal?: AbortSignal;
  readonly limits?: Partial<LoopLimits>;
}

/** Everything that an agent needs to go on elsewhere, as JSON. */
export interface AgentSnapshot extends Remembered {
  readonly version: 1;
}

type WithDefault =
  | 'messages'
  | 'tools'
  | 'recordDirectToolCall'
  | 'traceAttributes'
  | 'id'
  | 'name'
  | 'appState'
  | 'hooks'
  | 'toolExecutor'
  | 'interventions'
  | 'whileWaiting'
  | 'limits'
  | 'profile'
  | 'warn';
type WithoutDefault = 'structuredOutputSchema' | 'description' | 'sessionManager' | 'snapshot' | 'judge' | 'audit';

/** The options with every default filled in. */
export type AgentSettings = AgentWorld &
  Required<Pick<AgentOptions, WithDefault>> & { readonly [Name in WithoutDefault]: AgentOptions[Name] } & {
    readonly model: AgentModel;
    readonly systemPrompt: string | undefined;
    readonly callbackHandler: ((item: AgentItem) => unknown) | undefined;
    readonly conversationManager: ConversationManager | undefined;
    readonly loadToolsFromDirectory: DirectoryLoader | undefined;
    readonly retryStrategy: RetryOptions | undefined;
    readonly choices: LoopChoices;
  };

/** Fills in defaults, and refuses options that could not work before anything happens. */
export function settleOptions(options: AgentOptions): AgentSettings {
  const { timers = THIS_WORLD.timers, profile = 'strict', limits = {}, id = 'default' } = options;
  const model = modelOf(options);
  checkId('agent', id);
  const { interventions = [], snapshot, sessionManager } = options;
  // Made only for its checks: names that occur twice, and gates that could fail open.
  createPipeline({ handlers: interventions, timers, profile });
  checkMemory(options);
  if (snapshot !== undefined && (sessionManager !== undefined || options.messages !== undefined)) {
    throw new ConfigurationError('A snapshot brings its own messages. Give a snapshot, or messages, or a session.');
  }
  return {
    model,
    messages: options.messages ?? [],
    tools: options.tools ?? [],
    systemPrompt: promptText(options.systemPrompt),
    structuredOutputSchema: options.structuredOutputSchema,
    callbackHandler: options.callbackHandler ?? undefined,
    conversationManager: conversationManagerOf(options, model),
    recordDirectToolCall: options.recordDirectToolCall ?? true,
    loadToolsFromDirectory: loaderOf(options),
    traceAttributes: options.traceAttributes ?? {},
    id,
    name: options.name ?? 'Countersign',
    description: options.description,
    appState: options.appState ?? {},
    hooks: options.hooks ?? [],
    sessionManager,
    toolExecutor: options.toolExecutor ?? 'concurrent',
    retryStrategy: options.retryStrategy === null ? undefined : (options.retryStrategy ?? {}),
    interventions,
    whileWaiting: options.whileWaiting ?? 'reject',
    snapshot,
    limits,
    profile,
    judge: options.judge,
    warn: options.warn ?? (() => {}),
    audit: options.audit,
    choices: choicesOf(options),
    clock: options.clock ?? THIS_WORLD.clock,
    timers,
    hash: options.hash ?? THIS_WORLD.hash,
  };
}

function choicesOf({
  whenChanged = 'askAgain',
  deniedInvocation = 'storePair',
  bufferText = false,
}: LoopChoices): LoopChoices {
  return { whenChanged, deniedInvocation, bufferText };
}

function modelOf({ model, resolveModel }: AgentOptions): AgentModel {
  if (typeof model === 'function') return model;
  const found = typeof model === 'string' ? resolveModel?.(model) : undefined;
  if (typeof found === 'function') return found;
  throw new ConfigurationError(
    `An agent needs a model, and ${JSON.stringify(model) ?? 'nothing'} is none. Give a function, or a name for which resolveModel returns a function and no promise.`,
  );
}

function conversationManagerOf(options: AgentOptions, model: AgentModel): ConversationManager | undefined {
  const { conversationManager } = options;
  if (model.keepsHistory !== true) {
    return conversationManager === undefined ? slidingWindow() : (conversationManager ?? undefined);
  }
  if (conversationManager === undefined || conversationManager === null) return undefined;
  throw new ConfigurationError(
    'This model keeps the conversation itself, so no conversation manager can shorten it. Leave the manager out.',
  );
}

function loaderOf({ loadToolsFromDirectory = false }: AgentOptions): DirectoryLoader | undefined {
  if (loadToolsFromDirectory === false) return undefined;
  if (typeof loadToolsFromDirectory === 'function') return loadToolsFromDirectory;
  throw new ConfigurationError(
    'loadToolsFromDirectory runs code of others, so it is a function that loads the tools. Hand one in, or false.',
  );
}
