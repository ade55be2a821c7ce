import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  AgentResultEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  HOOK_ORDER,
  InitializedEvent,
  InterruptEvent,
  type LoopEvent,
  MessageAddedEvent,
  ModelMessageEvent,
  ResponseDiscardedEvent,
  ToolResultEvent,
} from '../../interventions/index.ts';
import { runLoop } from './loop.ts';
import type { LoopOptions } from './loop-options.ts';
import { hooksOf } from './loop-run.ts';

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
  AgentResultEvent,
] as const;

export type StreamItem = LoopEvent | { readonly type: 'text'; readonly text: string };

/**
 * The loop, watched. It goes on only while somebody takes its events; whoever leaves early cancels it, and gets away
 * only after it has come to rest. Watching adds nothing: the loop itself is the same.
 */
export function streamLoop(options: LoopOptions): AsyncIterableIterator<StreamItem> {
  const hooks = hooksOf(options.hooks);
  const leaving = new AbortController();
  const shown: { readonly item: StreamItem; readonly release: () => void }[] = [];
  let wake = () => {};
  let held = () => {};
  let ended: { readonly error?: unknown } | undefined;

  const show = (item: StreamItem, release: () => void) => {
    shown.push({ item, release });
    wake();
  };
  const watched = KINDS.map((kind) =>
    hooks.addCallback<LoopEvent>(
      kind,
      (event) => (leaving.signal.aborted ? undefined : new Promise<void>((release) => show(event, release))),
      { order: HOOK_ORDER.last + 1 },
    ),
  );
  const signals = [leaving.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const begin = () =>
    runLoop({
      ...options,
      hooks,
      signal: AbortSignal.any(signals),
      onEvent: (view) => {
        options.onEvent?.(view);
        if (view.type === 'text') show(view, () => {});
      },
    })
      .then(
        () => ({}),
        (error: unknown) => ({ error }),
      )
      .then((end) => {
        ended = end;
        for (const stop of watched) stop();
        wake();
      });
  let running: Promise<void> | undefined;

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      running ??= begin();
      held();
      for (;;) {
        const next = shown.shift();
        if (next !== undefined) {
          held = next.release;
          return { done: false, value: next.item };
        }
        if (ended !== undefined) {
          if ('error' in ended) throw ended.error;
          return { done: true, value: undefined };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    return: async () => {
      leaving.abort('cancelled');
      held();
      for (const { release } of shown.splice(0)) release();
      await running;
      return { done: true, value: undefined };
    },
  };
}
