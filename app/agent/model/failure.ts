import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { errorText, shortened } from '../../log.ts';
import { ModelError, type ModelErrorKind } from './error.ts';

/** Makes a `ModelError` of whatever a call threw. No class of the provider leaves this file. */
export function toModelError(error: unknown, now: () => number): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) return new ModelError('timeout', { cause: error });
  if (error instanceof APIConnectionError)
    return new ModelError('server', { detail: errorText(lastCause(error)), cause: error });
  if (!(error instanceof APIError)) return new ModelError('cut', { detail: describe(error), cause: error });
  return new ModelError(kindOf(error), {
    retryAfterMs: retryAfterMs(error.headers, now),
    detail: [error.status, error.type, error.apiMessage ?? undefined, error.requestID ?? undefined]
      .filter((part) => part !== undefined && part !== null)
      .map((part) => shortened(String(part)))
      .join(' ')
      .replaceAll(/sk-ant-[\w-]+/g, 'sk-ant-…'),
    cause: error,
  });
}

/** The client and `fetch` each say only that there was no connection. What the system said stands below them. */
function lastCause(error: Error): Error {
  return error.cause instanceof Error ? lastCause(error.cause) : error;
}

/** The kind of an error, by its type and then by its status. An error in the middle of a stream has no status. */
function kindOf({ type, status, apiMessage, message, errorCode }: APIError): ModelErrorKind {
  const text = apiMessage ?? message;
  // Comes as throttling, but waiting does not end it.
  if (errorCode?.endsWith('spend_limit_reached')) return 'auth';
  switch (type) {
    case 'rate_limit_error':
      return 'throttled';
    case 'overloaded_error':
      return 'overloaded';
    case 'api_error':
      return /content filter/i.test(text) ? 'refused' : 'server';
    case 'timeout_error':
      return 'timeout';
    case 'authentication_error':
    case 'permission_error':
    case 'billing_error':
    case 'not_found_error':
      return 'auth';
    case 'invalid_request_error':
      return kindOfBadRequest(text);
    default:
      return kindOfStatus(status, text);
  }
}

function kindOfStatus(status: number | undefined, text: string): ModelErrorKind {
  if (status === undefined) return 'server';
  if (status === 429) return 'throttled';
  if (status === 529) return 'overloaded';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'overflow';
  if ([401, 402, 403, 404].includes(status)) return 'auth';
  if (status === 409 || status >= 500) return 'server';
  return kindOfBadRequest(text);
}

/** The provider has one type for all of these. Only the sentence tells them apart. */
function kindOfBadRequest(text: string): ModelErrorKind {
  if (/prompt is too long|exceeds? (?:the )?context|context (?:window|length)|request_too_large/i.test(text))
    return 'overflow';
  if (/content filter/i.test(text)) return 'refused';
  if (/credit balance|billing/i.test(text)) return 'auth';
  if (/\b(?:image|pdf|media)s?\b/i.test(text)) return 'picture';
  return 'bad-request';
}

/** The header holds milliseconds, seconds or a date: all three are in use. */
function retryAfterMs(headers: Headers | undefined, now: () => number): number | undefined {
  const inMs = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(inMs)) return Math.max(0, inMs);
  const text = headers?.get('retry-after') ?? '';
  const ms = /^[\d.]+$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${errorText(error)}` : 'no error object';
}
