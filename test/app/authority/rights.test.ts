import { describe, expect, it } from 'vitest';
import type { Account } from '../../../app/authority/people.ts';
import { type RightFacts, rightToDecide } from '../../../app/authority/rights.ts';
import type { StoredDecisionRule } from '../../../app/records/index.ts';
import { user } from '../../support/journal.ts';

const [ANN, BEN, CAT, ZOE] = [user('UANN'), user('UBEN'), user('UCAT'), user('UZOE')];
const anyone: StoredDecisionRule = { approvers: [], selfApproval: true };
const named = (...approvers: readonly string[]): StoredDecisionRule => ({
  approvers: approvers.map(user),
  selfApproval: false,
});

const facts = (presser: string, changes: Partial<RightFacts['presser']> = {}): RightFacts => ({
  requester: ANN,
  alsoSteeredBy: [],
  threadTeam: 'T1',
  presser: { user: user(presser), team: 'T1', account: 'person', groups: [], inChannel: false, ...changes },
});

describe('the right to decide', () => {
  it('belongs to the requester alone when no approver is named (P31)', () => {
    expect(rightToDecide(anyone, 'asked', facts(ANN)).type).toBe('allowed');
    expect(rightToDecide(anyone, 'asked', facts(ZOE))).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('Only the person who asked'),
    });
  });

  it('is refused without a further reason only where other people decide (SURF-1)', () => {
    const refusal = (rule: Parameters<typeof rightToDecide>[0], by: string, changes = {}) =>
      rightToDecide(rule, 'asked', facts(by, changes));

    expect(refusal(anyone, ZOE)).toMatchObject({ notNamed: true });
    expect(refusal(named(BEN), ZOE)).toMatchObject({ notNamed: true });
    expect(refusal(named(BEN), ZOE, { account: 'guest' })).not.toHaveProperty('notNamed');
    expect(refusal(named(ANN), ANN)).not.toHaveProperty('notNamed');
  });

  it('over a guarded call belongs to a named approver (P32)', () => {
    expect(rightToDecide(anyone, 'guarded', facts(ANN)).type).toBe('refused');
    expect(rightToDecide(named(ANN, BEN), 'guarded', facts(BEN)).type).toBe('allowed');
    expect(rightToDecide(named(ANN, BEN), 'guarded', facts(ANN))).toMatchObject({
      why: expect.stringContaining('another person'),
    });
  });

  it('over a guarded call never comes from being in the channel (P32)', () => {
    const rule = named('channel', BEN);

    expect(rightToDecide(rule, 'asked', facts(ZOE, { inChannel: true })).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(ZOE)).type).toBe('refused');
    expect(rightToDecide(rule, 'guarded', facts(ZOE, { inChannel: true })).type).toBe('refused');
  });

  it('of a user group belongs to its members at this moment (P34)', () => {
    const rule = named('SONCALL');

    expect(rightToDecide(rule, 'guarded', facts(ZOE, { groups: ['SONCALL'] })).type).toBe('allowed');
    expect(rightToDecide(rule, 'guarded', facts(ZOE, { groups: ['SOTHER'] })).type).toBe('refused');
    expect(rightToDecide(rule, 'guarded', facts(ZOE)).type).toBe('refused');
    // A person cannot be a group by their name.
    expect(rightToDecide(rule, 'guarded', facts('SONCALL')).type).toBe('refused');
  });

  it('can belong to the requester by name, beside others (P35)', () => {
    const rule = { ...named('requester', BEN), selfApproval: true };

    expect(rightToDecide(rule, 'asked', facts(ANN)).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(BEN)).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(ZOE)).type).toBe('refused');
  });

  it('belongs to no person of another workspace (P30)', () => {
    expect(rightToDecide(anyone, 'asked', facts(ANN, { team: 'T2' })).type).toBe('refused');
    expect(rightToDecide(named(BEN), 'asked', facts(BEN, { account: 'outsider' })).type).toBe('refused');
  });

  it.each<Account>(['guest', 'bot', 'deactivated', 'outsider', 'unknown'])(
    'is not a %s’s, though named (P30, T7)',
    (account) => {
      for (const rule of [named(BEN), named('channel'), named('SONCALL'), { ...anyone }]) {
        const presser = facts(BEN, { account, groups: ['SONCALL'], inChannel: true });
        expect(rightToDecide(rule, 'asked', { ...presser, requester: BEN }).type).toBe('refused');
      }
    },
  );

  it('is refused to the requester with the plainest reason that a stage gives (P35)', () => {
    const stages = [{ approvers: [BEN] }, { approvers: [ANN] }];

    for (const order of [stages, stages.toReversed()]) {
      const rule: StoredDecisionRule = { approvers: [ANN, BEN], selfApproval: false, stages: order };
      expect(rightToDecide(rule, 'asked', facts(ANN))).toEqual({
        type: 'refused',
        why: 'You asked for this call, so another person has to decide about it.',
      });
    }
  });

  it('lists the stages in which a person has a say', () => {
    const rule: StoredDecisionRule = {
      approvers: [BEN, CAT],
      selfApproval: false,
      stages: [{ approvers: [BEN, CAT] }, { approvers: [CAT] }],
    };

    expect(rightToDecide(rule, 'guarded', facts(BEN))).toEqual({ type: 'allowed', stages: [0] });
    expect(rightToDecide(rule, 'guarded', facts(CAT))).toEqual({ type: 'allowed', stages: [0, 1] });
    expect(rightToDecide(rule, 'guarded', facts(ZOE)).type).toBe('refused');
  });
});

describe('a person who steered a call', () => {
  const steered = (rule: StoredDecisionRule, presser: string): ReturnType<typeof rightToDecide> =>
    rightToDecide(rule, 'guarded', { ...facts(presser), alsoSteeredBy: [BEN] });

  it('cannot decide about it when self-approval is off, and hears why (MF-6, T7)', () => {
    expect(steered(named(BEN, CAT), BEN)).toEqual({
      type: 'refused',
      why: expect.stringMatching(/^I read words of yours before I asked for this call/),
    });
    expect(steered(named(BEN, CAT), CAT)).toEqual({ type: 'allowed', stages: [0] });
  });

  it('has no say in any stage, and does not count to a quorum (MF-6)', () => {
    const stages = [{ approvers: [BEN, CAT], quorum: 2 }, { approvers: [BEN] }];
    expect(steered({ ...named(BEN, CAT), stages }, BEN).type).toBe('refused');
    expect(steered({ ...named(BEN, CAT), quorum: 2 }, BEN).type).toBe('refused');
  });

  it('can decide about it when self-approval is on (MF-6)', () => {
    expect(steered({ ...named(BEN), selfApproval: true }, BEN).type).toBe('allowed');
  });

  it('without a right to approve hears that reason, and none about the steering (MF-6)', () => {
    expect(steered(named(CAT), BEN)).toMatchObject({ why: expect.stringContaining('not one of the people') });
  });
});
