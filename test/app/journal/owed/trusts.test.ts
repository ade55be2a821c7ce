import { expect, it } from 'vitest';
import type { TrustEntryBody } from '../../../../app/journal/facts/trusts.ts';
import { evolveTrust } from '../../../../app/journal/fold/trusts.ts';
import { endOfTrust, trustEffects } from '../../../../app/journal/owed/trusts.ts';
import type { Effect } from '../../../../app/store/store.ts';
import { grantId, HOUR_MS, runId, THREAD, user } from '../../../support/journal.ts';

const given = {
  ...{ type: 'grant-given', grant: grantId(), team: 'T1', tool: 'deploy', definition: 'v1', policy: 'p1' },
  ...{ thread: THREAD, requester: user('ANN'), by: user('BEN'), untilMs: HOUR_MS },
  offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
} satisfies TrustEntryBody;
const state = evolveTrust(undefined, { ...given, id: 'e1', atMs: 1 });
const named = (effect: Effect) => [
  effect.type,
  'index' in effect ? effect.index.of : 'atMs' in effect ? effect.atMs : '',
];
const effects = (entry: TrustEntryBody) => trustEffects(state, [entry]).map(named);
const LISTS = ['T1:thread:C1:1.0', 'T1:giver:BEN', 'T1:given', 'T1:threads-of:C1'];

it('puts a new trust on the lists of its thread, its giver and its workspace, and is due when its time ends', () => {
  expect(effects(given)).toEqual([...LISTS.map((list) => ['member', list]), ['due', HOUR_MS]]);
});

it('takes a trust off no list when it is used or revoked, and off all of them when its workspace knows that it ended (EDGE-2)', () => {
  const revoked: TrustEntryBody = { type: 'grant-revoked', by: user('BEN') };
  expect(effects(revoked)).toEqual([['due', 1]]);
  expect(effects({ type: 'grant-used', run: runId(), call: '1/a' })).toEqual([]);
  expect(endOfTrust(state, 'hash')).toBeUndefined();

  const ended = endOfTrust(evolveTrust(state, { ...revoked, id: 'e2', atMs: 2 }), 'hash');
  expect(ended?.entry).toEqual({ type: 'trust-ended', grant: grantId(), by: 'BEN', version: 2, head: 'hash' });
  expect(ended?.effects.map(named)).toEqual(LISTS.map((list) => ['not-member', list]));
});

it('makes a trust due at once with its last use, because buttons that end it stand in the threads that used it (SURF-1)', () => {
  const twice = evolveTrust(undefined, { ...given, offer: { ...given.offer, uses: 2 }, id: 'e1', atMs: 1 });
  const use = (call: string) => ({ type: 'grant-used', run: runId(), call }) as const;
  const first = evolveTrust(twice, { ...use('1/a'), id: 'e2', atMs: 2 });
  const second = evolveTrust(first, { ...use('1/b'), id: 'e3', atMs: 3 });

  expect(trustEffects(first, [use('1/a')]).map(named)).toEqual([]);
  expect(trustEffects(second, [use('1/b')]).map(named)).toEqual([['due', 1]]);
});
