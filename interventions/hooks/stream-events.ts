import type { ContentBlock, Json, Message, ToolResultBlock, ToolUseBlock } from '../messages.ts';
import type { Interrupt, RaiseInterrupt } from '../pipeline/interrupt.ts';
import { type EventContext, LoopEvent } from './loop-event.ts';
import { CancellableEvent } from './turn-events.ts';

/** The agent is ready, and nothing has happened yet. */
export class InitializedEvent extends LoopEvent {
  get type() {
    return 'initialized' as const;
  }
}

export class AfterInvocationEvent extends LoopEvent {
  readonly #error: unknown;
  /** Set it to start a new invocation with these messages, after a clean end. */
  resume: readonly Message[] | undefined;

  constructor(context: EventContext, { error }: { readonly error?: unknown } = {}) {
    super(context);
    this.#error = error;
    this.resume = undefined;
  }
  get type() {
    return 'afterInvocation' as const;
  }
  override get reversed() {
    return true;
  }
  /** Why the invocation was given up. Absent after a clean end. */
  get error() {
    return this.#error;
  }
}

/** Told before the first tool call of an answer. */
export class BeforeToolsEvent extends CancellableEvent {
  readonly #fields: { readonly message: Message; readonly interrupt: RaiseInterrupt };

  constructor(context: EventContext, fields: { readonly message: Message; readonly interrupt: RaiseInterrupt }) {
    super(context);
    this.#fields = fields;
  }
  get type() {
    return 'beforeTools' as const;
  }
  get message() {
    return this.#fields.message;
  }
  interrupt(request: Parameters<RaiseInterrupt>[0]): Json {
    return this.#fields.interrupt(request);
  }
}

export class AfterToolsEvent extends LoopEvent {
  readonly #results: readonly ToolResultBlock[];
  /** Ends the invocation without asking the model again. A text, or blocks, become the last message. */
  endTurn: boolean | string | readonly ContentBlock[] = false;

  constructor(context: EventContext, { results }: { readonly results: readonly ToolResultBlock[] }) {
    super(context);
    this.#results = results;
  }
  get type() {
    return 'afterTools' as const;
  }
  override get reversed() {
    return true;
  }
  get results() {
    return this.#results;
  }
}

export class MessageAddedEvent extends LoopEvent {
  readonly #message: Message;

  constructor(context: EventContext, { message }: { readonly message: Message }) {
    super(context);
    this.#message = message;
  }
  get type() {
    return 'messageAdded' as const;
  }
  get message() {
    return this.#message;
  }
}

/** The model's whole answer, before handlers judge it. */
export class ModelMessageEvent extends LoopEvent {
  readonly #message: Message;

  constructor(context: EventContext, { message }: { readonly message: Message }) {
    super(context);
    this.#message = message;
  }
  get type() {
    return 'modelMessage' as const;
  }
  get message() {
    return this.#message;
  }
}

/** The streamed text is not the answer, so a surface takes it back. */
export class ResponseDiscardedEvent extends LoopEvent {
  get type() {
    return 'responseDiscarded' as const;
  }
}

export class ToolResultEvent extends LoopEvent {
  readonly #fields: { readonly toolUse: ToolUseBlock; readonly result: ToolResultBlock };

  constructor(context: EventContext, fields: { readonly toolUse: ToolUseBlock; readonly result: ToolResultBlock }) {
    super(context);
    this.#fields = fields;
  }
  get type() {
    return 'toolResult' as const;
  }
  get toolUse() {
    return this.#fields.toolUse;
  }
  get result() {
    return this.#fields.result;
  }
}

/** Told for each question that waits, at every pause. */
export class InterruptEvent extends LoopEvent {
  readonly #interrupt: Interrupt;

  constructor(context: EventContext, { interrupt }: { readonly interrupt: Interrupt }) {
    super(context);
    this.#interrupt = interrupt;
  }
  get type() {
    return 'interrupt' as const;
  }
  get interrupt() {
    return this.#interrupt;
  }
}

/** How the invocation ended, as data. */
export class AgentResultEvent extends LoopEvent {
  readonly #result: { readonly type: string };

  constructor(context: EventContext, { result }: { readonly result: { readonly type: string } }) {
    super(context);
    this.#result = result;
  }
  get type() {
    return 'agentResult' as const;
  }
  get result() {
    return this.#result;
  }
}
