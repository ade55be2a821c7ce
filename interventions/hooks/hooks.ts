import { ConfigurationError, InterruptError, InterventionError } from '../errors.ts';
import type { Interrupt } from '../pipeline/interrupt.ts';
import { isPromise } from '../time.ts';
import { type AgentView, LoopEvent } from './loop-event.ts';

/** The kind of an event is its class. A callback for a class is not called for subclasses. */
export type EventType<Event extends LoopEvent> = abstract new (...parts: never[]) => Event;

export type Callback<Event extends LoopEvent> = (event: Event) => unknown;

/** Lower runs first, on every event. */
export const HOOK_ORDER = {
  first: -100,
  interventionOutput: -90,
  default: 0,
  interventionInput: 90,
  last: 100,
} as const;

export interface HookProvider {
  registerHooks(registry: HookRegistry): void;
}

/** A handler that also observes the agent. Called once, before anything happens. */
export interface LifecycleObserver {
  observeAgent(agent: ObservedAgent): void | Promise<void>;
}

export interface ObservedAgent extends AgentView {
  readonly hooks: HookRegistry;
  readonly toolNames: readonly string[];
}

export interface HookRegistry {
  /** Returns a function that removes exactly this registration. */
  readonly addCallback: <Event extends LoopEvent>(
    type: EventType<Event>,
    callback: Callback<Event>,
    options?: { readonly order?: number },
  ) => () => void;
  readonly addHook: (provider: HookProvider) => void;
  /** The callbacks in the order in which they are invoked. `fits` selects them by their order value. */
  readonly getCallbacksFor: <Event extends LoopEvent>(
    event: Event,
    fits?: (order: number) => boolean,
  ) => readonly Callback<Event>[];
  readonly hasCallbacks: () => boolean;
  readonly invokeCallbacks: <Event extends LoopEvent>(event: Event) => Promise<Invoked<Event>>;
  /**
   * Throws before calling anything when a callback for this event is an async function. Throws as well when a callback
   * returns a promise; the callbacks after that one are not called.
   */
  readonly invokeCallbacksSync: <Event extends LoopEvent>(event: Event) => Invoked<Event>;
}

export interface Invoked<Event> {
  readonly event: Event;
  readonly interrupts: readonly Interrupt[];
}

interface Registration {
  readonly order: number;
  readonly callback: Callback<LoopEvent>;
}

/** `reverseAfter: false` calls the callbacks of every event in the order of their registration. */
export function createHookRegistry(options: { readonly reverseAfter?: boolean } = {}): HookRegistry {
  const { reverseAfter = true } = options;
  const byType = new Map<unknown, readonly Registration[]>();

  const getCallbacksFor = (event: LoopEvent, fits = ANY_ORDER): readonly Callback<LoopEvent>[] => {
    const registered = byType.get(event.constructor);
    if (registered === undefined) return NONE;
    const ordered = reverseAfter && event.reversed ? registered.toReversed() : registered;
    return ordered
      .filter(({ order }) => fits(order))
      .toSorted((one, other) => one.order - other.order)
      .map(({ callback }) => callback);
  };

  const registry: HookRegistry = {
    addCallback: (type, callback, { order = HOOK_ORDER.default } = {}) => {
      checkRegistration(type, callback, order);
      // Callbacks are looked up by the exact class, so the event is an instance of `type`.
      const entry: Registration = { order, callback: callback as Registration['callback'] };
      byType.set(type, [...(byType.get(type) ?? []), entry]);
      return () => {
        byType.set(
          type,
          (byType.get(type) ?? []).filter((other) => other !== entry),
        );
      };
    },
    addHook: (provider) => {
      if (typeof provider?.registerHooks !== 'function') {
        throw new ConfigurationError(
          'A hook has no method registerHooks, so none of its callbacks would be called. Write one.',
        );
      }
      const registered: unknown = provider.registerHooks(registry);
      if (!isPromise(registered)) return;
      // The error below is the one that is reported, so a later rejection of the promise is ignored.
      void Promise.allSettled([registered]);
      throw new ConfigurationError(
        'registerHooks of a hook returned a promise, so its callbacks could come too late. Await first, then give the hook.',
      );
    },
    getCallbacksFor,
    hasCallbacks: () => [...byType.values()].some((entries) => entries.length > 0),
    invokeCallbacks: async (event) => {
      const callbacks = getCallbacksFor(event);
      if (callbacks.length === 0) return { event, interrupts: [] };
      const collector = collectInterrupts();
      await callEach(callbacks, event, collector);
      return { event, interrupts: collector.finish() };
    },
    invokeCallbacksSync: (event) => {
      const callbacks = getCallbacksFor(event);
      if (callbacks.some((callback) => callback.constructor.name === 'AsyncFunction')) {
        throw new InterventionError(
          `A callback for ${event.type} is asynchronous and the call is not. Nothing was called. Use invokeCallbacks.`,
        );
      }
      const collector = collectInterrupts();
      for (const callback of callbacks) {
        try {
          refusePromise(callback(event), event);
          // A callback may raise a question, which is collected. Any other failure is thrown again.
        } catch (error) {
          collector.take(error);
        }
      }
      return { event, interrupts: collector.finish() };
    },
  };
  return registry;
}

/** A misspelt class is `undefined`, and its callback would never be called. */
function checkRegistration(type: unknown, callback: unknown, order: unknown): void {
  const isEvent = typeof type === 'function' && type.prototype instanceof LoopEvent;
  if (isEvent && typeof callback === 'function' && Number.isFinite(order)) return;
  const what = isEvent ? (typeof callback === 'function' ? 'order' : 'callback') : 'class of event';
  throw new ConfigurationError(
    `addCallback() was given no ${what}. Give the class of an event such as BeforeToolCallEvent, a function, and { order } as a number.`,
  );
}

const NONE: readonly Callback<LoopEvent>[] = Object.freeze([]);
const ANY_ORDER = (_order: number): boolean => true;

function refusePromise(returned: unknown, { type }: LoopEvent): void {
  if (!isPromise(returned)) return;
  // The error below is the one that is reported, so a later rejection of the promise is ignored.
  void Promise.allSettled([returned]);
  throw new InterventionError(
    `A callback for ${type} returned a promise and the call is not asynchronous. The callbacks after it were not called. Use invokeCallbacks.`,
  );
}

/** Calls callbacks one after the other. A question is collected. Any other failure ends it at once. */
export async function callEach<Event extends LoopEvent>(
  callbacks: readonly Callback<Event>[],
  event: Event,
  collector: InterruptCollector,
): Promise<void> {
  for (const callback of callbacks) {
    try {
      await callback(event);
      // A callback may raise a question, which is collected. Any other failure is thrown again.
    } catch (error) {
      collector.take(error);
    }
  }
}

export interface InterruptCollector {
  /** Keeps a question, and rethrows any other error. */
  readonly take: (error: unknown) => void;
  readonly finish: () => readonly Interrupt[];
}

export function collectInterrupts(): InterruptCollector {
  const collected: Interrupt[] = [];
  return {
    take: (error) => {
      if (!(error instanceof InterruptError)) throw error;
      collected.push(...error.interrupts);
    },
    finish: () => {
      const names = collected.map(({ name }) => name);
      const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
      if (twice.length === 0) return collected;
      throw new InterventionError(
        `Interrupt names must be unique for one event, and these are not: ${twice.join(', ')}. Rename one of each.`,
      );
    },
  };
}
