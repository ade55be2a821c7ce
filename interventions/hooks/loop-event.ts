import type { AppState } from '../app-state.ts';
import type { Judge } from '../judge.ts';
import type { Message } from '../messages.ts';
import type { Profile } from '../pipeline/profile.ts';
import type { Clock } from '../time.ts';

/** One mutable object for all handlers, callbacks and tools of an invocation. Never stored. */
export type InvocationState = Record<string, unknown>;

/** What an event shows of the agent. */
export interface AgentView {
  readonly id: string;
  /** Durable values that belong to the agent. */
  readonly appState: AppState;
  readonly messages: readonly Message[];
  /** A model for judgements, if the agent lends one. */
  readonly judge?: Judge;
  /** Tells the owner of the agent that a handler did not do what was asked of it. */
  readonly warn?: (warning: Warning) => void;
}

export interface Warning {
  readonly handler: string;
  readonly event: string;
  readonly action?: string;
  readonly policy?: string;
  readonly message: string;
}

export interface EventContext {
  readonly agent: AgentView;
  readonly invocationState: InvocationState;
  /** Aborted when the invocation is given up. */
  readonly signal: AbortSignal;
  /** Counts model answers over the life of the agent. */
  readonly turn: number;
  /** Whether the same moment is judged again after a pause. */
  readonly resumed: boolean;
  readonly clock: Clock;
  /** Default `strict`. */
  readonly profile?: Profile;
}

/** The base of all events. */
export abstract class LoopEvent {
  readonly #context: EventContext;

  constructor(context: EventContext) {
    this.#context = context;
  }
  abstract get type(): string;
  /** Whether callbacks run in the reverse of their registration. An event of your own overrides it. */
  get reversed(): boolean {
    return false;
  }
  get agent() {
    return this.#context.agent;
  }
  get invocationState() {
    return this.#context.invocationState;
  }
  get signal() {
    return this.#context.signal;
  }
  get turn() {
    return this.#context.turn;
  }
  get nowMs() {
    return this.#context.clock.now();
  }
  get resumed() {
    return this.#context.resumed;
  }
  /** The profile of the loop. */
  get profile(): Profile {
    return this.#context.profile ?? 'strict';
  }
  /** The event as data, without the agent, the tools and the invocation state, which must not be stored. */
  toJSON(): Record<string, unknown> {
    const shown: Record<string, unknown> = { type: this.type };
    for (let level: unknown = this; level !== null && typeof level === 'object'; level = Object.getPrototypeOf(level)) {
      for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
        if (name in shown || HIDDEN.has(name) || typeof value === 'function') continue;
        const read = get === undefined ? value : Reflect.apply(get, this, []);
        shown[name] = read instanceof Error ? { name: read.name, message: read.message } : read;
      }
    }
    return shown;
  }
}

const HIDDEN = new Set(['agent', 'profile', 'reversed', 'invocationState', 'signal', 'selectedTool', '__proto__']);
