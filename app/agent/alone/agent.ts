import { randomUUID } from 'node:crypto';
import {
  type AppState,
  ConcurrencyError,
  clone,
  createHookRegistry,
  type HookProvider,
  type HookRegistry,
  type Interrupt,
  type Message,
  unanswered,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { createTracing, type LoopTool, type Tracing } from '../index.ts';
import { agentAsTool } from './as-tool.ts';
import { checkAgentOptions, checkInvokeOptions } from './check.ts';
import { callDirectly, checkDirectOptions, type DirectCall, directCaller, findTool } from './direct.ts';
import { type AgentInput, readInput } from './input/input.ts';
import { promptText, type SystemPrompt } from './input/prompt.ts';
import { askBeside, type StructuredPrompt } from './input/question.ts';
import { type InvocationParts, introduce, loopOptions, runInvocation } from './invocation.ts';
import { type AgentMemory, createAgentMemory, stateOf } from './memory/keep.ts';
import {
  type AgentOptions,
  type AgentSettings,
  type AgentSnapshot,
  type InvokeOptions,
  settleOptions,
} from './options.ts';
import type { AgentResult } from './result.ts';
import { takeBack } from './start.ts';
import { streamOf } from './stream.ts';
import type { OutputSchema } from './structured.ts';
import { createToolBox, type ToolBox } from './tools.ts';
import { type AgentItem, callbackViewer, type Viewer, watch } from './view.ts';

/** Releases the tools of an agent that was garbage-collected. A safety net for callers that forget `cleanup()`. */
const ABANDONED = new FinalizationRegistry<ToolBox>((tools) => {
  // The agent is gone, so no caller is left to hear of a failure.
  void Promise.allSettled([tools.cleanup()]);
});

/** A model with tools, interventions and a memory: one invocation at a time. */
export class Agent {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly hooks: HookRegistry;
  /** `agent.tool.<name>(input)` runs a tool without the model, through the same interventions. */
  readonly tool: Readonly<Record<string, DirectCall>>;
  readonly #settings: AgentSettings;
  readonly #memory: AgentMemory;
  readonly #tools: ToolBox;
  readonly #tracing: Tracing;
  #systemPrompt: string | undefined;
  #running: AbortController | undefined;

  constructor(options: AgentOptions) {
    checkAgentOptions(options);
    const settings = settleOptions(options);
    const { id, name, description, snapshot, messages, appState, sessionManager } = settings;
    this.id = id;
    this.name = name;
    this.description = description;
    this.#systemPrompt = settings.systemPrompt;
    this.#settings = settings;
    this.#tools = createToolBox(settings.tools, settings.loadToolsFromDirectory);
    if (this.#tools.complete) for (const handler of settings.interventions) handler.checkTools?.(this.toolNames);
    this.#tracing = createTracing({ attributes: settings.traceAttributes, agentName: name });
    this.hooks = createHookRegistry();
    this.hooks.addHook(this.#tracing);
    for (const provider of settings.hooks) this.hooks.addHook(provider);
    this.#memory = createAgentMemory({
      agentId: id,
      session: sessionManager,
      initial: snapshot ?? { state: stateOf(messages), appState, spent: [] },
      warn: (message) => settings.warn({ handler: 'agent', event: 'initialized', message }),
    });
    this.tool = directCaller((accessor) => this.#direct(accessor));
    ABANDONED.register(this, this.#tools);
  }

  /** The system prompt as text. A new prompt counts from the next model call on. */
  get systemPrompt(): string | undefined {
    return this.#systemPrompt;
  }
  set systemPrompt(prompt: SystemPrompt | undefined) {
    this.#systemPrompt = promptText(prompt);
  }
  get messages(): readonly Message[] {
    return this.#memory.remembered().state.messages;
  }
  get appState(): AppState {
    return this.#memory.appState;
  }
  /** Names of all tools. Those of providers and of a folder are included from first use on. */
  get toolNames(): readonly string[] {
    return this.#tools.tools().map(({ name }) => name);
  }
  /** Whether an invocation is under way. Another one would be refused. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }
  /** The questions without an answer. */
  async interrupts(): Promise<readonly Interrupt[]> {
    if (this.#running === undefined) await this.#load();
    return clone(unanswered(this.#memory.remembered().state.interrupts ?? []));
  }

  /**
   * Loads tools and session, shows the agent to handlers that observe it, and tells `InitializedEvent`. Otherwise the
   * first invocation does so; observers and callbacks hear of it only once.
   */
  async initialize(): Promise<void> {
    await this.#load();
    await introduce(this.#parts());
  }

  async invoke<Output = unknown>(
    input?: AgentInput,
    options: InvokeOptions<Output> = {},
  ): Promise<AgentResult<Output>> {
    return this.#invoke(input, options, []);
  }

  /** The same, as a stream. The invocation goes on only while the caller takes items; leaving cancels it. */
  stream<Output = unknown>(
    input?: AgentInput,
    options: InvokeOptions<Output> = {},
  ): AsyncIterableIterator<AgentItem, undefined> {
    return streamOf((viewer, leaving) => {
      const { cancelSignal } = options;
      const signal = cancelSignal === undefined ? leaving : AbortSignal.any([cancelSignal, leaving]);
      return this.#invoke(input, { ...options, cancelSignal: signal }, [viewer]);
    });
  }

  /**
   * Asks one question for an answer of this shape: no tools, no events, and nothing is remembered. Without a prompt,
   * the question is about the conversation so far.
   */
  structuredOutput<Output>(schema: OutputSchema<Output>, prompt?: StructuredPrompt): Promise<Output> {
    return this.#alone((parts, signal) => askBeside(schema, prompt, { parts, signal }));
  }

  /** Gives the current invocation up. It ends as `cancelled`, and the agent can be used again. */
  cancel(): void {
    this.#running?.abort('cancelled');
  }

  /** Takes questions back: those with these ids, or all. The next `invoke()` goes on. */
  dismiss(reason: string, ids?: readonly string[]): Promise<void> {
    return this.#alone(() => takeBack(this.#memory, { reason, ...given({ ids }) }));
  }

  /** Everything that another agent with the same configuration needs to go on from here, as data. */
  snapshot(): AgentSnapshot {
    return clone({ version: 1, ...this.#memory.remembered(), appState: this.appState.toJSON() });
  }

  addHook(provider: HookProvider): void {
    this.hooks.addHook(provider);
  }

  /** Releases what the providers of its tools hold. */
  cleanup(): Promise<void> {
    return this.#tools.cleanup();
  }

  /** This agent as a tool of another one. */
  asTool(): LoopTool {
    return agentAsTool(this, () => this.#settings.clock.now());
  }

  async #invoke<Output>(
    input: AgentInput,
    options: InvokeOptions<Output>,
    viewers: readonly Viewer[],
  ): Promise<AgentResult<Output>> {
    checkInvokeOptions(options);
    const { limits = {}, invocationState = {}, cancelSignal } = options;
    const given = readInput(input);
    const { callbackHandler, structuredOutputSchema, warn } = this.#settings;
    // The type of the agent's own schema is known only to the caller that made the agent.
    const schema = options.structuredOutputSchema ?? (structuredOutputSchema as OutputSchema<Output> | undefined);
    const ignored = (message: string) => warn({ handler: 'callbackHandler', event: 'invocation', message });
    const all = callbackHandler === undefined ? viewers : [...viewers, callbackViewer(callbackHandler, ignored)];
    return this.#alone(async (parts, signal) => {
      const stops = all.map((viewer) => watch(this.hooks, viewer));
      try {
        return await runInvocation<Output>(given, parts, { invocationState, schema, limits, signal, viewers: all });
      } finally {
        for (const stop of stops) stop();
      }
    }, cancelSignal);
  }

  #direct(accessor: string): DirectCall {
    return async (input = {}, options = {}) => {
      checkDirectOptions(options);
      const { record = this.#settings.recordDirectToolCall } = options;
      const call = async (parts: InvocationParts, signal: AbortSignal | undefined) => {
        const { name } = findTool(parts.tools, accessor);
        const direct = { memory: this.#memory, loop: loopOptions(parts), toolUseId: `direct-${randomUUID()}`, record };
        return callDirectly({ name, input }, direct, { ...options, ...given({ signal }) });
      };
      if (record) return this.#alone(call, options.signal);
      // A call that is not recorded may run beside an invocation.
      if (this.#running === undefined) await this.#load();
      else await this.#tools.load();
      return call(this.#parts(), options.signal);
    };
  }

  async #load(): Promise<void> {
    await this.#tools.load();
    await this.#memory.refresh();
  }

  #parts(): InvocationParts {
    const [settings, memory, hooks, tracing] = [this.#settings, this.#memory, this.hooks, this.#tracing];
    return { settings, memory, systemPrompt: () => this.#systemPrompt, hooks, tracing, tools: this.#tools.tools() };
  }

  /** Runs one work at a time. Refuses a second one before anything is touched, and is free again however the work ends. */
  async #alone<Value>(
    work: (parts: InvocationParts, signal: AbortSignal) => Promise<Value>,
    outside?: AbortSignal,
  ): Promise<Value> {
    if (this.#running !== undefined) {
      throw new ConcurrencyError(`${this.id} is busy with another invocation. Wait for it to end, or cancel it.`);
    }
    const running = new AbortController();
    const cancel = () => running.abort('cancelled');
    this.#running = running;
    outside?.addEventListener('abort', cancel, { once: true });
    if (outside?.aborted === true) cancel();
    try {
      await this.#load();
      return await work(this.#parts(), running.signal);
    } finally {
      outside?.removeEventListener('abort', cancel);
      this.#running = undefined;
    }
  }
}
