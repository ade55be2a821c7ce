import { describe, expect, it } from 'vitest';
import { type KnownOfCall, whyNoApprover } from '../../../../app/authority/approvers/possible.ts';
import type { StoredDecisionRule } from '../../../../app/records/index.ts';
import { user } from '../../../support/journal.ts';

/** Whether a person can approve such a call of Ann. */
const canBeApproved = (
  rule: StoredDecisionRule,
  effect: 'asked' | 'guarded',
  known: Omit<KnownOfCall, 'requester'> = {},
): boolean => whyNoApprover(rule, effect, { requester: ANN, ...known }) === undefined;

const [ANN, BEN, CAT, ZOE] = [user('UANN'), user('UBEN'), user('UCAT'), user('UZOE')];
const anyone: StoredDecisionRule = { approvers: [], selfApproval: true };
const named = (...approvers: readonly string[]): StoredDecisionRule => ({
  approvers: approvers.map(user),
  selfApproval: false,
});

describe('the check for a possible approver', () => {
  it.each<[string, StoredDecisionRule, 'asked' | 'guarded', boolean]>([
    ['the requester', anyone, 'asked', true],
    ['no named approver of a guarded call', anyone, 'guarded', false],
    ['only the requester, who may not decide', named(ANN), 'asked', false],
    ['a group with unknown members', named('SONCALL'), 'guarded', true],
    ['the channel, for a guarded call', named('channel'), 'guarded', false],
    ['two people and two are needed', { ...named(BEN, CAT), quorum: 2 }, 'guarded', true],
    ['two people, one of whom asked', { ...named(ANN, CAT), quorum: 2 }, 'guarded', false],
    [
      'no person left in the second stage',
      { ...named(BEN, ANN), stages: [{ approvers: [BEN] }, { approvers: [ANN] }] },
      'guarded',
      false,
    ],
  ])('is right for %s (P35)', (_who, rule, effect, answer) => {
    expect(canBeApproved(rule, effect)).toBe(answer);
  });
});

describe('the reason why no person can approve a call', () => {
  it.each<[string, StoredDecisionRule, 'asked' | 'guarded']>([
    ['no approver is named', anyone, 'guarded'],
    ['no approver is named, and the person who asked may not decide', { ...anyone, selfApproval: false }, 'asked'],
    ['one is named, and that person asked', named(ANN), 'guarded'],
    ['two people have to say yes, two are named, and one of them asked', { ...named(ANN, CAT), quorum: 2 }, 'guarded'],
    [
      'in stage two, one is named, and that person asked',
      { ...named(BEN, ANN), stages: [{ approvers: [BEN] }, { approvers: [ANN] }] },
      'guarded',
    ],
    [
      'the same people are named for several stages, and each of them counts once',
      { ...named(BEN), stages: [{ approvers: [BEN] }, { approvers: [BEN] }] },
      'guarded',
    ],
  ])('is said in these words: %s (P35)', (words, rule, effect) => {
    expect(whyNoApprover(rule, effect, { requester: ANN })).toBe(words);
  });
});

describe('a call that an approver steered', () => {
  it.each<[string, StoredDecisionRule, boolean]>([
    ['one approver is left', named(BEN, CAT), true],
    ['the only approver steered it', named(BEN), false],
    ['the only approver steered it, with self-approval', { ...named(BEN), selfApproval: true }, true],
    ['a quorum of two has one person left', { ...named(BEN, CAT), quorum: 2 }, false],
    ['a quorum of two has two people left', { ...named(BEN, CAT, ZOE), quorum: 2 }, true],
    ['a group has a member left', named('SOPS'), true],
    ['a group has no member left', named('SONCALL'), false],
    ['a group cannot be looked up', named('SOTHER'), true],
    ['a stage has no person left', { ...named(), stages: [{ approvers: [CAT] }, { approvers: [BEN] }] }, false],
    [
      'two stages are left to one person, who counts once',
      { ...named(), stages: [{ approvers: [BEN, CAT] }, { approvers: [CAT] }] },
      false,
    ],
    [
      'two stages are left to two people, in one order alone',
      { ...named(), stages: [{ approvers: [CAT, ZOE] }, { approvers: [BEN, CAT] }] },
      true,
    ],
  ])('has its other approvers counted: %s (MF-6)', (_case, rule, answer) => {
    const members = new Map([
      ['SOPS', [BEN, ZOE]],
      ['SONCALL', [ANN, BEN]],
    ]);
    expect(canBeApproved(rule, 'guarded', { alsoSteeredBy: [BEN], members })).toBe(answer);
  });

  it('is left to the rest of the channel when it is not guarded (MF-6)', () => {
    const members = new Map([['channel', [ANN, BEN, ZOE]]]);
    const steered = { alsoSteeredBy: [BEN], members };

    expect(canBeApproved(named('channel'), 'asked', steered)).toBe(true);
    expect(canBeApproved(named('channel'), 'guarded', steered)).toBe(false);
  });

  it('has no approver left in a channel that holds only its requester and the people who steered it (MF-6)', () => {
    const members = new Map([['channel', [ANN, BEN]]]);
    const steeredCall = { alsoSteeredBy: [BEN], members };
    expect(canBeApproved(named('channel'), 'asked', steeredCall)).toBe(false);
    expect(canBeApproved(named('channel', CAT), 'asked', steeredCall)).toBe(true);
  });
});
