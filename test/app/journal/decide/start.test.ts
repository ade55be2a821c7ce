import { expect, it } from 'vitest';
import { decideStart, type Start } from '../../../../app/journal/decide/start.ts';
import type { EntryBody, StartGrant } from '../../../../app/journal/facts/entries.ts';
import { approvalId, asked, fold, foldOnto, grantId, OWN_RULE, started, turn, user } from '../../../support/journal.ts';

const start = (changes: Partial<Start> = {}): Start => ({
  ...{ call: '1/a', attempt: 't2', tool: 'deploy', definition: 'v1', digest: 'd1' },
  ...{ effect: 'asked', rule: OWN_RULE, grant: byApproval(1) },
  ...changes,
});
const byApproval = (n: number): StartGrant => ({ type: 'approval', approval: approvalId(n) });
const byTrust = (n: number): StartGrant => ({ type: 'trust', grant: grantId(n) });
const OPEN: StartGrant = { type: 'open' };

const approved = (n = 1): readonly EntryBody[] => [
  asked({ approval: approvalId(n) }),
  { type: 'call-decided', approval: approvalId(n), verdict: 'approve', by: user('ANN') },
];
const lost = (grant: StartGrant): readonly EntryBody[] => [
  { type: 'call-started', call: '1/a', attempt: 't1', tool: 'deploy', definition: 'v1', digest: 'd1', grant },
  { type: 'call-unknown', call: '1/a', attempt: 't1' },
];

it.each<[string, readonly EntryBody[], StartGrant]>([
  ['with an approval', approved(), byApproval(1)],
  ['on a trust', [], byTrust(1)],
  ['of a tool that was open', [], OPEN],
])('refuses a call %s that a rule denies now, and says so', (_how, before, grant) => {
  const state = fold(started, turn(1, 'a'), ...before);

  expect(decideStart(state, start({ effect: 'denied', grant })).result).toEqual({
    type: 'refused',
    why: 'a rule denies it',
  });
});

it.each<[string, readonly EntryBody[], StartGrant, StartGrant, Start['effect']]>([
  ['approval', approved(), byApproval(1), byApproval(2), 'asked'],
  ['trust', [], byTrust(1), byTrust(2), 'asked'],
])('repeats a lost call only under the %s under which it began (D7)', (_what, before, grant, other, effect) => {
  const state = fold(started, turn(1, 'a'), ...before, ...lost(grant));
  const again = { effect, idempotent: true };

  expect(decideStart(state, start({ ...again, grant })).result).toEqual({ type: 'start' });
  // Another approval of the same call is in no journal that this bot writes. It would not count either.
  const withOther = other.type === 'approval' ? foldOnto(state, ...approved(2)) : state;
  expect(decideStart(withOther, start({ ...again, grant: other })).result).toEqual({
    type: 'refused',
    why: 'it was started before',
  });
  expect(decideStart(state, start({ ...again, grant: OPEN, effect: 'open' })).result).toMatchObject({
    type: 'refused',
  });
});

it('does not repeat a lost call of an open tool on a trust, and repeats it as it began', () => {
  const state = fold(started, turn(1, 'a'), ...lost(OPEN));

  expect(decideStart(state, start({ idempotent: true, effect: 'open', grant: OPEN })).result).toEqual({
    type: 'start',
  });
  expect(decideStart(state, start({ idempotent: true, grant: byTrust(1) })).result).toMatchObject({ type: 'refused' });
});
