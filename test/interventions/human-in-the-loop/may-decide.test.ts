import { describe, expect, it } from 'vitest';
import { type DecisionFacts, type DecisionRule, hasPossibleApprover, mayDecide } from '../../../interventions/index.ts';

const ann: DecisionFacts = { requester: 'ANN', presser: 'ANN', account: 'person' };
const ben: DecisionFacts = { requester: 'ANN', presser: 'BEN', account: 'person' };
const asked: DecisionRule = { effect: 'asked' };
const guarded: DecisionRule = { effect: 'guarded' };
const byBen: DecisionRule = { effect: 'guarded', approvers: ['BEN'] };

describe('who may decide', () => {
  it.each<[string, DecisionRule, DecisionFacts, string]>([
    ['lets the requester decide when no approver is configured (P31)', asked, ann, 'allowed'],
    ['lets only the requester decide when no approver is configured (P31)', asked, ben, 'not-the-requester'],
    [
      'lets no person decide when the requester is unknown (P31)',
      asked,
      { ...ann, requester: undefined },
      'no-requester',
    ],
    [
      'takes empty lists for no configuration (P31)',
      { effect: 'asked', approvers: [], approverGroups: [] },
      ben,
      'not-the-requester',
    ],
    ['lets no person decide about a guarded call without an approver (P32, P35)', guarded, ann, 'no-approver'],
    ['lets a named approver decide about a guarded call (P32)', byBen, ben, 'allowed'],
    ['refuses everybody who is not named (P32)', byBen, { ...ben, presser: 'ZOE' }, 'not-an-approver'],
    ['refuses who approves their own call (P35)', { ...byBen, approvers: ['ANN'] }, ann, 'self-approval'],
    [
      'allows self-approval where it is configured (P35)',
      { ...byBen, approvers: ['ANN'], selfApproval: true },
      ann,
      'allowed',
    ],
    [
      'refuses self-approval of an asked call where it is forbidden (P35)',
      { ...asked, selfApproval: false },
      ann,
      'self-approval',
    ],
    [
      'cannot rule out self-approval without a requester (P35)',
      byBen,
      { ...ben, requester: undefined },
      'no-requester',
    ],
    [
      'cannot rule out self-approval without a requester where it is forbidden (P35)',
      { ...byBen, selfApproval: false },
      { ...ben, requester: undefined },
      'no-requester',
    ],
    [
      'lets a named approver decide without a requester where self-approval is allowed (P35)',
      { ...byBen, selfApproval: true },
      { ...ben, requester: undefined },
      'allowed',
    ],
    [
      'takes a name in another spelling for no named approver (P32)',
      byBen,
      { ...ben, presser: 'Ben' },
      'not-an-approver',
    ],
    [
      'takes another spelling of the requester for the requester (P35)',
      { effect: 'guarded', approverGroups: ['ops'] },
      { ...ann, presser: ' ann', presserGroups: ['ops'] },
      'self-approval',
    ],
    [
      'counts one person once, in whatever spelling',
      { effect: 'guarded', approvers: ['ben', 'Ben', 'cat'], quorum: 2 },
      { ...ben, presser: 'Ben', approvedBy: ['ben'] },
      'approved-already',
    ],
    ['refuses an empty id (P35)', asked, { ...ann, requester: '', presser: '' }, 'not-a-person'],
    ['refuses bots', asked, { ...ann, account: 'bot' }, 'not-a-person'],
    ['refuses accounts that are gone', byBen, { ...ben, account: 'deactivated' }, 'not-a-person'],
    ['refuses unknown accounts', byBen, { ...ben, account: 'unknown' }, 'not-a-person'],
    [
      'lets members of a group decide',
      { effect: 'guarded', approverGroups: ['OPS'] },
      { ...ben, presserGroups: ['OPS'] },
      'allowed',
    ],
    [
      'refuses members of another group',
      { effect: 'guarded', approverGroups: ['OPS'] },
      { ...ben, presserGroups: ['HR'] },
      'not-an-approver',
    ],
    ['counts each approver once', { ...byBen, quorum: 2 }, { ...ben, approvedBy: ['BEN'] }, 'approved-already'],
  ])('%s', (_sentence, rule, facts, expected) => {
    const answer = mayDecide(rule, facts);

    expect(answer.type === 'allowed' ? 'allowed' : answer.reason).toBe(expected);
  });

  it.each<[string, DecisionRule, string | undefined, boolean]>([
    ['the requester, for an asked call', asked, 'ANN', true],
    ['no person when the requester is unknown', asked, undefined, false],
    ['no person when a guarded call has no approvers', guarded, 'ANN', false],
    ['a named approver', byBen, 'ANN', true],
    ['no person when the only approver is the requester', byBen, 'BEN', false],
    ['the only approver, with self-approval', { ...byBen, selfApproval: true }, 'BEN', true],
    ['no person when the requester alone is not enough', { ...asked, quorum: 2 }, 'ANN', false],
    ['no person when too few are named', { ...byBen, quorum: 2 }, 'ANN', false],
    ['members of a group', { effect: 'guarded', approverGroups: ['OPS'] }, 'ANN', true],
  ])('says beforehand that a call can be decided by %s (P35)', (_sentence, rule, requester, expected) => {
    expect(hasPossibleApprover(rule, requester)).toBe(expected);
  });
});
