import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  HOOK_ORDER,
  type HookRegistry,
  InitializedEvent,
  InterruptEvent,
  type LoopEvent,
  MessageAddedEvent,
  ModelMessageEvent,
  ResponseDiscardedEvent,
  ToolResultEvent,
  thrownWithKind,
} from '../../../interventions/index.ts';
import type { LoopView } from '../index.ts';
import type { AgentResult } from './result.ts';

/** What happens in an invocation, in order. */
export type AgentItem =
  | LoopEvent
  | Extract<LoopView, { readonly type: 'text' | 'toolCallBegins' | 'waits' }>
  /** A failed try had shown text: a view takes it back. */
  | { readonly type: 'responseDiscarded' }
  /** Always the last item. */
  | { readonly type: 'agentResult'; readonly result: AgentResult };

/** Sees what happens. The loop waits for `see`, so that a reader who leaves at an event stops what would follow it. */
export interface Viewer {
  readonly see: (event: LoopEvent) => Promise<void> | undefined;
  readonly glimpse: (item: Exclude<AgentItem, LoopEvent>) => void;
}

const KINDS = [
  InitializedEvent,
  BeforeInvocationEvent,
  MessageAddedEvent,
  BeforeModelCallEvent,
  ModelMessageEvent,
  AfterModelCallEvent,
  ResponseDiscardedEvent,
  BeforeToolsEvent,
  BeforeToolCallEvent,
  AfterToolCallEvent,
  ToolResultEvent,
  AfterToolsEvent,
  InterruptEvent,
  AfterInvocationEvent,
] as const;

/** Shows a viewer every event after all callbacks and handlers. Returns a function that stops watching. */
export function watch(hooks: HookRegistry, viewer: Viewer): () => void {
  const order = HOOK_ORDER.last + 1;
  const stops = KINDS.map((kind) => hooks.addCallback<LoopEvent>(kind, (event) => viewer.see(event), { order }));
  return () => {
    for (const stop of stops) stop();
  };
}

/** The items that the loop shows beside its events. */
export function glimpseOf(view: LoopView): Exclude<AgentItem, LoopEvent> | undefined {
  return view.type === 'text' || view.type === 'toolCallBegins' || view.type === 'waits' ? view : undefined;
}

/** Makes a viewer of a callback. Whatever it throws, now or later, the agent does the same. */
export function callbackViewer(callback: (item: AgentItem) => unknown, warn: (message: string) => void): Viewer {
  const show = (item: AgentItem) => {
    const failed = (error: unknown) =>
      warn(`The callback handler failed on ${item.type} and was ignored: ${thrownWithKind(error)}`);
    try {
      const shown = Promise.resolve(callback(item));
      // The agent does not wait for an async callback, but a failure of it, or of the warning, would end the process.
      void Promise.allSettled([shown.then(undefined, failed)]);
      // The callback is code of the caller and may throw. It must not change what the agent does.
    } catch (error) {
      failed(error);
    }
  };
  return {
    see: (event) => {
      show(event);
      return undefined;
    },
    glimpse: show,
  };
}
