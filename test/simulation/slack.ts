import { WebAPIPlatformError, WebAPIRequestError, type WebClient } from '@slack/web-api';
import { createTurns } from '../../app/time/index.ts';
import type { Block } from '../../sandbox/block-kit/blocks.ts';
import type { ApiObject } from '../../sandbox/json.ts';
import { BOT, BOT_ID, TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import type { Across } from './border.ts';
import type { Process } from './schedule.ts';

/** The part of a workspace that one thread needs. Messages are written, changed and deleted. */
export interface SimulatedSlack {
  readonly messages: () => readonly SlackMessage[];
  readonly message: (ts: string) => SlackMessage | undefined;
  /** The time of writing, by the simulated clock that is the same for all. */
  readonly writtenMs: (ts: string) => number;
  /** A person writes. */
  readonly write: (message: Pick<SlackMessage, 'channel' | 'user' | 'text'> & Partial<SlackMessage>) => SlackMessage;
  /** The status of a thread as a process last showed it. */
  readonly status: (thread: string) => string | undefined;
  /** A person deletes a message. */
  readonly remove: (ts: string) => void;
  /** From now on, whether the app is installed. Where it is not, Slack refuses each call. */
  readonly install: (isInstalled: boolean) => void;
  readonly isInstalled: () => boolean;
  /** The Slack client of one process. */
  readonly clientOf: (across: Across, process: Pick<Process, 'alive'>) => WebClient;
}

interface Sent {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string;
  readonly text?: string;
  readonly blocks?: readonly Block[];
  readonly metadata?: ApiObject;
  readonly users?: string;
  readonly user?: string;
  readonly status?: string;
  readonly chunks?: readonly { readonly type: string; readonly text?: string }[];
}

export function createSimulatedSlack(): SimulatedSlack {
  const messages = new Map<string, SlackMessage>();
  const times = new Map<string, number>();
  const statuses = new Map<string, string>();
  let written = 0;
  let installed = true;

  const write: SimulatedSlack['write'] = (message) => {
    written += 1;
    const ts = `1700000000.${`${written}`.padStart(6, '0')}`;
    const whole: SlackMessage = { ts, blocks: [], reactions: [], files: [], earlier: [], ...message };
    messages.set(ts, whole);
    times.set(ts, Date.now());
    return whole;
  };
  const standing = (ts: string): SlackMessage => {
    const message = messages.get(ts);
    if (message === undefined) throw refusal('message_not_found');
    return message;
  };
  const replace = (ts: string, change: Partial<SlackMessage>) => {
    messages.set(ts, { ...standing(ts), ...change });
    return { ok: true, ts };
  };
  const openStream = (ts: string) => {
    const message = standing(ts);
    if (message.stream?.open !== true) throw refusal('message_not_in_streaming_state');
    return { message, stream: message.stream };
  };
  const textOf = ({ chunks = [] }: Sent) => chunks.map(({ text = '' }) => text).join('');

  const methods: Readonly<Record<string, (sent: Sent) => object>> = {
    'chat.postMessage': ({ channel, thread_ts, text = '', blocks = [], metadata }) => {
      const place = thread_ts === undefined ? {} : { threadTs: thread_ts };
      const said = { channel, text, blocks, ...place, ...(metadata === undefined ? {} : { metadata }) };
      return { ok: true, channel, ts: write({ user: BOT, botId: BOT_ID, ...said }).ts };
    },
    'chat.update': ({ ts, text = '', blocks = [], metadata }) =>
      replace(ts, { text, blocks, ...(metadata === undefined ? {} : { metadata }) }),
    'chat.delete': ({ ts }) => {
      standing(ts);
      messages.delete(ts);
      return { ok: true };
    },
    'chat.startStream': ({ channel, thread_ts = '' }) => {
      const stream = { open: true, startedAtMs: Date.now(), markdown: '', tasks: [], blocks: [] };
      const { ts } = write({ channel, threadTs: thread_ts, user: BOT, botId: BOT_ID, text: '', stream });
      return { ok: true, channel, ts };
    },
    'chat.appendStream': (sent) => {
      const { stream } = openStream(sent.ts);
      const markdown = stream.markdown + textOf(sent);
      return replace(sent.ts, { text: markdown, stream: { ...stream, markdown } });
    },
    'chat.stopStream': (sent) => {
      const { stream } = openStream(sent.ts);
      const markdown = stream.markdown + textOf(sent);
      const { blocks = [], metadata } = sent;
      const end = { text: markdown, blocks, ...(metadata === undefined ? {} : { metadata }) };
      return replace(sent.ts, { ...end, stream: { ...stream, open: false, markdown } });
    },
    'conversations.replies': ({ ts }) => ({
      ok: true,
      messages: [...messages.values()]
        .filter((message) => message.ts === ts || message.threadTs === ts)
        .map(({ botId, ...message }) => ({ ...message, ...(botId === undefined ? {} : { bot_id: botId }) })),
    }),
    'conversations.open': ({ users = '' }) => ({ ok: true, channel: { id: users.replace(/^U/, 'D') } }),
    'conversations.history': ({ channel }) => ({
      ok: true,
      messages: [...messages.values()].filter((message) => message.channel === channel).toReversed(),
    }),
    'users.info': ({ user }) => ({ ok: true, user: { id: user, team_id: TEAM, is_bot: false, is_restricted: false } }),
    'auth.test': () => ({ ok: true, bot_id: BOT_ID, user_id: BOT }),
    'agents.sessions.setStatus': ({ thread_ts = '', status = '' }) => {
      statuses.set(thread_ts, status);
      return { ok: true };
    },
  };

  return {
    messages: () => [...messages.values()],
    message: (ts) => messages.get(ts),
    writtenMs: (ts) => times.get(ts) ?? 0,
    write,
    status: (thread) => statuses.get(thread),
    remove: (ts) => void messages.delete(ts),
    install: (isInstalled) => {
      installed = isInstalled;
    },
    isInstalled: () => installed,
    clientOf: (across, process) => {
      const send = (method: string) => (sent: Sent) =>
        across(
          method,
          () => {
            if (!installed) throw refusal('account_inactive');
            return methods[method]?.(sent) ?? { ok: true };
          },
          () => new WebAPIRequestError(new Error('socket hang up')),
        );
      const inTurn = createTurns();
      /** A process shows one status at a time. The last status of a dead process is dropped, as no process corrects it. */
      const show = (sent: Sent) =>
        inTurn(sent.thread_ts ?? '', () =>
          across(
            `agents.sessions.setStatus ${sent.status}`,
            () => {
              if (!installed) throw refusal('account_inactive');
              return (process.alive ? methods['agents.sessions.setStatus']?.(sent) : undefined) ?? { ok: true };
            },
            () => new WebAPIRequestError(new Error('socket hang up')),
          ),
        );
      const family = (name: string) =>
        Object.fromEntries(
          Object.keys(methods)
            .filter((method) => method.startsWith(`${name}.`))
            .map((method) => [method.slice(name.length + 1), send(method)]),
        );
      const client = {
        auth: family('auth'),
        chat: family('chat'),
        conversations: family('conversations'),
        users: family('users'),
        agents: { sessions: { setStatus: show } },
      };
      // The few methods that a thread needs, of hundreds.
      return client as unknown as WebClient;
    },
  };
}

const refusal = (error: string) => new WebAPIPlatformError({ ok: false, error });
