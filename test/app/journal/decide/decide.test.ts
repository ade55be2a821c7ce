import { describe, expect, it } from 'vitest';
import { decideAsk } from '../../../../app/journal/decide/ask.ts';
import { decideExpiry, decidePress, decideStop } from '../../../../app/journal/decide/decide.ts';
import type { Decided } from '../../../../app/journal/decide/decided.ts';
import { decideFinish, decideStart, decideUnknown, type Start } from '../../../../app/journal/decide/start.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { pendingApprovals } from '../../../../app/journal/fold/queries/approvals.ts';
import { toApproval } from '../../../../app/journal/fold/queries/view.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { owedPaintings } from '../../../../app/journal/owed/cards.ts';
import {
  approvalId,
  ask,
  asked,
  fold,
  foldOnto,
  grantId,
  HOUR_MS,
  OWN_RULE,
  pressed,
  started,
  turn,
  user,
} from '../../../support/journal.ts';

const waiting = fold(started, turn(1, 'a', 'b'), asked());
const record = <Result>(state: RunState, decided: Decided<Result>) => foldOnto(state, ...decided.entries);
const approved = record(waiting, decidePress(waiting, pressed()));

const start = (changes: Partial<Start> = {}): Start => ({
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  effect: 'asked',
  rule: OWN_RULE,
  definition: 'v1',
  digest: 'd1',
  grant: { type: 'approval', approval: approvalId() },
  ...changes,
});

describe('asking', () => {
  it('about the same call and digest twice makes one approval', () => {
    const again = decideAsk(waiting, ask({ approval: approvalId(2) }));

    expect(again.entries).toEqual([]);
    expect(again.result).toEqual({ type: 'asked', approval: approvalId(1), fresh: false });
  });

  it('about a changed input makes a new approval, and withdraws the old question (P18)', () => {
    const changed = decideAsk(waiting, ask({ approval: approvalId(2), digest: 'd2' }));

    expect(changed.entries.map(({ type }) => type)).toEqual(['call-cancelled', 'call-asked']);
    expect(decidePress(record(waiting, changed), pressed()).result).toBe('settled');
  });

  it('about the identical call of a later turn makes a new approval (P16)', () => {
    const done = foldOnto(approved, { type: 'call-started', ...start() }, turn(2, 'a'));

    const again = decideAsk(done, ask({ approval: approvalId(2), call: '2/a' }));

    expect(again.result).toEqual({ type: 'asked', approval: approvalId(2), fresh: true });
  });

  it('about a call that another process has started or answered makes no approval (D7)', () => {
    const begun = foldOnto(approved, { type: 'call-started', ...start() });
    const lost = foldOnto(begun, { type: 'call-unknown', call: '1/a', attempt: 't1' });
    const answered = foldOnto(waiting, { type: 'call-answered', call: '1/a', item: 2 });

    for (const state of [begun, lost, answered]) {
      const again = decideAsk(state, ask({ approval: approvalId(2), digest: 'd2' }));
      expect(again).toEqual({ entries: [], result: { type: 'taken-over' } });
    }
  });

  it('about a lost call gives the approval under which it began, whatever the rules are now (D2)', () => {
    const lost = foldOnto(
      approved,
      { type: 'call-started', ...start() },
      { type: 'call-unknown', call: '1/a', attempt: 't1' },
    );

    const again = decideAsk(lost, ask({ approval: approvalId(2), effect: 'guarded' }));

    expect(again).toEqual({ entries: [], result: { type: 'asked', approval: approvalId(1), fresh: false } });
  });

  it.each<[string, EntryBody]>([
    ['was denied', { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('ANN') }],
    ['has expired', { type: 'call-expired', approval: approvalId() }],
  ])('about a call that %s makes no approval, also under other rules (P3)', (_how, end) => {
    const again = decideAsk(foldOnto(waiting, end), ask({ approval: approvalId(2), effect: 'guarded' }));

    expect(again).toEqual({ entries: [], result: { type: 'asked', approval: approvalId(1), fresh: false } });
  });

  it('about a call of a turn that another process has left behind makes no approval (D7)', () => {
    const later = foldOnto(waiting, { type: 'call-answered', call: '1/a', item: 2 }, turn(2, 'b'));

    const again = decideAsk(later, ask({ approval: approvalId(2), call: '2/a' }));

    expect(again).toEqual({ entries: [], result: { type: 'taken-over' } });
  });

  it('in a run that was stopped makes no approval', () => {
    const stopped = record(waiting, decideStop(waiting, { cause: 'enough', by: user('ZOE') }));

    expect(decideAsk(stopped, ask({ call: '1/b' })).result).toEqual({ type: 'over' });
  });
});

describe('a press', () => {
  it('decides a pending approval, and none after its time', () => {
    const decided = decidePress(waiting, pressed());

    expect(decided.result).toBe('decided');
    expect(decided.notAfterMs).toBe(HOUR_MS);
  });

  it('decides its own approval and no other, in any order (P15)', () => {
    const two = foldOnto(waiting, asked({ approval: approvalId(2), call: '1/b' }));

    const second = record(two, decidePress(two, pressed({ approval: approvalId(2), verdict: 'deny' })));

    expect(pendingApprovals(second).map(({ id }) => id)).toEqual([approvalId(1)]);
    const both = record(second, decidePress(second, pressed()));
    expect(both.approvals.get(approvalId(1))?.standing).toMatchObject({ decision: { verdict: 'approve' } });
    expect(both.approvals.get(approvalId(2))?.standing).toMatchObject({ decision: { verdict: 'deny' } });
  });

  it('on an unknown approval decides nothing and is answered “unknown” (P3)', () => {
    expect(decidePress(waiting, pressed({ approval: approvalId(9) }))).toEqual({ entries: [], result: 'unknown' });
  });

  it('on a decided approval is refused and recorded, and changes nothing (D5)', () => {
    const late = decidePress(approved, pressed({ verdict: 'deny', by: user('BEN') }));

    expect(late.result).toBe('settled');
    expect(late.entries.map(({ type }) => type)).toEqual(['press-refused']);
    expect(record(approved, late).approvals.get(approvalId())?.standing).toEqual(
      approved.approvals.get(approvalId())?.standing,
    );
  });

  it('that is refused is recorded a limited number of times (T20)', () => {
    let state = waiting;
    for (let n = 0; n < 5; n += 1) {
      state = record(state, decidePress(state, pressed({ right: { type: 'refused', why: 'no' } })));
    }

    expect(state.approvals.get(approvalId())?.refusedPresses).toBe(3);
  });

  it('of a verdict that the card does not offer decides nothing (P57)', () => {
    expect(decidePress(waiting, pressed({ drawn: false })).result).toBe('not-offered');
    const untrusted = fold(started, turn(1, 'a'), { type: 'call-asked', ...withoutTrust() });
    expect(decidePress(untrusted, pressed({ verdict: 'trust', grant: grantId() })).result).toBe('not-offered');
  });

  it.each<[string, Parameters<typeof pressed>[0]]>([
    ['a result with Approve', { answer: 'It is 4.' }],
    ['no result with Answer', { verdict: 'answer' }],
    ['another input with Deny', { verdict: 'deny', edit: { input: { text: '{}' }, digest: 'd2', summary: 'Deploy.' } }],
    ['terms of a trust with Approve', { trust: { line: 'all', match: 'any', scope: 'channel', forMs: HOUR_MS } }],
  ])('that gives %s decides nothing (P57)', (_what, more) => {
    expect(decidePress(waiting, pressed(more)).result).toBe('not-offered');
  });

  it('of Trust on a guarded tool decides nothing, even if the press claims that the card offered it (P39)', () => {
    const guarded = fold(started, turn(1, 'a'), asked({ effect: 'guarded' }));

    expect(decidePress(guarded, pressed({ verdict: 'trust', grant: grantId() })).result).toBe('not-offered');
    expect(decidePress(guarded, pressed()).result).toBe('decided');
  });

  it('of Approve on a guarded tool decides nothing and is not recorded until it is confirmed (SURF-1)', () => {
    const guarded = fold(started, turn(1, 'a'), asked({ effect: 'guarded' }));
    const press = (changes: Parameters<typeof pressed>[0]) =>
      decidePress(guarded, pressed({ confirmed: false, ...changes }));

    expect(press({})).toEqual({ entries: [], result: 'unconfirmed' });
    expect(press({ verdict: 'deny' }).result).toBe('decided');
    expect(press({ right: { type: 'refused', why: 'no' } }).result).toBe('not-yours');
    expect(decidePress(waiting, pressed({ confirmed: false })).result).toBe('decided');
    const two = fold(
      started,
      turn(1, 'a'),
      asked({ effect: 'guarded', rule: { approvers: [], selfApproval: true, quorum: 2 } }),
    );
    expect(decidePress(two, pressed({ confirmed: false })).result).toBe('unconfirmed');
    expect(decidePress(two, pressed()).result).toBe('counted');
    const once = record(two, decidePress(two, pressed()));
    expect(decidePress(once, pressed({ confirmed: false })).result).toBe('counted-before');
    // The person's change made it a call that the rules guard.
    const terms = { effect: 'guarded', rule: { approvers: [], selfApproval: true } } as const;
    const edit = { input: { text: '{}' }, digest: 'd2', summary: 'Deploy all.', terms };
    expect(decidePress(waiting, pressed({ confirmed: false, edit })).result).toBe('unconfirmed');
  });

  it('on a copy of the card elsewhere decides nothing (T6)', () => {
    const posted = foldOnto(waiting, {
      type: 'card-posted',
      approval: approvalId(),
      card: { channel: 'C1', ts: '2.0' },
    });

    expect(decidePress(posted, pressed({ card: { channel: 'C2', ts: '2.0' } })).result).toBe('not-offered');
    expect(decidePress(posted, pressed({ card: { channel: 'C1', ts: '3.0' } })).result).toBe('not-offered');
    expect(decidePress(posted, pressed({ card: { channel: 'C1', ts: '2.0' } })).result).toBe('decided');
  });

  it('before the receipt of the card is stored works in the thread’s channel (FS10)', () => {
    expect(decidePress(waiting, pressed({ card: { channel: 'C1', ts: '2.0' } })).result).toBe('decided');
    expect(decidePress(waiting, pressed({ card: { channel: 'C2', ts: '2.0' } })).result).toBe('not-offered');
  });
});

describe('the last gate', () => {
  it('lets an approved call start once, with the bytes that were shown (T3, T5)', () => {
    const begun = decideStart(approved, start());
    expect(begun.result).toEqual({ type: 'start' });

    expect(decideStart(record(approved, begun), start({ attempt: 't2' })).result).toMatchObject({ type: 'refused' });
    for (const other of [{ digest: 'd2' }, { tool: 'destroy' }, { definition: 'v2' }]) {
      expect(decideStart(approved, start(other))).toMatchObject({ entries: [], result: { type: 'refused' } });
    }
  });

  it('starts a call without an approval only when its tool is open, or asked and trusted (T1)', () => {
    const fresh = fold(started, turn(1, 'a', 'b'));
    const open = { grant: { type: 'open' } } as const;
    const trusted = { grant: { type: 'trust', grant: grantId() } } as const;

    expect(decideStart(fresh, start({ ...open, effect: 'open' })).result).toEqual({ type: 'start' });
    expect(decideStart(fresh, start({ ...trusted, effect: 'asked' })).result).toEqual({ type: 'start' });
    const refused: readonly Partial<Start>[] = [
      { ...open, effect: 'asked' },
      { ...open, effect: 'guarded' },
      { ...open, effect: 'denied' },
      { ...trusted, effect: 'guarded' },
      { ...trusted, effect: 'denied' },
      {},
    ];
    for (const changes of refused) {
      expect(decideStart(fresh, start(changes))).toMatchObject({ entries: [], result: { type: 'refused' } });
    }
  });

  it('refuses a call when the rules now ask other people or deny it', () => {
    const others = { approvers: [user('ZOE')], selfApproval: false };

    for (const changes of [{ rule: others }, { effect: 'guarded' }, { effect: 'denied' }] as const) {
      expect(decideStart(approved, start(changes))).toMatchObject({ entries: [], result: { type: 'refused' } });
    }
  });

  it.each<[string, Partial<Start>]>([
    ['another input (P18)', { digest: 'd2' }],
    ['another tool', { tool: 'destroy' }],
    ['a changed definition of the tool', { definition: 'v2' }],
    ['another call of the same turn', { call: '1/b' }],
    ['a call the model never made', { call: '1/z' }],
    ['the approval of another call', { grant: { type: 'approval', approval: approvalId(7) } }],
    ['the claim that it is open', { effect: 'open', grant: { type: 'open' } }],
    ['trust, when the tool is guarded', { effect: 'guarded', grant: { type: 'trust', grant: grantId() } }],
  ])('refuses %s', (_what, changes) => {
    expect(decideStart(approved, start(changes))).toMatchObject({ entries: [], result: { type: 'refused' } });
  });

  it.each(['pending', 'denied', 'expired', 'cancelled'] as const)(
    'refuses a call whose approval is %s (T1, P19d)',
    (status) => {
      const state = {
        pending: waiting,
        denied: record(waiting, decidePress(waiting, pressed({ verdict: 'deny' }))),
        expired: record(waiting, decideExpiry(waiting, approvalId(), HOUR_MS)),
        cancelled: foldOnto(waiting, { type: 'call-cancelled', approval: approvalId(), cause: 'x' }),
      }[status];

      expect(decideStart(state, start()).result).toMatchObject({ type: 'refused' });
      // Neither rules that would not ask any more nor a trust answers what people were asked.
      const open: Partial<Start> = { effect: 'open', grant: { type: 'open' } };
      expect(decideStart(state, start(open)).result).toMatchObject({ why: 'people were asked about it' });
      const trusted: Partial<Start> = { grant: { type: 'trust', grant: grantId() } };
      expect(decideStart(state, start(trusted)).result).toMatchObject({ why: 'people were asked about it' });
    },
  );

  it('refuses a call after the model was told how it came out, approved calls included', () => {
    const told = foldOnto(approved, { type: 'call-answered', call: '1/a', item: 1 });

    expect(decideStart(told, start()).result).toMatchObject({ why: 'the model was already told how it came out' });
  });

  it('refuses every call after the run was stopped, approved calls included (T17)', () => {
    const stopped = record(approved, decideStop(approved, { cause: 'enough' }));

    expect(decideStart(stopped, start()).result).toMatchObject({ type: 'refused', why: 'the run is over' });
  });
});

describe('time', () => {
  it('expires a question at its time and not before, which is not an answer (P61b, T21)', () => {
    expect(decideExpiry(waiting, approvalId(), HOUR_MS - 1).result).toBe('not-yet');
    expect(decideExpiry(waiting, approvalId(), HOUR_MS).result).toBe('expired');
    expect(decideExpiry(approved, approvalId(), HOUR_MS).result).toBe('settled');
  });
});

describe('a crash', () => {
  const running = foldOnto(approved, { type: 'call-started', ...start() });

  it('makes the calls of other processes unknown, and leaves those of this process', () => {
    expect(decideUnknown(running, () => true).entries).toEqual([]);
    expect(decideUnknown(running, () => false).result).toEqual(['1/a']);
  });

  it('lets a process that was only slow report the end of its call', () => {
    const unknown = record(
      running,
      decideUnknown(running, () => false),
    );

    const late = decideFinish(unknown, { call: '1/a', attempt: 't1', ok: true, ms: 9 });

    expect(late.result).toBe('finished-late');
    expect(decideFinish(unknown, { call: '1/a', attempt: 't9', ok: true, ms: 9 }).result).toBe('not-mine');
  });
});

describe('the record that views draw', () => {
  const outcome = (state: RunState) => {
    const approval = state.approvals.get(approvalId());
    return approval === undefined ? undefined : toApproval(state, approval, () => undefined);
  };

  it.each([
    ['waiting', approved],
    ['running', foldOnto(approved, { type: 'call-started', ...start() })],
    [
      'ran',
      foldOnto(
        approved,
        { type: 'call-started', ...start() },
        { type: 'call-finished', call: '1/a', attempt: 't1', ok: true, ms: 5, item: 9 },
      ),
    ],
    [
      'failed',
      foldOnto(
        approved,
        { type: 'call-started', ...start() },
        { type: 'call-finished', call: '1/a', attempt: 't1', ok: false, ms: 5, item: 9 },
      ),
    ],
    [
      'unknown',
      foldOnto(approved, { type: 'call-started', ...start() }, { type: 'call-unknown', call: '1/a', attempt: 't1' }),
    ],
    ['not-applied', record(approved, decideStop(approved, { cause: 'enough' }))],
  ])('says that an approved call is %s (P6)', (type, state) => {
    expect(outcome(state)).toMatchObject({ status: 'approved', outcome: { type } });
  });

  it.each([
    ['the run was stopped', record(approved, decideStop(approved, { cause: 'enough' }))],
    ['the run came to its end', foldOnto(approved, { type: 'run-finished' })],
    ['the model was told something else', foldOnto(approved, { type: 'call-answered', call: '1/a', item: 9 })],
  ])('still has to show on its card that an approval was not used, as %s (P6)', (_why, state) => {
    const painted = (known: RunState): EntryBody => ({
      type: 'card-painted',
      approval: approvalId(),
      revision: outcome(known)?.revision ?? 0,
    });
    expect(owedPaintings(foldOnto(approved, painted(approved)))).toEqual([]);

    expect(owedPaintings(foldOnto(state, painted(approved)))).toHaveLength(1);
    expect(owedPaintings(foldOnto(state, painted(state)))).toEqual([]);
  });

  it('gets a higher revision with everything it shows', () => {
    const revisions = [waiting, approved, foldOnto(approved, { type: 'call-started', ...start() })].map(
      (state) => outcome(state)?.revision ?? 0,
    );

    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
  });
});

function withoutTrust() {
  const { trust: _, ...rest } = ask();
  return rest;
}

describe('a call that is not decidable in Slack (P43)', () => {
  const there = fold(started, turn(1, 'a'), asked({ effect: 'guarded', secondFactor: true }));

  it.each(['approve', 'deny', 'trust'] as const)('is not decided by a forged press of %s (T8)', (verdict) => {
    expect(decidePress(there, pressed({ verdict })).result).toBe('not-offered');
  });

  it('is decided on the web, where any other call is not', () => {
    expect(decidePress(there, pressed({ onWeb: true })).result).toBe('decided');
    expect(decidePress(waiting, pressed({ onWeb: true })).result).toBe('not-offered');
  });

  it('has on record that it was decided on the web, and any other call has not', () => {
    expect(decidePress(there, pressed({ onWeb: true })).entries).toEqual([expect.objectContaining({ onWeb: true })]);
    expect(decidePress(waiting, pressed()).entries).toEqual([expect.not.objectContaining({ onWeb: true })]);
  });
});
