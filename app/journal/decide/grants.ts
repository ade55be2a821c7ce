import { z } from 'zod';
import { canonical, type Json, unreachable } from '../../../interventions/index.ts';
import { ApprovalId, type Grant, GrantId, RunId, Thread, TrustOffer, UserId } from '../../records/index.ts';
import type { Effect, IndexName } from '../../store/index.ts';
import { BrokenJournalError } from '../fold/evolve.ts';
import type { Stamp } from '../line/line.ts';

/**
 * A trust outlives the run it was given in, so each grant is a journal of its own, with the same append. A call uses a
 * grant before it starts; a revoke is an entry of the same list, so the two are never in doubt about who was first.
 */
export const GrantBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('grant-given'),
    grant: GrantId,
    team: z.string(),
    tool: z.string(),
    definition: z.string(),
    /** Of everything the deployment laid down for the tool. Older grants have none, and have ended. */
    policy: z.string().optional(),
    offer: TrustOffer,
    digest: z.string().optional(),
    thread: Thread,
    requester: UserId,
    by: UserId,
    approval: ApprovalId.optional(),
    untilMs: z.number(),
  }),
  z.object({ type: z.literal('grant-used'), run: RunId, call: z.string() }),
  z.object({ type: z.literal('grant-revoked'), by: UserId }),
]);
export type GrantBody = z.infer<typeof GrantBody>;

export interface GrantState {
  readonly grant: Grant;
  /** Each call counts once, however often its use is written. */
  readonly usedBy: ReadonlySet<string>;
}

export function evolveGrant(state: GrantState | undefined, entry: GrantBody & Stamp): GrantState {
  if (state === undefined) {
    if (entry.type !== 'grant-given') throw new BrokenJournalError(`begins with ${entry.type}`);
    const { type: _type, id: _id, atMs, grant: id, digest, approval, policy, ...given } = entry;
    return {
      grant: {
        ...given,
        id,
        givenAtMs: atMs,
        uses: 0,
        ...(digest === undefined ? {} : { digest }),
        ...(policy === undefined ? {} : { policy }),
        ...(approval === undefined ? {} : { approval }),
      },
      usedBy: new Set(),
    };
  }
  switch (entry.type) {
    case 'grant-given':
      throw new BrokenJournalError('gives one grant twice');
    case 'grant-used': {
      const usedBy = new Set([...state.usedBy, keyOfUse(entry)]);
      return { usedBy, grant: { ...state.grant, uses: usedBy.size } };
    }
    case 'grant-revoked':
      return { ...state, grant: { ...state.grant, revoked: { by: entry.by, atMs: entry.atMs } } };
    default:
      return unreachable(entry);
  }
}

const keyOfUse = ({ run, call }: { readonly run: RunId; readonly call: string }) => `${run} ${call}`;

/** The call as it is about to run, and where. */
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

/** Does this standing yes cover this call now? The one matching rule, for asking and for starting. */
export function covers(grant: Grant, call: GrantedCall, nowMs: number): boolean {
  if (hasEnded(grant, nowMs)) return false;
  if (grant.team !== call.team || grant.tool !== call.tool || grant.definition !== call.definition) return false;
  // What a person agreed to was one call among the questions of that day: other rules need another yes.
  if (grant.policy !== call.policy) return false;
  if (!matches(grant, call)) return false;
  // Trust in what a person starts is no trust in what others make of it.
  if (grant.offer.scope === 'requester' && call.steeredBy.some((author) => author !== grant.requester)) return false;
  return scopeKey(grant.offer.scope, grant) === scopeKey(grant.offer.scope, call);
}

export function hasEnded({ revoked, untilMs, uses, offer }: Grant, nowMs: number): boolean {
  return revoked !== undefined || nowMs >= untilMs || (offer.uses !== undefined && uses >= offer.uses);
}

function matches({ offer, digest }: Grant, call: GrantedCall): boolean {
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
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const found = new Map(Object.entries(input)).get(field);
  return found === undefined ? undefined : canonical(found);
}

/** Where a grant counts, in one string; begins with the team, which is what separates tenants. */
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

export function decideUse(
  state: GrantState | undefined,
  call: GrantedCall & { readonly run: RunId; readonly call: string },
  nowMs: number,
): { readonly entries: readonly GrantBody[]; readonly result: 'used' | 'ended'; readonly notAfterMs?: number } {
  if (state === undefined) return { entries: [], result: 'ended' };
  // A use that stands in the journal stays good, even if the grant was revoked right behind it.
  if (state.usedBy.has(keyOfUse(call))) return { entries: [], result: 'used' };
  if (!covers(state.grant, call, nowMs)) return { entries: [], result: 'ended' };
  return {
    entries: [{ type: 'grant-used', run: call.run, call: call.call }],
    result: 'used',
    notAfterMs: lastMs(state.grant),
  };
}

/** The last instant at which it counts, by the store's clock. */
export function lastMs({ untilMs }: Pick<Grant, 'untilMs'>): number {
  return untilMs - 1;
}

export function decideRevoke(
  state: GrantState | undefined,
  by: UserId,
): { readonly entries: readonly GrantBody[]; readonly result: 'revoked' | 'already' | 'unknown' } {
  if (state === undefined) return { entries: [], result: 'unknown' };
  if (state.grant.revoked !== undefined) return { entries: [], result: 'already' };
  return { entries: [{ type: 'grant-revoked', by }], result: 'revoked' };
}

/** The list of what one person lets run; beside those of the scopes, and no scope itself. */
export function giverKey(team: string, giver: UserId): string {
  return `${team}:giver:${giver}`;
}

/** The list of all that is trusted in a workspace: for the day on which the app is removed from it. */
export function teamKey(team: string): string {
  return `${team}:given`;
}

export function grantEffects(state: GrantState, entries: readonly GrantBody[]): readonly Effect[] {
  const { grant } = state;
  const lists = [scopeKey(grant.offer.scope, grant), giverKey(grant.team, grant.by), teamKey(grant.team)];
  return lists.flatMap((of) => entries.flatMap((entry) => effectsOfOne(entry, { what: 'grants', of }, grant.id)));
}

function effectsOfOne(entry: GrantBody, index: IndexName, member: GrantId): Effect[] {
  switch (entry.type) {
    case 'grant-given':
      return [{ type: 'member', index, member }];
    case 'grant-revoked':
      return [{ type: 'not-member', index, member }];
    case 'grant-used':
      return [];
  }
}
