import type { Log } from '../../../log.ts';
import { RunId, ThreadKey } from '../../../records/index.ts';
import { pause } from '../../../time/index.ts';
import type { Hint, HintListener } from '../../store.ts';
import { beat } from './beat.ts';
import { type Client, pauseMs } from './clients.ts';
import { within } from './link.ts';

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

/** How often the subscription is asked whether it is still there, and how long it may take to say so. */
const PING_MS = 2_000;
const SUBSCRIBE_MS = 2_000;

/** One connection for all hints of this process, there while anybody listens, and replaced when it falls silent. */
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
      // A copy, so that listening twice with one listener is two.
      const listener = { ...given };
      const first = running === undefined;
      const remove = async () => {
        listeners.delete(listener);
        if (listeners.size === 0) await close();
      };
      listeners.add(listener);
      await subscription().confirmed;
      // The first one has heard of the new subscription; for the others this is their beginning.
      if (!first) listener.onGap();
      return { close: remove };
    },
    close,
  };
}

interface Subscription {
  /** Settles with the first confirmation, or when it is closed before. */
  readonly confirmed: Promise<void>;
  readonly close: () => Promise<void>;
}

function subscribe(options: SubscriberOptions, to: HintListener): Subscription {
  const stop = new AbortController();
  let ended = Promise.resolve();
  const confirmed = new Promise<void>((resolve, reject) => {
    ended = keep(options, to, stop.signal, resolve).finally(() => {
      reject(new Error('The store is closed: the process is stopping.'));
    });
  });
  return {
    confirmed,
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Subscribes again and again, until told to stop. Each time something may have been missed in between. */
async function keep(
  { connect, channels, sharded, log }: SubscriberOptions,
  to: HintListener,
  signal: AbortSignal,
  onConfirmed: () => void,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const client = connect();
    const gone = new AbortController();
    client.once('end', () => gone.abort());
    signal.addEventListener('abort', () => client.disconnect(), { once: true, signal: gone.signal });
    client.on(sharded ? 'smessage' : 'message', (_channel: string, text: string) => {
      const hint = readHint(text);
      if (hint !== undefined) to.onHint(hint);
    });
    try {
      await within(SUBSCRIBE_MS, subscribeTo(client, channels, sharded));
      attempt = 1;
      // In a Cluster the client replaces what it has lost by itself, and would not say that something was missed.
      for (const event of ['-node', '-subscriber']) client.once(event, () => gone.abort());
      onConfirmed();
      to.onGap();
      for (;;) {
        await pause(PING_MS, { signal: AbortSignal.any([signal, gone.signal]) });
        await within(PING_MS, beat(client, channels, sharded));
      }
    } catch (error) {
      // Once for each loss, not for each attempt to come back.
      const tell = attempt === 1 ? log.warn : log.debug;
      if (!signal.aborted) tell('The subscription to hints is lost; taking a new one.', { error });
    }
    client.disconnect();
    await pause(pauseMs(attempt), { signal }).catch(() => {});
  }
}

async function subscribeTo(client: Client, channels: readonly string[], sharded: boolean): Promise<void> {
  if (!sharded) return void (await client.subscribe(...channels));
  // One by one: each may belong to another slot.
  await Promise.all(channels.map((channel) => client.ssubscribe(channel)));
}

/** Anybody may publish. What is no hint of ours is no hint. */
function readHint(text: string): Hint | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { thread, run, version } = JSON.parse(text);
    if (!Number.isSafeInteger(version)) return undefined;
    return { thread: ThreadKey.parse(thread), run: RunId.parse(run), version };
  } catch {
    return undefined;
  }
}
