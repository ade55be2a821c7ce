import { canonical, type Json } from '../../../../interventions/index.ts';
import { isJsonObject } from '../../../json.ts';
import type { StandingTrust, Thread, TrustOffer, UserId } from '../../../records/index.ts';

/** A call that is about to run, and where. */
export interface GrantedCall {
  readonly team: string;
  readonly tool: string;
  readonly definition: string;
  readonly policy: string;
  readonly digest: string;
  readonly input: Json;
  readonly thread: Thread;
  readonly requester: UserId;
  /** Everyone who steered the call, the requester among them. */
  readonly steeredBy: readonly UserId[];
}

/** Whether this trust covers this call now. Both asking and starting use this rule. */
export function covers(trust: StandingTrust, call: GrantedCall, nowMs: number): boolean {
  if (hasEnded(trust, nowMs)) return false;
  if (trust.team !== call.team || trust.tool !== call.tool || trust.definition !== call.definition) return false;
  // The person gave the trust under the rules of that time. Other rules need a new approval.
  if (trust.policy !== call.policy) return false;
  if (!matches(trust, call)) return false;
  // Trust in one requester's calls does not cover a call that other people steered.
  if (trust.offer.scope === 'requester' && call.steeredBy.some((author) => author !== trust.requester)) return false;
  return scopeKey(trust.offer.scope, trust) === scopeKey(trust.offer.scope, call);
}

export function hasEnded({ revoked, untilMs, uses, offer }: StandingTrust, nowMs: number): boolean {
  return revoked !== undefined || nowMs >= untilMs || (offer.uses !== undefined && uses >= offer.uses);
}

function matches({ offer, digest }: StandingTrust, call: GrantedCall): boolean {
  switch (offer.match) {
    case 'any':
      return true;
    case 'exact':
      return digest === call.digest;
    case 'fields': {
      const where = Object.entries(offer.where ?? {});
      return where.length > 0 && where.every(([field, value]) => fieldOf(call.input, field) === value);
    }
  }
}

function fieldOf(input: Json, field: string): string | undefined {
  if (!isJsonObject(input)) return undefined;
  const found = new Map(Object.entries(input)).get(field);
  return found === undefined ? undefined : canonical(found);
}

/** The scope of a trust as a string. It begins with the team, which separates tenants. */
export function scopeKey(
  scope: TrustOffer['scope'],
  { team, thread, requester }: Pick<GrantedCall, 'team' | 'thread' | 'requester'>,
): string {
  switch (scope) {
    case 'thread':
      return `${team}:thread:${thread.channel}:${thread.ts}`;
    case 'channel':
      return `${team}:channel:${thread.channel}`;
    case 'requester':
      return `${team}:requester:${requester}`;
  }
}

/** The last millisecond at which the trust holds, by the store's clock. */
export function lastMs({ untilMs }: Pick<StandingTrust, 'untilMs'>): number {
  return untilMs - 1;
}
