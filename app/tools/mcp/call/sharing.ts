import type { RunningCall } from './running.ts';

/** The calls that run on one connection, and to which of them its questions belong: the protocol does not say. */
export interface Sharing {
  readonly calls: () => number;
  /** Whether one more call may run there. On a server that has asked before, a call shares its connection with no other. */
  readonly isFree: () => boolean;
  readonly run: <Result>(call: RunningCall, send: () => Promise<Result>) => Promise<Result>;
  /** The call that asked, once it is the only one left. `undefined` where that cannot be known. */
  readonly asker: (signal: AbortSignal) => Promise<RunningCall | undefined>;
}

export function createSharing(): Sharing {
  const running = new Set<RunningCall>();
  let hasAsked = false;
  /** One for each question that waits until the other calls are done. */
  const waiting = new Set<(isAnswered: boolean) => void>();

  return {
    calls: () => running.size,
    isFree: () => running.size === 0 || !hasAsked,
    run: async (call, send) => {
      running.add(call);
      try {
        return await send();
      } finally {
        running.delete(call);
        // An error of the server is an answer too. A call that was stopped may still ask.
        for (const judge of waiting) judge(!call.signal.aborted);
      }
    },
    asker: (signal) => {
      hasAsked = true;
      return new Promise((resolve) => {
        const judge = (isAnswered: boolean) => {
          const [only, another] = running;
          // Where every call waits for an answer, none would end.
          const isStuck = another !== undefined && waiting.size >= running.size;
          if (isAnswered && another !== undefined && !isStuck) return;
          waiting.delete(judge);
          // A call that ended without an answer may have been the one that asked.
          resolve(isAnswered && another === undefined ? only : undefined);
        };
        waiting.add(judge);
        judge(true);
        signal.addEventListener('abort', () => judge(false), { once: true });
      });
    },
  };
}
