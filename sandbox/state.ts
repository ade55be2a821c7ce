import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { given } from '../app/given.ts';
import type { ApiObject } from './json.ts';
import { type InstalledApp, installedIn } from './organisation.ts';
import {
  type Channel,
  everybody,
  everyChannel,
  everyGroup,
  type PlayedPerson,
  TEAM,
  type UserGroup,
} from './people.ts';
import {
  type ApiRequest,
  type Beside,
  type Ephemeral,
  rootTs,
  type SessionState,
  type SlackMessage,
  type StoredFile,
  type ThreadName,
  type View,
} from './records.ts';

/** The workspace in memory: what is in it, and how a part of it is replaced. It decides nothing. */
export interface State extends InstalledApp {
  readonly now: () => number;
  readonly people: Map<string, PlayedPerson>;
  readonly channels: Map<string, Channel>;
  readonly groups: Map<string, UserGroup>;
  readonly messages: Map<string, SlackMessage>;
  readonly ephemerals: Map<string, Ephemeral>;
  /** Open modals of each person, the lowest first. */
  readonly modals: Map<string, readonly View[]>;
  readonly homes: Map<string, View>;
  readonly sessions: Map<string, SessionState>;
  /** What each person has open beside the app. */
  readonly beside: Map<string, readonly Beside[]>;
  readonly files: Map<string, StoredFile>;
  readonly triggers: Map<string, Trigger>;
  readonly answerAddresses: Map<string, AnswerAddress>;
  readonly requests: ApiRequest[];
  /** What the app answered at a `response_url` and to submitted forms. */
  readonly answers: ApiObject[];
  /** A new timestamp, later than all before. */
  readonly nextTs: () => string;
  readonly nextId: (prefix: string) => string;
  /** Tells the listeners that something has changed. */
  readonly changed: () => void;
  readonly onChange: (listener: () => void) => () => void;
}

/** What a `trigger_id` stands for. */
export interface Trigger {
  readonly user: string;
  readonly expiresAtMs: number;
  readonly used: boolean;
}

/** What a `response_url` stands for. */
export interface AnswerAddress {
  readonly user: string;
  readonly channel: string;
  readonly messageTs?: string;
  readonly ephemeralId?: string;
  readonly expiresAtMs: number;
  readonly usesLeft: number;
}

export function createState(now: () => number, installation = TEAM): State {
  const { team, organisation } = installedIn(installation);
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  let lastMicroseconds = 0;
  const ours = (person: PlayedPerson): PlayedPerson => (person.teamId === TEAM ? { ...person, teamId: team } : person);
  return {
    now,
    team,
    ...given({ organisation }),
    people: new Map(everybody().map((person) => [person.id, ours(person)])),
    channels: new Map(everyChannel().map((channel) => [channel.id, channel])),
    groups: new Map(everyGroup().map((group) => [group.id, group])),
    messages: new Map(),
    ephemerals: new Map(),
    modals: new Map(),
    homes: new Map(),
    sessions: new Map(),
    beside: new Map(),
    files: new Map(),
    triggers: new Map(),
    answerAddresses: new Map(),
    requests: [],
    answers: [],
    nextTs: () => {
      lastMicroseconds = Math.max(lastMicroseconds + 100, Math.floor(now()) * 1000);
      return `${Math.floor(lastMicroseconds / 1_000_000)}.${String(lastMicroseconds % 1_000_000).padStart(6, '0')}`;
    },
    nextId: (prefix) => `${prefix}0${randomBytes(5).toString('hex').toUpperCase()}`.slice(0, 11),
    changed: () => {
      emitter.emit('change');
    },
    onChange: (listener) => {
      emitter.on('change', listener);
      return () => emitter.off('change', listener);
    },
  };
}

export function messageKey(name: { readonly channel: string; readonly ts: string }): string {
  return `${name.channel}:${name.ts}`;
}

export function putMessage(state: State, message: SlackMessage): SlackMessage {
  state.messages.set(messageKey(message), message);
  state.changed();
  return message;
}

/** In a thread without a reply Slack takes it and shows it to no person. */
export function putEphemeral(state: State, ephemeral: Omit<Ephemeral, 'id' | 'ts'>): Ephemeral {
  const put = { ...ephemeral, id: state.nextId('E'), ts: state.nextTs() };
  const { channel, threadTs } = put;
  if (threadTs !== undefined && messagesOf(state, { channel, ts: threadTs }).length < 2) return put;
  state.ephemerals.set(put.id, put);
  state.changed();
  return put;
}

export function findMessage(state: State, channel: string, ts: string): SlackMessage | undefined {
  return state.messages.get(messageKey({ channel, ts }));
}

/** The root and its answers, oldest first. */
export function messagesOf(state: State, thread: ThreadName): readonly SlackMessage[] {
  const root = rootTs(thread);
  return [...state.messages.values()]
    .filter((message) => message.channel === thread.channel && rootTs(message) === root)
    .sort(byTs);
}

/** The messages by channel and by thread, oldest first. They are sorted once after each change, however often they are read. */
export function sortedMessages(state: State) {
  type Lists = Map<string, SlackMessage[]>;
  let sorted: { readonly channels: Lists; readonly threads: Lists } | undefined;
  state.onChange(() => {
    sorted = undefined;
  });
  const sort = () => {
    const [channels, threads]: readonly [Lists, Lists] = [new Map(), new Map()];
    const add = (lists: Lists, name: string, message: SlackMessage) => {
      const list = lists.get(name);
      if (list === undefined) lists.set(name, [message]);
      else list.push(message);
    };
    for (const message of [...state.messages.values()].sort(byTs)) {
      add(channels, message.channel, message);
      add(threads, messageKey({ channel: message.channel, ts: rootTs(message) }), message);
    }
    return { channels, threads };
  };
  const lists = () => {
    sorted ??= sort();
    return sorted;
  };
  return {
    channel: (id: string): readonly SlackMessage[] => lists().channels.get(id) ?? [],
    thread: (name: ThreadName): readonly SlackMessage[] =>
      lists().threads.get(messageKey({ channel: name.channel, ts: rootTs(name) })) ?? [],
  };
}

export function byTs(one: { readonly ts: string }, other: { readonly ts: string }): number {
  return Number(one.ts) - Number(other.ts);
}

export function addTrigger(state: State, user: string): string {
  const id = `${state.nextId('1')}.${state.nextId('2')}.${randomBytes(16).toString('hex')}`;
  state.triggers.set(id, { user, expiresAtMs: state.now() + TRIGGER_LIFE_MS, used: false });
  return id;
}

export function addAnswerAddress(state: State, address: Omit<AnswerAddress, 'expiresAtMs' | 'usesLeft'>): string {
  const id = `${randomBytes(8).toString('hex')}/${randomBytes(12).toString('base64url')}`;
  state.answerAddresses.set(id, {
    ...address,
    expiresAtMs: state.now() + ANSWER_ADDRESS_LIFE_MS,
    usesLeft: ANSWER_ADDRESS_USES,
  });
  return id;
}

const TRIGGER_LIFE_MS = 3000;
const ANSWER_ADDRESS_LIFE_MS = 30 * 60_000;
const ANSWER_ADDRESS_USES = 5;
