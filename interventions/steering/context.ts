import { type AppState, createAppState } from '../app-state.ts';
import { type EventType, HOOK_ORDER, type HookRegistry } from '../hooks/hooks.ts';
import type { LoopEvent } from '../hooks/loop-event.ts';

/** What one steering handler knows: JSON values that are copied in and out, and shared with no other handler. */
export interface SteeringContext {
  readonly data: AppState;
}

/** Keeps a steering context up to date. */
export interface SteeringContextProvider {
  readonly callbacks: () => readonly ContextCallback[];
}

export interface ContextCallback {
  readonly event: EventType<LoopEvent>;
  readonly update: (event: LoopEvent, context: SteeringContext) => void | Promise<void>;
}

/** Makes a callback for the events of one class. */
export function contextCallback<Event extends LoopEvent>(
  type: EventType<Event>,
  update: (event: Event, context: SteeringContext) => void | Promise<void>,
): ContextCallback {
  return {
    event: type,
    update: (event, context) => (isOf(event, type) ? update(event, context) : undefined),
  };
}

export function createSteeringContext(): SteeringContext {
  return { data: createAppState() };
}

/** Registers the callbacks before all others and before the handlers, so that a judgement sees the current event. */
export function subscribe(
  hooks: HookRegistry,
  providers: readonly SteeringContextProvider[],
  context: SteeringContext,
): void {
  for (const { event, update } of providers.flatMap((provider) => provider.callbacks())) {
    hooks.addCallback(event, (happened) => update(happened, context), { order: HOOK_ORDER.first });
  }
}

function isOf<Event extends LoopEvent>(event: LoopEvent, type: EventType<Event>): event is Event {
  return event instanceof type;
}
