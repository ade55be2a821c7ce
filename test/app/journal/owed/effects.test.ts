import { expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import type { TrustEntryBody } from '../../../../app/journal/facts/trusts.ts';
import { evolveTrust } from '../../../../app/journal/fold/trusts.ts';
import { concerned, effectsOf } from '../../../../app/journal/owed/effects.ts';
import { trustEffects } from '../../../../app/journal/owed/trusts.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { threadKey } from '../../../../app/records/index.ts';
import {
  approvalId,
  asked,
  fold,
  grantId,
  HOUR_MS,
  OWN_RULE,
  started,
  THREAD,
  turn,
  user,
} from '../../../support/journal.ts';

const rule = { ...OWN_RULE, approvers: [user('BEN'), user('CAT')] };
const entries = [started, turn(1, 'a'), asked({ rule })];
const thread = threadKey(THREAD);

/** Whose Home tab an entry changes, behind those of a question to BEN and CAT. */
const whose = (entry: EntryBody) =>
  concerned(effectsOf(fold(...entries, entry), [entry], { thread, graceMs: 0, counts: true })).map(({ user }) => user);

it('the Home tabs of the requester and of all who may decide change with a question and with its end', () => {
  const state = fold(...entries);
  const people = concerned(effectsOf(state, [asked({ rule })], { thread, graceMs: 0 }));

  expect(people).toEqual(['BEN', 'CAT', 'ANN'].map((id) => ({ team: 'T1', user: id })));
  expect(whose({ type: 'call-expired', approval: approvalId() })).toEqual(['BEN', 'CAT', 'ANN']);
});

it('a person who is called to decide sees the question on the Home tab, and so does a person whose yes was counted', () => {
  const referral = { type: 'call-referred', approval: approvalId(), by: user('BEN'), to: user('EVE') } as const;

  expect(whose(referral)).toEqual(['EVE']);
  expect(whose({ type: 'yes-counted', approval: approvalId(), by: user('BEN') })).toEqual(['BEN']);
});

it('counting for a cap, and the begin or end of a run, change no Home tab', () => {
  const about = { call: '1/a', attempt: 't1', tool: 'deploy', digest: 'd1', grant: { type: 'open' } } as const;

  expect(whose({ type: 'call-started', ...about })).toEqual([]);
  expect(whose({ type: 'run-finished' })).toEqual([]);
});

it('a run that begins is left to other processes when its own dies, also in a thread that was left alone just then (D9)', () => {
  const effects = effectsOf(fold(started), [started], { thread, graceMs: 0 });

  expect(effects).toContainEqual({ type: 'todo', thread, inMs: LIMITS.leaseMs });
});

it('a process that waits with an answered call hears that its card shows the answer, and no later painting (SURF-3)', () => {
  const decided = { type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('BEN') } as const;
  const painted: EntryBody = { type: 'card-painted', approval: approvalId(), revision: 9 };
  const grant = { type: 'approval', approval: approvalId() } as const;
  const begun: EntryBody = { type: 'call-started', call: '1/a', attempt: 't1', tool: 'deploy', digest: 'd1', grant };
  const told = (...before: readonly EntryBody[]) =>
    effectsOf(fold(...entries, ...before, painted), [painted], { thread, graceMs: 0 }).map(({ type }) => type);

  expect(told(decided)).toEqual(['hint']);
  expect(told()).toEqual([]);
  expect(told(decided, begun)).toEqual([]);
});

it.each([
  ['thread', ['BEN']],
  ['requester', ['ANN', 'BEN']],
] as const)('a trust of the scope %s changes the Home tabs of those that it is listed with', (scope, people) => {
  const given = {
    ...{ type: 'grant-given', grant: grantId(), team: 'T1', tool: 'deploy', definition: 'v1', policy: 'p1' },
    ...{ thread: THREAD, requester: user('ANN'), by: user('BEN'), untilMs: HOUR_MS },
    offer: { line: 'deploy, any input', match: 'any', scope, forMs: HOUR_MS },
  } satisfies TrustEntryBody;
  const state = evolveTrust(undefined, { ...given, id: 'e1', atMs: 1 });

  expect(concerned(trustEffects(state, [given]))).toEqual(people.map((id) => ({ team: 'T1', user: id })));
});
