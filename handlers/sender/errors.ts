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

/** The message is gone, or may not be touched any more: no later try can change that. */
export function isUntouchable(error: unknown): boolean {
  return UNTOUCHABLE.some((code) => isSlackError(error, code));
}

/** Nothing can be written in the channel, whatever it is: Slack's word for why. Some of them cannot even be read. */
export function closedFor(error: unknown): string | undefined {
  return CLOSED.find((code) => isSlackError(error, code));
}

const PASSING = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited'];
const CLOSED = ['channel_not_found', 'is_archived', 'not_in_channel'];
const UNTOUCHABLE = [
  'message_not_found',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  ...CLOSED,
];
