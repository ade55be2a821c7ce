import { type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Log, LogLine } from '../app/log.ts';

export interface SlackAccess {
  readonly botToken: string;
  /** Another address for Slack; ends with `/api/`. */
  readonly apiUrl?: string;
}

export function createSlackClient({ botToken, apiUrl }: SlackAccess, log: Log): WebClient {
  return new WebClient(botToken, clientOptions(apiUrl, log));
}

/**
 * A new object each time: the library writes into the one it is given. Timeout and retries are named because the
 * defaults wait for ever, and because Socket Mode would make it a hundred retries. No headers: they would be shared
 * between workspaces, token and all.
 */
export function clientOptions(apiUrl: string | undefined, log: Log): WebClientOptions {
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    timeout: 10_000,
    retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 2_000 },
    logger: slackLogger(log),
  };
}

/**
 * The same workspace through a client that tries once. A post that is repeated by the library may stand there twice,
 * and a rate limit must hold up the channel that caused it, not every other.
 */
export function onceClient(client: WebClient, log: Log): WebClient {
  return new WebClient(client.token, {
    ...clientOptions(client.slackApiUrl, log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
}

/** The library's own words in our log; its debug lines print whole payloads, so they stay out. */
export function slackLogger(log: Log): Logger {
  const line =
    (write: LogLine) =>
    (...parts: readonly unknown[]): void =>
      write('The Slack library says something', { said: withoutSecrets(parts.map(String).join(' ')) });
  return {
    debug: () => {},
    info: line(log.debug),
    warn: line(log.warn),
    error: line(log.error),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

export function withoutSecrets(text: string): string {
  return text
    .replace(/\bx(?:ox[a-z]|app)-[\w-]+/g, '[token]')
    .replace(/https?:\/\/\S*(?:hooks|response)\S*/gi, '[url]');
}
