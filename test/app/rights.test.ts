import { describe, expect, it } from 'vitest';
import type { Account } from '../../app/people.ts';
import type { DecisionRule } from '../../app/records.ts';
import { type RightFacts, rightToDecide, somebodyCanDecide } from '../../app/rights.ts';
import { user } from '../support/journal.ts';

const [ANN, BEN, CAT, ZOE] = [user('UANN'), user('UBEN'), user('UCAT'), user('UZOE')];
const anyone: DecisionRule = { approvers: [], selfApproval: true };
const named = (...approvers: readonly string[]): DecisionRule => ({
  approvers: approvers.map(user),
  selfApproval: false,
});

const facts = (presser: string, changes: Partial<RightFacts['presser']> = {}): RightFacts => ({
  requester: ANN,
  threadTeam: 'T1',
  presser: { user: user(presser), team: 'T1', account: 'person', groups: [], inChannel: false, ...changes },
});

describe('the right to decide', () => {
  it('P31 is the requester’s when nobody is named, and nobody else’s', () => {
    expect(rightToDecide(anyone, 'asked', facts(ANN)).type).toBe('allowed');
    expect(rightToDecide(anyone, 'asked', facts(ZOE))).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('Only the person who asked'),
    });
  });

  it('P32 over a guarded call takes a named approver', () => {
    expect(rightToDecide(anyone, 'guarded', facts(ANN)).type).toBe('refused');
    expect(rightToDecide(named(ANN, BEN), 'guarded', facts(BEN)).type).toBe('allowed');
    expect(rightToDecide(named(ANN, BEN), 'guarded', facts(ANN))).toMatchObject({
      why: expect.stringContaining('somebody else'),
    });
  });

  it('P32 over a guarded call is in no case being in the channel', () => {
    const rule = named('channel', BEN);

    expect(rightToDecide(rule, 'asked', facts(ZOE, { inChannel: true })).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(ZOE)).type).toBe('refused');
    expect(rightToDecide(rule, 'guarded', facts(ZOE, { inChannel: true })).type).toBe('refused');
  });

  it('P34 of a user group is its members’, as they are now', () => {
    const rule = named('SONCALL');

    expect(rightToDecide(rule, 'guarded', facts(ZOE, { groups: ['SONCALL'] })).type).toBe('allowed');
    expect(rightToDecide(rule, 'guarded', facts(ZOE, { groups: ['SOTHER'] })).type).toBe('refused');
    expect(rightToDecide(rule, 'guarded', facts(ZOE)).type).toBe('refused');
    // A person cannot be a group by their name.
    expect(rightToDecide(rule, 'guarded', facts('SONCALL')).type).toBe('refused');
  });

  it('P35 may be the requester’s by name, beside others', () => {
    const rule = { ...named('requester', BEN), selfApproval: true };

    expect(rightToDecide(rule, 'asked', facts(ANN)).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(BEN)).type).toBe('allowed');
    expect(rightToDecide(rule, 'asked', facts(ZOE)).type).toBe('refused');
  });

  it('P30 is nobody’s from another workspace, whoever they are', () => {
    expect(rightToDecide(anyone, 'asked', facts(ANN, { team: 'T2' })).type).toBe('refused');
    expect(rightToDecide(named(BEN), 'asked', facts(BEN, { account: 'outsider' })).type).toBe('refused');
  });

  it.each<Account>(['guest', 'bot', 'deactivated', 'outsider', 'unknown'])(
    'P30 is not a %s’s, though named',
    (account) => {
      for (const rule of [named(BEN), named('channel'), named('SONCALL'), { ...anyone }]) {
        const presser = facts(BEN, { account, groups: ['SONCALL'], inChannel: true });
        expect(rightToDecide(rule, 'asked', { ...presser, requester: BEN }).type).toBe('refused');
      }
    },
  );

  it('says in which stages a person has a say', () => {
    const rule: DecisionRule = {
      approvers: [BEN, CAT],
      selfApproval: false,
      stages: [{ approvers: [BEN, CAT] }, { approvers: [CAT] }],
    };

    expect(rightToDecide(rule, 'guarded', facts(BEN))).toEqual({ type: 'allowed', stages: [0] });
    expect(rightToDecide(rule, 'guarded', facts(CAT))).toEqual({ type: 'allowed', stages: [0, 1] });
    expect(rightToDecide(rule, 'guarded', facts(ZOE)).type).toBe('refused');
  });
});

describe('somebody who can decide', () => {
  it.each<[string, DecisionRule, 'asked' | 'guarded', boolean]>([
    ['the requester', anyone, 'asked', true],
    ['nobody for a guarded call', anyone, 'guarded', false],
    ['only the requester, who may not', named(ANN), 'asked', false],
    ['a group, of whom nothing is known', named('SONCALL'), 'guarded', true],
    ['the channel, for a guarded call', named('channel'), 'guarded', false],
    ['two people and two are needed', { ...named(BEN, CAT), quorum: 2 }, 'guarded', true],
    ['two people, one of whom asked', { ...named(ANN, CAT), quorum: 2 }, 'guarded', false],
    [
      'nobody in the second stage',
      { ...named(BEN, ANN), stages: [{ approvers: [BEN] }, { approvers: [ANN] }] },
      'guarded',
      false,
    ],
  ])('P35 is %s', (_who, rule, effect, answer) => {
    expect(somebodyCanDecide(rule, effect, ANN)).toBe(answer);
  });
});
