import { describe, expect, it } from 'vitest';
import { decidePress } from '../../../app/journal/decide/decide.ts';
import { decideStart } from '../../../app/journal/decide/start.ts';
import { approvalOf } from '../../../app/journal/fold/queries/approvals.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import { approvalId, asked, fold, foldOnto, OWN_RULE, pressed, started, turn, user } from '../../support/journal.ts';

const open = fold(started, turn(1, 'a'), asked());
const question = fold(started, turn(1, 'a'), asked({ wants: { choices: ['Now', 'Tonight'] } }));
const answer = pressed({ verdict: 'answer', answer: 'It is up.' });

describe('an answer in place of a tool', () => {
  it('is a decision, after which no process can start the tool', () => {
    const { entries, result } = decidePress(open, answer);
    const state = foldOnto(open, ...entries);

    expect(result).toBe('decided');
    const approval = approvalOf(state, '1/a');
    expect(approval && toApproval(state, approval, () => undefined)).toMatchObject({
      status: 'answered',
      decision: { verdict: 'answer', answer: 'It is up.', by: 'ANN' },
    });
    const start = {
      call: '1/a',
      attempt: 't',
      tool: 'deploy',
      effect: 'asked',
      rule: OWN_RULE,
      definition: 'v1',
      digest: 'd1',
      grant: { type: 'approval', approval: approvalId() },
    } as const;
    expect(decideStart(state, start).entries).toEqual([]);
    expect(decidePress(state, pressed()).result).toBe('settled');
  });

  it('needs words, and words come with no other verdict (P57)', () => {
    expect(decidePress(open, pressed({ verdict: 'answer' })).result).toBe('not-offered');
    for (const verdict of ['approve', 'deny', 'trust'] as const)
      expect(decidePress(open, pressed({ verdict, answer: 'x' })).result).toBe('not-offered');
  });

  it('is not taken from one of several people who decide together (P57)', () => {
    const rule = { approvers: [user('ANN'), user('BEN')], selfApproval: true, quorum: 2 };
    expect(decidePress(fold(started, turn(1, 'a'), asked({ rule })), answer).result).toBe('not-offered');
  });
});

describe('a question that only wants words', () => {
  it('is answered or denied, and no press approves or trusts it (P57, P39)', () => {
    expect(decidePress(question, answer).result).toBe('decided');
    expect(decidePress(question, pressed({ verdict: 'deny' })).result).toBe('decided');
    for (const verdict of ['approve', 'trust'] as const)
      expect(decidePress(question, pressed({ verdict })).result).toBe('not-offered');
  });
});
