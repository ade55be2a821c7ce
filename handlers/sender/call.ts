import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import {
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { errorText } from '../../app/log.ts';
import { idleTimers } from '../../app/time/index.ts';

/** One request to Slack, over a connection that stays open. Nothing is repeated: the sender decides what is tried again. */
export interface SlackCall {
  /** Ends with `/`. */
  readonly apiUrl: string;
  readonly token: string | undefined;
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** An answer that takes longer is lost. */
  readonly limitMs: number;
}

/** Rejects with the errors of Slack's library, which the sender and its callers know. */
export async function callSlack(call: SlackCall): Promise<WebAPICallResult> {
  // The connection may break before the answer or within it. Slack may have done what it was asked.
  const { status, statusText, headers, text } = await post(call).catch((error: unknown) => {
    throw lostAnswer(errorText(error), error);
  });
  const retryAfter = Number.parseInt(headers['retry-after'] ?? '', 10);
  if (status === 429 && !Number.isNaN(retryAfter)) throw new WebAPIRateLimitedError(retryAfter);
  if (status !== 200) throw new WebAPIHTTPError(status, statusText, allText(headers), text);
  const result = readResult(text);
  if (result.ok) return result;
  // What stands between the bot and Slack may answer in its place.
  if (!isCode(result.error)) throw lostAnswer('it is no JSON of Slack');
  throw new WebAPIPlatformError(result);
}

function lostAnswer(why: string, cause?: unknown): WebAPIRequestError {
  return new WebAPIRequestError(new Error(`The answer of Slack cannot be read: ${why}.`, { cause }));
}

function readResult(text: string): WebAPICallResult & { readonly error: string } {
  try {
    return { ok: false, error: '', ...JSON.parse(text) };
    // A page, which names no cause.
  } catch {
    return { ok: false, error: '' };
  }
}

const isCode = (error: unknown): boolean => typeof error === 'string' && /^[\w.:-]{1,100}$/.test(error);

interface Answer extends Pick<IncomingMessage, 'headers'> {
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}

function post({ apiUrl, token, method, args, limitMs }: SlackCall): Promise<Answer> {
  const body = asForm(args);
  const request = apiUrl.startsWith('https:') ? requestSecure : requestPlain;
  const options = {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${apiUrl}${method}`, options, (answer) => {
      const parts: Buffer[] = [];
      const { statusCode: status = 0, statusMessage: statusText = '', headers } = answer;
      answer.on('data', (part: Buffer) => void parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status, statusText, headers, text: Buffer.concat(parts).toString() }));
    });
    // A signal with a time limit costs more, and each would fire long after its answer.
    const cancel = idleTimers.after(limitMs, () => sent.destroy(new Error(`no answer within ${limitMs} ms`)));
    sent.on('error', reject);
    sent.on('close', cancel);
    sent.end(body);
  });
}

/** Slack takes forms whose structured fields are JSON. */
function asForm(args: Readonly<Record<string, unknown>>): string {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const text = isPlain ? String(value) : JSON.stringify(value);
    fields.push(`${name}=${encodeURIComponent(text.toWellFormed())}`);
  }
  return fields.join('&');
}

const allText = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
