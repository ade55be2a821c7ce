import type { Log } from '../../../log.ts';
import { RunId, ThreadKey } from '../../../records/index.ts';
import { pause } from '../../../time/index.ts';
import type { Hint, HintListener } from '../../store.ts';
import { beat } from './beat.ts';
import { type Client, pauseMs } from './clients.ts';
import { refusalOf, within } from './link.ts';

export interface SubscriberOptions {
  readonly connect: () => Client;
  readonly channels: readonly string[];
  /** In a Cluster, channels belong to slots. */
  readonly sharded: boolean;
  readonly log: Log;
}

export interface Subscriber {
  readonly add: (listener: HintListener) => Promise<{ readonly close: () => Promise<void> }>;
  readonly close: () => Promise<void>;
}

/** How often the subscription is checked, and how long it may take to answer. */
const PING_MS = 2_000;
const SUBSCRIBE_MS = 2_000;

/** One connection for all hints of this process. It exists while there is a listener, and is replaced when it is silent. */
export function createSubscriber(options: SubscriberOptions): Subscriber {
  const listeners = new Set<HintListener>();
  let running: Subscription | undefined;

  const subscription = (): Subscription => {
    running ??= subscribe(options, {
      onHint: (hint) => {
        for (const listener of [...listeners]) listener.onHint(hint);
      },
      onGap: () => {
        for (const listener of [...listeners]) listener.onGap();
      },
    });
    return running;
  };
  const close = async () => {
    const ending = running;
    running = undefined;
    await ending?.close();
  };

  return {
    add: async (given) => {
      // A copy, so that one listener given twice counts as two.
      const listener = { ...given };
      const first = running === undefined;
      const remove = async () => {
        listeners.delete(listener);
        if (listeners.size === 0) await close();
      };
      listeners.add(listener);
      await subscription().confirmed;
      // The new subscription has called the first listener; a later one is called here.
      if (!first) listener.onGap();
      return { close: remove };
    },
    close,
  };
}

interface Subscription {
  /** Settles with the first confirmation, or when it is refused or closed before. */
  readonly confirmed: Promise<void>;
  readonly close: () => Promise<void>;
}

function subscribe(options: SubscriberOptions, to: HintListener): Subscription {
  const stop = new AbortController();
  let ended = Promise.resolve();
  const confirmed = new Promise<void>((resolve, reject) => {
    ended = keep(options, to, stop.signal, resolve).then(
      () => reject(new Error('The store is closed: the process is stopping.')),
      reject,
    );
  });
  return {
    confirmed,
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/**
 * Subscribes anew after each loss, until it is stopped. Each loss is a gap: hints may have been missed. Rejects when Redis keeps
 * the first subscription from its user: that is a fault of the setup.
 */
async function keep(
  options: SubscriberOptions,
  to: HintListener,
  signal: AbortSignal,
  onConfirmed: () => void,
): Promise<void> {
  let isNew = true;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      if (attempt > 1) await pause(pauseMs(attempt), { signal });
      await listen(options, to, signal, () => {
        attempt = 1;
        isNew = false;
        onConfirmed();
      });
      // The connection failed, fell silent or was closed. It is logged once for each loss, not for each new attempt.
    } catch (error) {
      const refusal = isNew ? refusalOf(error) : undefined;
      if (refusal !== undefined) throw refusal;
      const tell = attempt === 1 ? options.log.warn : options.log.debug;
      if (!signal.aborted) tell('The subscription to hints is lost; taking a new one.', { error });
    }
  }
}

/** Listens over one connection. Rejects when it is lost, or when the subscription is stopped. */
async function listen(
  { connect, channels, sharded }: SubscriberOptions,
  to: HintListener,
  signal: AbortSignal,
  onConfirmed: () => void,
): Promise<never> {
  const client = connect();
  const gone = new AbortController();
  client.once('end', () => gone.abort());
  signal.addEventListener('abort', () => client.disconnect(), { signal: gone.signal });
  client.on(sharded ? 'smessage' : 'message', (_channel: string, text: string) => {
    const hint = readHint(text);
    if (hint !== undefined) to.onHint(hint);
  });
  try {
    await within(SUBSCRIBE_MS, subscribeTo(client, channels, sharded));
    // A client of a Cluster replaces a lost connection silently, although hints may have been missed.
    for (const event of ['-node', '-subscriber']) client.once(event, () => gone.abort());
    onConfirmed();
    to.onGap();
    for (;;) {
      await pause(PING_MS, { signal: AbortSignal.any([signal, gone.signal]) });
      await within(PING_MS, beat(client, channels, sharded));
    }
  } finally {
    client.disconnect();
  }
}

async function subscribeTo(client: Client, channels: readonly string[], sharded: boolean): Promise<void> {
  if (!sharded) return void (await client.subscribe(...channels));
  // One by one: each may belong to another slot.
  await Promise.all(channels.map((channel) => client.ssubscribe(channel)));
}

/** Returns `undefined` for a text that is no hint: every client of Redis may publish. */
function readHint(text: string): Hint | undefined {
  try {
    const { thread, run, version, entries } = JSON.parse(text);
    if (!Number.isSafeInteger(version)) return undefined;
    const isPage = Array.isArray(entries) && entries.every(isEntry);
    return { thread: ThreadKey.parse(thread), run: RunId.parse(run), version, ...(isPage ? { entries } : {}) };
    // The text is no JSON, or its ids are none. Other programs may publish on this channel.
  } catch {
    return undefined;
  }
}

const isEntry = (entry: unknown): boolean =>
  typeof entry === 'object' &&
  entry !== null &&
  'id' in entry &&
  typeof entry.id === 'string' &&
  'text' in entry &&
  typeof entry.text === 'string';
