import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { type Meaning, mayBeDone, meaningOf } from './codes.ts';

/** It is unknown whether Slack did it: the answer was lost, late or broken, or Slack had trouble of its own meanwhile. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof WebAPIPlatformError) return mayBeDone(error.data.error);
  return error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
}

export function isSlackError(error: unknown, code: string): boolean {
  return error instanceof WebAPIPlatformError && error.data.error === code;
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

/** A refusal for good. */
export interface SlackRefusal {
  readonly code: string;
  readonly meaning: Exclude<Meaning, 'passes'>;
}

/** What Slack refused for good. `undefined` for a call that it may take at another time. */
export function refusalIn(error: unknown): SlackRefusal | undefined {
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { error: code } = error.data;
  const meaning = meaningOf(code);
  return meaning === 'passes' ? undefined : { code, meaning };
}
