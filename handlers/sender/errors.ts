import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';

/** It is unknown whether Slack did it: the answer was lost, late or broken, or Slack had trouble of its own meanwhile. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof WebAPIPlatformError) return TROUBLE.includes(error.data.error);
  return error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
}

export function isSlackError(error: unknown, code: string): boolean {
  return error instanceof WebAPIPlatformError && error.data.error === code;
}

/** Slack has trouble of its own and may take the same call later. */
export function isPassing(error: WebAPIPlatformError): boolean {
  return PASSING.includes(error.data.error);
}

/** Slack, or the sender on its behalf, wants this call to wait. */
export function isRateLimited(error: unknown): error is WebAPIRateLimitedError {
  return error instanceof WebAPIRateLimitedError;
}

/** Too many calls wait for Slack, or this one waited too long. Nothing was sent, so it can be tried again. */
export class SlackBusyError extends Error {
  override readonly name = 'SlackBusyError';

  constructor(method: string, why: string) {
    super(`${method} was not sent to Slack: ${why}. Nothing was done; try again later.`);
  }
}

/** Slack's code for a refusal for good. `undefined` for a call that it may take at another time. */
export function refusedFor(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError && !isPassing(error) ? error.data.error : undefined;
}

/** Slack's code for why nothing can be written in a channel. Some of these channels cannot be read either. */
export function closedFor(error: unknown): string | undefined {
  return CLOSED.find((code) => isSlackError(error, code));
}

const TROUBLE = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
];
const PASSING = [...TROUBLE, 'team_added_to_org', 'external_channel_migrating', 'update_failed'];
const CLOSED = ['channel_not_found', 'is_archived', 'not_in_channel'];
