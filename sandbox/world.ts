import { type ActOutcome, type ActStage, sendEvent } from './acts/act.ts';
import { archive, lock } from './acts/closing.ts';
import { type Commanded, command, openHome, shortcut } from './acts/commands.ts';
import { edit, type RemoveOptions, remove, type SayOptions, say, stop } from './acts/messages.ts';
import { close, type FilledIn, type Submitted, submit } from './acts/modals.ts';
import { openBeside } from './acts/open-beside.ts';
import { type Pressable, type PressOptions, press } from './acts/presses.ts';
import type { Acknowledgement, Deliveries, SentDelivery } from './delivery/deliveries.ts';
import type { Faults } from './faults.ts';
import { type ApiObject, at } from './json.ts';
import type { Channel, PlayedPerson, UserGroup } from './people.ts';
import {
  type ApiRequest,
  type Beside,
  type Ephemeral,
  rootTs,
  type SessionState,
  type SlackMessage,
  type ThreadName,
  type View,
} from './records.ts';
import { byTs, messageKey, sortedMessages } from './state.ts';

/** The workspace as a test or the page handles it: what people do, what can be seen, and what is to go wrong. */
export interface World {
  /** A person writes. Resolves when the message stands in the channel, before the app has heard of it. */
  say(user: string, channel: string, text: string, options?: SayOptions): Promise<SlackMessage>;
  edit(user: string, message: SlackMessage, text: string): Promise<SlackMessage>;
  remove(message: SlackMessage, options?: RemoveOptions): Promise<void>;
  archive(user: string, channel: string, isArchived: boolean): Promise<void>;
  lock(thread: ThreadName, isLocked: boolean): Promise<void>;
  /** Presses what is drawn now, and resolves when the app acknowledged or did not within three seconds. */
  press(user: string, target: Pressable, actionId: string, options?: PressOptions): Promise<ActOutcome>;
  submit(user: string, view: View, filled?: FilledIn): Promise<Submitted>;
  close(user: string, view: View): Promise<ActOutcome | undefined>;
  command(
    user: string,
    channel: string,
    name: string,
    text?: string,
    options?: { readonly thread?: ThreadName },
  ): Promise<Commanded>;
  shortcut(user: string, message: SlackMessage, callbackId: string): Promise<ActOutcome>;
  openHome(user: string, tab?: 'home' | 'messages'): Promise<void>;
  stop(user: string, thread: ThreadName): Promise<void>;
  /** Opens things beside the app's messages, in place of what was open there. */
  openBeside(user: string, ...things: readonly Beside[]): Promise<void>;
  /** Any other event, such as `app_uninstalled`. */
  event(event: ApiObject): SentDelivery;

  /** The messages of a thread, oldest first, root included. */
  messages(thread: ThreadName): readonly SlackMessage[];
  /** All messages of a channel, oldest first. */
  channel(channel: string): readonly SlackMessage[];
  /** The message as it is now; `undefined` when it was deleted. */
  message(name: { readonly channel: string; readonly ts: string }): SlackMessage | undefined;
  /** What only this person sees, oldest first. */
  ephemerals(user: string): readonly Ephemeral[];
  /** The open modals of this person, the top one last. */
  views(user: string): readonly View[];
  home(user: string): View | undefined;
  /** Removes a message that only one person sees. */
  dismiss(ephemeralId: string): void;
  session(thread: ThreadName): SessionState;

  readonly people: Map<string, PlayedPerson>;
  readonly channels: Map<string, Channel>;
  readonly groups: Map<string, UserGroup>;
  /** Every call of the Web API, in the order they came. */
  readonly requests: readonly ApiRequest[];
  readonly faults: Faults;
  readonly deliveries: readonly SentDelivery[];
  /** The deliveries about a message: the events that told of it. */
  deliveriesOf(message: { readonly ts: string }): readonly SentDelivery[];
  /** The same delivery again, marked as a retry. */
  redeliver(delivery: SentDelivery): Promise<Acknowledgement>;
  /** The same delivery again, as if for the first time. */
  duplicate(delivery: SentDelivery): Promise<Acknowledgement>;

  /** Waits until something can be seen: the first value of `see` that is neither `undefined` nor false. */
  until<T>(
    see: () => T | undefined | false,
    options?: { readonly withinMs?: number; readonly what?: string },
  ): Promise<T>;
  onChange(listener: () => void): () => void;
}

interface Surroundings {
  readonly faults: Faults;
  /** How long `until` waits where its caller names no time. */
  readonly patienceMs: number;
}

export function createWorld(stage: ActStage, deliveries: Deliveries, { faults, patienceMs }: Surroundings): World {
  const { state } = stage;
  const messages = () => [...state.messages.values()].sort(byTs);
  const sorted = sortedMessages(state);
  return {
    say: async (...what) => say(stage, ...what),
    edit: async (...what) => edit(stage, ...what),
    remove: async (message, options) => remove(stage, message, options),
    archive: async (...what) => archive(stage, ...what),
    lock: async (...what) => lock(stage, ...what),
    press: (...what) => press(stage, ...what),
    submit: (user, view, filled = {}) => submit(stage, user, view, filled),
    close: (...what) => close(stage, ...what),
    command: (...what) => command(stage, ...what),
    shortcut: (...what) => shortcut(stage, ...what),
    openHome: async (...what) => openHome(stage, ...what),
    stop: async (...what) => stop(stage, ...what),
    openBeside: async (...what) => openBeside(stage, ...what),
    event: (event) => sendEvent(stage, event),

    messages: sorted.thread,
    channel: sorted.channel,
    message: (name) => state.messages.get(messageKey(name)),
    ephemerals: (user) => [...state.ephemerals.values()].filter(({ to }) => to === user).sort(byTs),
    views: (user) => state.modals.get(user) ?? [],
    home: (user) => state.homes.get(user),
    dismiss: (ephemeralId) => {
      state.ephemerals.delete(ephemeralId);
      state.changed();
    },
    session: (thread) => state.sessions.get(messageKey({ channel: thread.channel, ts: rootTs(thread) })) ?? {},

    people: state.people,
    channels: state.channels,
    groups: state.groups,
    requests: state.requests,
    faults,
    deliveries: deliveries.all,
    deliveriesOf: ({ ts }) => deliveries.all.filter(({ payload }) => at(payload, 'event', 'ts') === ts),
    redeliver: (delivery) => deliveries.again(delivery, 'retry'),
    duplicate: (delivery) => deliveries.again(delivery, 'first'),

    until: (see, { withinMs = patienceMs, what = `${see}` } = {}) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const seen = seenBy(see);
          if (seen === undefined || seen === false) return;
          finish();
          resolve(seen);
        };
        const forget = state.onChange(check);
        // Some of what can be seen changes nothing in the workspace, such as a delivery to an app that does nothing.
        const again = setInterval(check, 50);
        const timer = setTimeout(() => {
          finish();
          const last = messages()
            .slice(-5)
            .map((message) => `${message.user}: ${message.text}`);
          reject(new Error(`Not seen within ${withinMs} ms: ${what}\nLast said:\n${last.join('\n')}`));
        }, withinMs);
        const finish = () => {
          clearTimeout(timer);
          clearInterval(again);
          forget();
        };
        check();
      }),
    onChange: state.onChange,
  };
}

function seenBy<T>(see: () => T | undefined | false): T | undefined | false {
  try {
    return see();
    // `see` may read what is not there yet. Then nothing is seen.
  } catch {
    return undefined;
  }
}
