import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { systemClock } from '../../clock.ts';
import { type CancelTimer, idleTimers, systemTimers } from '../../time/index.ts';
import type { ModelFunction } from '../ports.ts';
import { bodyOf } from './body.ts';
import { ModelError } from './error.ts';
import { toModelError } from './failure.ts';
import { type RequestSettings, toParams } from './request.ts';
import { createAnswerBuilder } from './stream.ts';

export interface AnthropicModelOptions extends RequestSettings {
  readonly apiKey: string;
  /** Default: the provider's own address. */
  readonly baseUrl?: string | undefined;
  /** How long to wait until the answer begins. */
  readonly timeoutMs: number;
  /** A stream that is silent for this long is given up. Default: `timeoutMs`. */
  readonly silenceMs?: number;
  readonly now?: () => number;
}

/**
 * The model as a function. Only the files in this folder know Anthropic.
 *
 * One call is one request. Nothing is repeated here, because only the bot knows what was shown meanwhile and who waits.
 * Rejects with a `ModelError`, or with the reason of the signal when that was aborted.
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
    const body = await bodyOf(params);
    signal.throwIfAborted();
    const builder = createAnswerBuilder(onText);
    const watch = watchSilence(signal, silenceMs);
    try {
      const response = await watch.race(
        client.messages.create(params, { ...JSON_BODY, body, signal: watch.signal }).asResponse(),
      );
      for await (const event of eventsOf(response, watch)) builder.add(event);
      return builder.answer();
      // The provider or the network may fail. The caller gets a `ModelError`, or the reason of an abort.
    } catch (error) {
      watch.hangUp();
      signal.throwIfAborted();
      throw toModelError(error, now);
    } finally {
      watch.end();
    }
  };
}

const JSON_BODY = { headers: { 'content-type': 'application/json' } };

const DRAIN_MS = 1_000;

/** Reads a stream event by event. Every line counts as a sign of life, even a ping. */
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
  // The answer is complete, so it does not wait for the rest of the stream. Reading on lets the connection be used
  // again; a connection that stays open is closed.
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
  /** Rejects as soon as the watch is over, whatever the promise does. */
  readonly race: <Value>(promise: Promise<Value>) => Promise<Value>;
  readonly end: () => void;
}

/** Watches for silence after the first byte, where the client's own time limit ends. */
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
    race: (promise) => Promise.race([promise, over]),
    end: () => {
      cancel();
      outer.removeEventListener('abort', onAbort);
    },
  };
}
