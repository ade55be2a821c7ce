import { createHmac } from 'node:crypto';
import { type ApiObject, parseJson } from '../json.ts';
import type { Parcel, Sent, Transport } from './deliveries.ts';

/** Signed HTTP requests to the app's own address; with several addresses, to each in turn. */
export function createHttpTransport(options: {
  readonly urls: readonly string[];
  readonly signingSecret: string;
  readonly now: () => number;
}): Transport {
  let turn = 0;
  return {
    isReady: () => true,
    ready: async () => {},
    send: async (parcel, { retry, reason, signal }): Promise<Sent> => {
      const url = options.urls[turn % options.urls.length] ?? '';
      turn += 1;
      const { contentType, body } = encode(parcel);
      const timestamp = `${Math.floor(options.now() / 1000)}`;
      try {
        const response = await fetchOnceTaken(url, {
          method: 'POST',
          signal,
          body,
          headers: {
            'content-type': contentType,
            'x-slack-request-timestamp': timestamp,
            'x-slack-signature': sign(options.signingSecret, timestamp, body),
            ...(retry === 0 ? {} : { 'x-slack-retry-num': `${retry}`, 'x-slack-retry-reason': reason }),
          },
        });
        const text = await response.text();
        if (response.status === 200) {
          const isJson = response.headers.get('content-type')?.includes('json') ?? false;
          return { type: 'acknowledged', body: text === '' ? undefined : isJson ? parseJson(text) : text };
        }
        const retryWanted = response.headers.get('x-slack-no-retry') !== '1';
        return { type: 'refused', reason: 'http_error', retry: retryWanted };
        // The app is out of reach. Slack would try again.
      } catch {
        return { type: 'refused', reason: 'connection_failed', retry: true };
      }
    },
  };
}

/** On a busy computer a connection may be given up before the app has taken it. Nothing was sent then, so it is tried again. */
async function fetchOnceTaken(url: string, request: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, request);
    } catch (error) {
      if (request.signal.aborted || !wasNotTaken(error)) throw error;
    }
  }
}

function wasNotTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** `v0=` and the HMAC of version, time and the exact bytes of the body. */
export function sign(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

/** Exactly these content types: one with a charset would be refused by the receiver. */
function encode(parcel: Parcel): { readonly contentType: string; readonly body: string } {
  const form = 'application/x-www-form-urlencoded';
  switch (parcel.kind) {
    case 'events_api':
      return { contentType: 'application/json', body: JSON.stringify(parcel.payload) };
    case 'interactive':
      return {
        contentType: form,
        body: new URLSearchParams({ payload: JSON.stringify(parcel.payload) }).toString(),
      };
    case 'slash_commands':
      return { contentType: form, body: formOf(parcel.payload) };
  }
}

function formOf(payload: ApiObject): string {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(payload)) {
    if (value !== undefined && value !== null) form.set(key, String(value));
  }
  return form.toString();
}
