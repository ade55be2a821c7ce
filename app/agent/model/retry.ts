import { pause } from '../../time/index.ts';
import type { ModelFunction } from '../ports.ts';
import { ModelError, type ModelErrorKind } from './error.ts';

export interface RetryOptions {
  /** The number of tries, the first included. */
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  /**
   * `none`: exactly the delay; `equal`: between half of it and all of it; `full`: anything up to it; `decorrelated`:
   * anything from the first delay to three times the delay before.
   */
  readonly jitter?: 'none' | 'full' | 'equal' | 'decorrelated';
  /** Whether another try may help after this failure. Default: after all that pass by themselves. */
  readonly again?: (error: ModelError) => boolean;
  /** Must reject when the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly random?: () => number;
  readonly onRetry?: (retry: Retry) => void;
}

export interface Retry {
  readonly error: ModelError;
  /** The try that failed; the first is 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Text that was passed to `onText` and belongs to no answer. A view that showed it takes it back. */
  readonly withdrawnText: string;
}

const PASSING: ReadonlySet<ModelErrorKind> = new Set(['throttled', 'overloaded', 'server', 'timeout', 'cut']);

/**
 * Asks again when that may help: after 4, 8, 16, 32 and 64 seconds, or when the provider says. If the provider asks for
 * a longer wait than `maxDelayMs`, the error goes to the caller at once.
 */
export function withRetry(model: ModelFunction, options: RetryOptions = {}): ModelFunction {
  const { attempts = 6, onRetry = () => {}, sleep = (ms, signal) => pause(ms, { signal }) } = options;
  const { again = ({ kind }) => PASSING.has(kind) } = options;

  return async (request, context) => {
    let before: number | undefined;
    for (let tried = 1; ; tried += 1) {
      let shown = '';
      const onText = (text: string) => {
        shown += text;
        context.onText(text);
      };
      try {
        return await model(request, { ...context, onText });
        // The model may fail. Failures that pass by themselves are tried again; all others go to the caller.
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof ModelError) || !again(error) || tried >= attempts) throw error;
        const delayMs = delayAfter({ tried, error, before }, options);
        if (delayMs === undefined) throw error;
        before = delayMs;
        onRetry({ error, attempt: tried, delayMs, withdrawnText: shown });
        // A sleep rejects on an abort with an error of its own. The caller gets the reason of the signal instead.
        await sleep(delayMs, context.signal).catch((reason: unknown) => {
          context.signal.throwIfAborted();
          throw reason;
        });
        context.signal.throwIfAborted();
      }
    }
  };
}

interface Failed {
  readonly tried: number;
  readonly error: ModelError;
  /** The wait before this try. */
  readonly before: number | undefined;
}

function delayAfter({ tried, error, before }: Failed, options: RetryOptions): number | undefined {
  const { retryAfterMs } = error;
  const { firstDelayMs = 4_000, maxDelayMs = 240_000, jitter = 'full', random = Math.random } = options;
  // The provider has said when to come. Each caller comes a little later by chance, so that not all come at once.
  if (retryAfterMs !== undefined)
    return retryAfterMs > maxDelayMs ? undefined : retryAfterMs * (jitter === 'none' ? 1 : 1 + random() / 10);
  const delayMs = Math.min(firstDelayMs * 2 ** (tried - 1), maxDelayMs);
  switch (jitter) {
    case 'none':
      return delayMs;
    case 'equal':
      return delayMs / 2 + (random() * delayMs) / 2;
    case 'full':
      return random() * delayMs;
    case 'decorrelated': {
      const most = 3 * (before ?? firstDelayMs);
      return Math.min(maxDelayMs, firstDelayMs + random() * Math.max(0, most - firstDelayMs));
    }
  }
}
