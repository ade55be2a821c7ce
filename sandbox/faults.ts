import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject } from './json.ts';

/** What can go wrong with one request. A test sets faults, and requests take them in that order. */

export type Fault =
  /** A page with this HTTP status and no JSON. `done`: what the request asked for is done all the same. */
  | { readonly type: 'status'; readonly status: number; readonly done?: true }
  | { readonly type: 'rate-limited'; readonly retryAfterSeconds: number }
  /** One call in this time, and this many messages in a call: how an app outside of Slack's Marketplace reads threads and channels. */
  | { readonly type: 'rationed'; readonly most: number; readonly everyMs: number }
  /** `{ ok: false, error }`, as the platform refuses. For the model: the error's type, with a fitting status. */
  | { readonly type: 'platform'; readonly error: string; readonly done?: true }
  /** Never answered. */
  | { readonly type: 'hang' }
  | { readonly type: 'slow'; readonly delayMs: number }
  /** It is done, but the connection breaks before the answer is sent. */
  | { readonly type: 'lost' }
  /** The stream of an answer breaks after this many events. Only the model streams. */
  | { readonly type: 'cut'; readonly afterEvents: number };

export type RefusingFault = Extract<Fault, { readonly type: 'status' | 'rate-limited' | 'platform' }>;

export interface Faults {
  /**
   * `name` is a method like `chat.update`, or `*` for any; `response_url` may only hang. `times` is 1 unless given; Infinity means
   * until cleared. `only` narrows it to requests with these arguments, such as `{ channel: OPS }`.
   */
  set(name: string, fault: Fault, times?: number, only?: ApiObject): void;
  clear(name?: string): void;
  /** Whether a request with this name is still to take one. */
  isPlanned(name: string): boolean;
  /** For the servers: takes the fault of this request, if there is one. */
  take(name: string, given?: ApiObject): Fault | undefined;
}

export function createFaults(): Faults {
  let planned: { readonly name: string; readonly fault: Fault; left: number; readonly only: ApiObject }[] = [];
  return {
    set: (name, fault, times = 1, only = {}) => {
      planned.push({ name, fault, left: times, only });
    },
    clear: (name) => {
      planned = name === undefined ? [] : planned.filter((plan) => plan.name !== name);
    },
    isPlanned: (name) => planned.some((plan) => plan.name === name),
    take: (name, given = {}) => {
      const plan = planned.find(
        (candidate) =>
          (candidate.name === name || candidate.name === '*') &&
          Object.entries(candidate.only).every(([argument, value]) => given[argument] === value),
      );
      if (plan === undefined) return undefined;
      plan.left -= 1;
      if (plan.left <= 0) planned = planned.filter((candidate) => candidate !== plan);
      return plan.fault;
    },
  };
}

/** Refuses with the fault, or waits as long as it says. `false` where the request is still to be done. */
export async function spoilt(fault: Fault | undefined, refuse: (fault: RefusingFault) => void): Promise<boolean> {
  switch (fault?.type) {
    case 'status':
    case 'rate-limited':
    case 'platform':
      refuse(fault);
      return true;
    case 'hang':
      return true;
    case 'slow':
      await sleep(fault.delayMs);
      return false;
    default:
      return false;
  }
}
