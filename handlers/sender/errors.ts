import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';

/** Nobody knows whether Slack did it: the reply was lost, late or broken. */
export function isDoubtful(error: unknown): boolean {
  return error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
}

export function isSlackError(error: unknown, code: string): boolean {
  return error instanceof WebAPIPlatformError && error.data.error === code;
}

/** Slack has trouble of its own, and may take the same later. */
export function isPassing(error: WebAPIPlatformError): boolean {
  return PASSING.includes(error.data.error);
}

/** Slack, or the sender for it, wants this to wait. */
export function isRateLimited(error: unknown): error is WebAPIRateLimitedError {
  return error instanceof WebAPIRateLimitedError;
}

/** Too much waits for Slack, or waited for too long. Nothing was sent, so it can be tried again. */
export class SlackBusyError extends Error {
  override readonly name = 'SlackBusyError';

  constructor(method: string, why: string) {
    super(`${method} was not sent to Slack: ${why}. Nothing was done; try again later.`);
  }
}

/** Slack's word for why it refuses this now and later; `undefined` for what it may take at another time. */
export function refusedFor(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError && !isPassing(error) ? error.data.error : undefined;
}

/** Nothing can be written in the channel, whatever it is: Slack's word for why. Some of them cannot even be read. */
export function closedFor(error: unknown): string | undefined {
  return CLOSED.find((code) => isSlackError(error, code));
}

const PASSING = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'external_channel_migrating',
  'update_failed',
];
const CLOSED = ['channel_not_found', 'is_archived', 'not_in_channel'];
