import { expect, it } from 'vitest';
import type { TrustEntryBody } from '../../../../app/journal/facts/trusts.ts';
import { evolveTrust } from '../../../../app/journal/fold/trusts.ts';
import { trustEffects } from '../../../../app/journal/owed/trusts.ts';
import { grantId, HOUR_MS, runId, THREAD, user } from '../../../support/journal.ts';

const given = {
  ...{ type: 'grant-given', grant: grantId(), team: 'T1', tool: 'deploy', definition: 'v1', policy: 'p1' },
  ...{ thread: THREAD, requester: user('ANN'), by: user('BEN'), untilMs: HOUR_MS },
  offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
} satisfies TrustEntryBody;
const state = evolveTrust(undefined, { ...given, id: 'e1', atMs: 1 });
const effects = (entry: TrustEntryBody) =>
  trustEffects(state, [entry]).map((effect) => [effect.type, 'index' in effect ? effect.index.of : '']);
const LISTS = ['T1:thread:C1:1.0', 'T1:giver:BEN', 'T1:given'];

it('puts a new trust on the lists of its thread, its giver and its workspace', () => {
  expect(effects(given)).toEqual(LISTS.map((list) => ['member', list]));
});

it('takes a trust off all of its lists when it ends, and off none when it is used', () => {
  expect(effects({ type: 'grant-revoked', by: user('BEN') })).toEqual(LISTS.map((list) => ['not-member', list]));
  expect(effects({ type: 'grant-used', run: runId(), call: '1/a' })).toEqual([]);
});
