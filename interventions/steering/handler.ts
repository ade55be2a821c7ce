import { type Confirm, confirm, type Guide, guide, type Proceed, proceed } from '../actions.ts';
import { ConfigurationError, checkOptions, HandlerFailureError, type OptionKind } from '../errors.ts';
import type { AfterModelCallEvent, BeforeToolCallEvent } from '../hooks/events.ts';
import type { ObservedAgent } from '../hooks/hooks.ts';
import type { AgentView } from '../hooks/loop-event.ts';
import type { Message, StopReason, ToolUseBlock } from '../messages.ts';
import type { Awaitable, Handler, OnError } from '../pipeline/handler.ts';
import { type ModelSteeringAction, steer, type ToolSteeringAction } from './actions.ts';
import { createSteeringContext, type SteeringContext, type SteeringContextProvider, subscribe } from './context.ts';

export interface SteeringOptions {
  /** Unique among the handlers of an agent. */
  readonly name?: string;
  readonly contextProviders?: readonly SteeringContextProvider[];
  /**
   * Default: if judging a call fails, the call is denied; if judging an answer fails, the answer stands with a warning.
   * `throw` ends the run in both cases.
   */
  readonly onError?: Exclude<OnError, 'proceed'>;
}

export interface ToolSteeringMoment {
  readonly agent: AgentView;
  /** The call that would really run. */
  readonly toolUse: ToolUseBlock;
  readonly event: BeforeToolCallEvent;
}

export interface ModelSteeringMoment {
  readonly agent: AgentView;
  readonly message: Message;
  readonly stopReason: StopReason;
  readonly event: AfterModelCallEvent;
}

/** The compiler sees that each is here. */
export const STEERING_OPTIONS: Readonly<Record<keyof SteeringOptions, OptionKind>> = {
  name: true,
  contextProviders: 'a list',
  onError: true,
};

/** The options of a subclass without those of its own, which it may hand on. */
export function shared(options: object, known: Readonly<Record<string, OptionKind>>): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(known, name)));
}

/**
 * A handler that advises or asks, and never denies. Override the methods you need. An answer of a person is judged by
 * the strict evaluator, so a no is a no.
 */
export class SteeringHandler implements Handler {
  readonly name: string;
  readonly gate = true;
  readonly onError: OnError;
  readonly onAnswerError: OnError;
  readonly context: SteeringContext = createSteeringContext();
  readonly #providers: readonly SteeringContextProvider[];
  #agent: string | undefined;

  constructor(options: SteeringOptions = {}) {
    checkOptions(
      'SteeringHandler',
      new.target === SteeringHandler ? options : shared(options, STEERING_OPTIONS),
      STEERING_OPTIONS,
    );
    const { name = 'countersign:steering', contextProviders = [], onError = 'deny' } = options;
    if (contextProviders.some((provider) => typeof provider?.callbacks !== 'function')) {
      throw new ConfigurationError(
        `${name} has a context provider without callbacks(). Give one such as toolLedger().`,
      );
    }
    this.name = name;
    this.onError = onError;
    this.onAnswerError = onError === 'deny' ? 'proceed' : onError;
    this.#providers = contextProviders;
  }

  steerBeforeTool(_moment: ToolSteeringMoment): Awaitable<ToolSteeringAction> {
    return steer.proceed('nothing to say');
  }

  steerAfterModel(_moment: ModelSteeringMoment): Awaitable<ModelSteeringAction> {
    return steer.proceed('nothing to say');
  }

  /** The context is that of one agent. An agent with the same id goes on with it, for example from a snapshot. */
  observeAgent({ id, hooks }: ObservedAgent): void {
    if (this.#providers.length === 0) return;
    this.#agent ??= id;
    if (this.#agent !== id) {
      throw new ConfigurationError(
        `${this.name} keeps in its context what the agent ${this.#agent} does, and was given to the agent ${id} as well. Make a handler for each agent.`,
      );
    }
    subscribe(hooks, this.#providers, this.context);
  }

  async beforeToolCall(event: BeforeToolCallEvent): Promise<Proceed | Guide | Confirm> {
    const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId: event.toolUse.toolUseId, ...event.effective() };
    const action = await this.steerBeforeTool({ agent: event.agent, toolUse, event });
    switch (action?.type) {
      case 'proceed':
        return proceed({ reason: action.reason });
      case 'guide':
        return guide(action.reason);
      case 'interrupt':
        return confirm(action.reason);
      default:
        throw this.#unknown(action, event.type);
    }
  }

  async afterModelCall(event: AfterModelCallEvent): Promise<Proceed | Guide> {
    if (event.stopData === undefined) return proceed();
    const { message, stopReason } = event.stopData;
    const action = await this.steerAfterModel({ agent: event.agent, message, stopReason, event });
    switch (action?.type) {
      case 'proceed':
        return proceed({ reason: action.reason });
      case 'guide':
        return guide(action.reason);
      default:
        throw this.#unknown(action, event.type);
    }
  }

  /** The failure for an unknown kind of action: it must not count as a yes. */
  #unknown(action: unknown, event: string): HandlerFailureError {
    const kind = typeof action === 'object' && action !== null && 'type' in action ? action.type : action;
    return new HandlerFailureError(
      `${this.name} steered with ${JSON.stringify(kind) ?? 'nothing'} on ${event}, which is not possible there. Use a function of steer.`,
      { handler: this.name, event },
    );
  }
}
