import type { StandingTrust, UserId } from '../../records/index.ts';
import type { Effect, IndexName } from '../../store/index.ts';
import type { TrustEntryBody } from '../facts/trusts.ts';
import type { TrustEnd } from '../facts/workspace.ts';
import { scopeKey } from '../fold/queries/trusts.ts';
import type { TrustState } from '../fold/trusts.ts';

/** The list of the trusts that one person gave. It is kept beside the lists of the scopes. */
export function giverKey(team: string, giver: UserId): string {
  return `${team}:giver:${giver}`;
}

/** The list of the trusts that count in one thread of this channel. People in the channel see its threads. */
export function threadsKey(team: string, channel: string): string {
  return `${team}:threads-of:${channel}`;
}

/** The list of all trusts of a workspace, needed when the app is removed from it. */
export function teamKey(team: string): string {
  return `${team}:given`;
}

export function trustEffects({ trust }: TrustState, entries: readonly TrustEntryBody[]): readonly Effect[] {
  return entries.flatMap(({ type }): readonly Effect[] => {
    if (type === 'grant-given') return [...onLists('member', trust), endsAt(trust, trust.untilMs)];
    const isOver = type === 'grant-revoked' || trust.uses === trust.offer.uses;
    return isOver ? [endsAt(trust, trust.givenAtMs)] : [];
  });
}

/** When the runs that gave or used the trust have to hear that it ended. A past time means at once. */
const endsAt = ({ id }: StandingTrust, atMs: number): Effect => ({
  type: 'due',
  item: { what: 'trust-end', subject: id },
  atMs,
});

/** What the journal of the workspace is to say of a trust that was revoked. With it, the trust leaves its lists. */
export function endOfTrust(
  { trust, version }: TrustState,
  head: string,
): { readonly entry: TrustEnd; readonly effects: readonly Effect[] } | undefined {
  if (trust.revoked === undefined) return undefined;
  const entry: TrustEnd = { type: 'trust-ended', grant: trust.id, by: trust.revoked.by, version, head };
  return { entry, effects: onLists('not-member', trust) };
}

function onLists(type: 'member' | 'not-member', trust: StandingTrust): readonly Effect[] {
  return listsOfTrust(trust).map((index) => ({ type, index, member: trust.id }));
}

/** The lists of a trust that counts. */
export function listsOfTrust(trust: StandingTrust): readonly IndexName[] {
  const { team, offer, by, thread } = trust;
  const inThread = offer.scope === 'thread' ? [threadsKey(team, thread.channel)] : [];
  const lists = [scopeKey(offer.scope, trust), giverKey(team, by), teamKey(team), ...inThread];
  return lists.map((of) => ({ what: 'grants', of }));
}
