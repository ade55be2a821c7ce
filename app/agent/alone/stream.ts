import type { LoopEvent } from '../../../interventions/index.ts';
import type { AgentResult } from './result.ts';
import type { AgentItem, Viewer } from './view.ts';

/**
 * An invocation as a stream. It begins with the first `next()`, and goes past an event only when the next item is asked
 * for. Leaving the stream cancels the invocation and resolves when it has come to rest. Leaving runs nothing.
 */
export function streamOf(
  begin: (viewer: Viewer, leaving: AbortSignal) => Promise<AgentResult>,
): AsyncIterableIterator<AgentItem, undefined> {
  const leaving = new AbortController();
  const shown: Shown[] = [];
  let wake = () => {};
  let release = () => {};
  let running: Promise<void> | undefined;
  let end: { readonly error?: unknown } | undefined;

  const show = (item: AgentItem, taken: () => void) => {
    if (leaving.signal.aborted) return taken();
    shown.push({ item, taken });
    wake();
  };
  const viewer: Viewer = {
    see: (event) => new Promise((taken) => show(event, unlessAborted(event, taken))),
    glimpse: (item) => show(item, () => {}),
  };
  const run = async () => {
    try {
      const result = await begin(viewer, leaving.signal);
      show({ type: 'agentResult', result }, () => {});
      end = {};
      // The invocation failed. `next` throws the error to the reader of the stream.
    } catch (error) {
      end = { error };
    }
    wake();
  };

  const read = async (): Promise<IteratorResult<AgentItem, undefined>> => {
    if (leaving.signal.aborted) return { done: true, value: undefined };
    running ??= run();
    release();
    for (;;) {
      const next = shown.shift();
      if (next !== undefined) {
        release = next.taken;
        return { done: false, value: next.item };
      }
      if (end !== undefined) {
        const { error } = end;
        const failed = 'error' in end;
        end = {};
        if (failed) throw error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  let reading: Promise<unknown> = Promise.resolve();

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    // Each `next` waits for the one before it, so that two readers share the items and neither waits for ever.
    next: () => {
      const next = reading.then(read);
      reading = next.then(ignore, ignore);
      return next;
    },
    return: async () => {
      leaving.abort('cancelled');
      release();
      for (const { taken } of shown.splice(0)) taken();
      await running;
      return { done: true, value: undefined };
    },
  };
}

const ignore = () => {};

interface Shown {
  readonly item: AgentItem;
  readonly taken: () => void;
}

/** Lets an aborted invocation go on without its reader, so that a slow reader does not hold back the cleanup. */
function unlessAborted(event: LoopEvent, taken: () => void): () => void {
  const { signal } = event;
  if (signal.aborted) {
    taken();
    return () => {};
  }
  const release = () => {
    signal.removeEventListener('abort', release);
    taken();
  };
  signal.addEventListener('abort', release, { once: true });
  return release;
}
