import { type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { Log, LogLine } from '../../app/log.ts';
import { callSlack, createSender, type Sender } from '../sender/index.ts';

/** Slack's library would wait for ever. */
const LIMIT_MS = 10_000;

export interface ClientAccess {
  readonly botToken: string;
  /** Another address for Slack; ends with `/api/`. */
  readonly apiUrl?: string | undefined;
  /** No other process writes to this workspace. */
  readonly isAlone?: boolean | undefined;
}

/** The methods of Slack's own client. Every call goes through the one sender of its workspace, and the sender's way to Slack. */
export class SlackClient extends WebClient {
  readonly sender: Sender;

  constructor(token: string | undefined, options: WebClientOptions, sender: Sender) {
    super(token, options);
    this.sender = sender;
  }

  override apiCall(method: string, options: Record<string, unknown> = {}): ReturnType<WebClient['apiCall']> {
    const args = POSTING.includes(method) ? { unfurl_links: false, unfurl_media: false, ...options } : options;
    const { slackApiUrl: apiUrl, token } = this;
    return this.sender.send({ method, args, run: () => callSlack({ apiUrl, token, method, args, limitMs: LIMIT_MS }) });
  }
}

/** What these post gets no previews of links. */
const POSTING: readonly string[] = ['chat.postMessage', 'chat.startStream', 'chat.appendStream', 'chat.stopStream'];

export function createSlackClient({ botToken, apiUrl, isAlone }: ClientAccess, log: Log): SlackClient {
  return new SlackClient(botToken, clientOptions(apiUrl, log), createSender({ log, isAlone }));
}

/**
 * A new object each time, because the library writes into the one it is given. The library tries once and reports a rate
 * limit, because the sender decides what is tried again. Its default timeout would wait for ever. Headers are left out:
 * workspaces would share them, token included.
 */
export function clientOptions(apiUrl: string | undefined, log: Log): WebClientOptions {
  return {
    ...given({ slackApiUrl: apiUrl }),
    timeout: LIMIT_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  };
}

/** Writes the lines of the library to the log of the bot, without debug lines, which print whole payloads. */
export function slackLogger(log: Log): Logger {
  const line =
    (write: LogLine) =>
    (...parts: readonly unknown[]): void =>
      write('The Slack library says something.', { said: withoutSecrets(parts.map(String).join(' ')) });
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
    .replace(/https?:\/\/\S*/gi, (url) => (/hooks|response/i.test(url) ? '[url]' : url));
}
