import type { TrustId, UserId } from '../../records/index.ts';
import type { Effect, IndexName } from '../../store/index.ts';
import type { TrustEntryBody } from '../facts/trusts.ts';
import { scopeKey } from '../fold/queries/trusts.ts';
import type { TrustState } from '../fold/trusts.ts';

/** The list of the trusts that one person gave. It is kept beside the lists of the scopes. */
export function giverKey(team: string, giver: UserId): string {
  return `${team}:giver:${giver}`;
}

/** The list of all trusts of a workspace, needed when the app is removed from it. */
export function teamKey(team: string): string {
  return `${team}:given`;
}

export function trustEffects(state: TrustState, entries: readonly TrustEntryBody[]): readonly Effect[] {
  const { trust } = state;
  const lists = [scopeKey(trust.offer.scope, trust), giverKey(trust.team, trust.by), teamKey(trust.team)];
  return lists.flatMap((of) => entries.flatMap((entry) => effectsOfOne(entry, { what: 'grants', of }, trust.id)));
}

function effectsOfOne(entry: TrustEntryBody, index: IndexName, member: TrustId): Effect[] {
  switch (entry.type) {
    case 'grant-given':
      return [{ type: 'member', index, member }];
    case 'grant-revoked':
      return [{ type: 'not-member', index, member }];
    case 'grant-used':
      return [];
  }
}
