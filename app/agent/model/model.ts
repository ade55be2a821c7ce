import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { systemClock } from '../../clock.ts';
import { type CancelTimer, idleTimers, systemTimers } from '../../time/index.ts';
import type { ModelFunction } from '../ports.ts';
import { ModelError } from './error.ts';
import { toModelError } from './failure.ts';
import { type RequestSettings, toParams } from './request.ts';
import { createAnswerBuilder } from './stream.ts';

export interface AnthropicModelOptions extends RequestSettings {
  readonly apiKey: string;
  /** Left out, the provider's own address. */
  readonly baseUrl?: string | undefined;
  /** Until the answer begins. */
  readonly timeoutMs: number;
  /** A stream from which nothing comes for this long is given up. Left out, as `timeoutMs`. */
  readonly silenceMs?: number;
  readonly now?: () => number;
}

/**
 * The model as a function. These few files beside each other are all that knows Anthropic.
 *
 * One call is one request: nothing is repeated here, because only the bot knows what was shown meanwhile and who waits.
 * It rejects with a `ModelError`, or with the reason of the signal when that was aborted.
 */
export function createAnthropicModel(options: AnthropicModelOptions): ModelFunction {
  const { apiKey, baseUrl, timeoutMs, silenceMs = timeoutMs, now = systemClock.now } = options;
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  });

  return async (request, { signal, onText }) => {
    signal.throwIfAborted();
    const params = toParams(request, options);
    const builder = createAnswerBuilder(shielded(onText));
    const watch = watchSilence(signal, silenceMs);
    try {
      const response = await watch.race(client.messages.create(params, { signal: watch.signal }).asResponse());
      for await (const event of eventsOf(response, watch)) builder.add(event);
      return builder.answer();
    } catch (error) {
      watch.hangUp();
      signal.throwIfAborted();
      throw toModelError(error, now);
    } finally {
      watch.end();
    }
  };
}

const DRAIN_MS = 1_000;

/** Reads a stream event by event. Every line of it, also the provider's mere sign of life, counts as not silent. */
async function* eventsOf(response: Response, watch: SilenceWatch): AsyncGenerator<RawMessageStreamEvent> {
  const lines = Stream.rawEvents(response);
  watch.heard();
  while (true) {
    const { done, value } = await watch.race(lines.next());
    if (done === true) return;
    watch.heard();
    if (value.event === 'error') throw streamError(value.data, response.headers);
    if (value.event === null || value.event === 'ping' || value.data === '') continue;
    const event: RawMessageStreamEvent = JSON.parse(value.data);
    yield event;
    if (event.type === 'message_stop') break;
  }
  // The answer is whole and need not wait. Reading on to the end lets the connection be used again; one that stays
  // open is closed.
  const closed = idleTimers.after(DRAIN_MS, watch.hangUp);
  lines.next().then(closed, closed);
}

function streamError(data: string, headers: Headers): APIError {
  const body: { readonly error?: { readonly type?: ConstructorParameters<typeof APIError>[4] } } = JSON.parse(data);
  return new APIError(undefined, body, undefined, headers, body.error?.type ?? null);
}

interface SilenceWatch {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  readonly hangUp: () => void;
  /** Settles at once when it is over, whatever the promise does. */
  readonly race: <Value>(promise: Promise<Value>) => Promise<Value>;
  readonly end: () => void;
}

/** The client's own time limit ends with the first byte. This one is for all that come after. */
function watchSilence(outer: AbortSignal, silenceMs: number): SilenceWatch {
  const controller = new AbortController();
  let cancel: CancelTimer = () => {};
  let giveUp: (reason: unknown) => void = () => {};
  const over = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  // Nobody may be racing at the moment it ends.
  over.catch(() => {});
  const onAbort = () => giveUp(outer.reason);
  outer.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    hangUp: () => controller.abort(),
    heard: () => {
      cancel();
      const silent = () => giveUp(new ModelError('timeout', { detail: `silent for ${silenceMs} ms` }));
      cancel = systemTimers.after(silenceMs, silent);
    },
    race: (promise) => {
      // The loser of the race may still fail.
      promise.catch(() => {});
      return Promise.race([promise, over]);
    },
    end: () => {
      cancel();
      outer.removeEventListener('abort', onAbort);
    },
  };
}

/** Showing text is a view of the answer. A view that fails must not change it. */
function shielded(onText: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      onText(text);
    } catch {
      // Whoever shows it has a log of their own.
    }
  };
}
