import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiJson, ApiObject } from '../json.ts';

/** Delivers to the app what happened, and again where it was not acknowledged, as Slack does. */
export interface Deliveries {
  readonly all: readonly SentDelivery[];
  send(kind: DeliveryKind, payload: ApiObject): SentDelivery;
  /** Sends the same thing once more, as a retry or as if for the first time. */
  again(delivery: SentDelivery, as: 'retry' | 'first'): Promise<Acknowledgement>;
  /** Gives up all that is under way. */
  stop(): void;
}

export type DeliveryKind = 'events_api' | 'interactive' | 'slash_commands';

export interface Parcel {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly payload: ApiObject;
  /** How often it was sent so far. */
  attempts: number;
  /** When each of these was. */
  readonly sentAtMs: number[];
}

export interface SentDelivery extends Parcel {
  /** Settles when it was acknowledged, or when there will be no further attempt. Never rejects. */
  readonly settled: Promise<Acknowledgement>;
  /** When it was given up, and why. */
  unanswered?: { readonly atMs: number; readonly reason: string };
}

export type Acknowledgement =
  | { readonly type: 'acknowledged'; readonly body: ApiJson | undefined; readonly afterMs: number }
  | { readonly type: 'unanswered'; readonly reason: string };

export interface Transport {
  /** Resolves when the app can receive. */
  ready(signal: AbortSignal): Promise<void>;
  isReady(): boolean;
  send(parcel: Parcel, options: SendOptions): Promise<Sent>;
}

export interface SendOptions {
  /** 0 for the first time. */
  readonly retry: number;
  readonly reason: string;
  readonly signal: AbortSignal;
}

export type Sent =
  | { readonly type: 'acknowledged'; readonly body: ApiJson | undefined }
  | { readonly type: 'refused'; readonly reason: string; readonly retry: boolean }
  /** The connection went away before an answer came. */
  | { readonly type: 'lost' };

export interface DeliveriesOptions {
  readonly transport: () => Transport;
  readonly now: () => number;
  readonly acknowledgeWithinMs: number;
  /** Pauses before the second, third and fourth attempt at an event. */
  readonly eventRetryMs: readonly number[];
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const all: SentDelivery[] = [];
  const stopped = new AbortController();
  return {
    all,
    send: (kind, payload) => {
      const parcel: Parcel = { id: randomUUID(), kind, payload, attempts: 0, sentAtMs: [] };
      const brought = kind === 'events_api' ? bringEvent(parcel) : bringOnce(parcel);
      // The sandbox was closed meanwhile, or the transport failed.
      const settled = brought.catch(
        (error: unknown): Acknowledgement => ({ type: 'unanswered', reason: String(error) }),
      );
      const delivery: SentDelivery = Object.assign(parcel, { settled });
      void settled.then((answer) => {
        if (answer.type === 'unanswered') delivery.unanswered = { atMs: options.now(), reason: answer.reason };
      });
      all.push(delivery);
      return delivery;
    },
    again: async (delivery, as) => {
      const retry = as === 'retry' ? 1 : 0;
      return outcome(await attempt(delivery, retry, 'http_timeout'));
    },
    stop: () => stopped.abort(new Error('the sandbox was closed')),
  };

  /** Events wait for a receiver and come up to three times more. A lost connection does not count as one of these. */
  async function bringEvent(parcel: Parcel): Promise<Acknowledgement> {
    let reason = '';
    for (const [retry, pauseMs] of [0, ...options.eventRetryMs].entries()) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopped.signal, ref: false });
      let sent: Timed;
      do {
        await options.transport().ready(stopped.signal);
        sent = await attempt(parcel, retry, reason || 'timeout');
      } while (sent.type === 'lost' && !stopped.signal.aborted);
      if (sent.type === 'acknowledged') return outcome(sent);
      reason = sent.type === 'refused' ? sent.reason : 'timeout';
      if (sent.type === 'refused' && !sent.retry) break;
    }
    return { type: 'unanswered', reason };
  }

  /** A person waits for a press, so it comes once, or once more where its socket broke and another one is open. */
  async function bringOnce(parcel: Parcel): Promise<Acknowledgement> {
    if (!options.transport().isReady()) return { type: 'unanswered', reason: 'the app is not connected' };
    const sent = await attempt(parcel, 0, '');
    if (sent.type !== 'lost' || !options.transport().isReady()) return outcome(sent);
    return outcome(await attempt(parcel, 1, 'timeout'));
  }

  type Timed = Sent & { readonly afterMs: number };

  async function attempt(parcel: Parcel, retry: number, reason: string): Promise<Timed> {
    parcel.attempts += 1;
    const startedAtMs = options.now();
    parcel.sentAtMs.push(startedAtMs);
    const given = new AbortController();
    const signal = AbortSignal.any([given.signal, stopped.signal]);
    const tooLate = sleep(options.acknowledgeWithinMs, undefined, { signal }).then(
      (): Sent => ({ type: 'refused', reason: 'http_timeout', retry: true }),
      (): Sent => ({ type: 'lost' }),
    );
    const sent = await Promise.race([options.transport().send(parcel, { retry, reason, signal }), tooLate]);
    given.abort();
    return { ...sent, afterMs: options.now() - startedAtMs };
  }

  function outcome(sent: Timed): Acknowledgement {
    switch (sent.type) {
      case 'acknowledged':
        return { type: 'acknowledged', body: sent.body, afterMs: sent.afterMs };
      case 'refused':
        return { type: 'unanswered', reason: sent.reason };
      case 'lost':
        return { type: 'unanswered', reason: 'the connection was lost' };
    }
  }
}
