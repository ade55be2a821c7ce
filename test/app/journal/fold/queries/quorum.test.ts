import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePress } from '../../../../../app/journal/decide/decide.ts';
import { EntryBody } from '../../../../../app/journal/facts/entries.ts';
import { approvalOf } from '../../../../../app/journal/fold/queries/approvals.ts';
import { namedNow, needsSeveral, quorumProgress } from '../../../../../app/journal/fold/queries/quorum.ts';
import { toApproval } from '../../../../../app/journal/fold/queries/view.ts';
import type { RunState } from '../../../../../app/journal/fold/state.ts';
import { owedPaintings } from '../../../../../app/journal/owed/cards.ts';
import { effectsOf } from '../../../../../app/journal/owed/effects.ts';
import { type StoredDecisionRule, threadKey } from '../../../../../app/records/index.ts';
import {
  approvalId,
  asked,
  fold,
  foldOnto,
  pressed,
  started,
  THREAD,
  turn,
  user,
} from '../../../../support/journal.ts';

const [BEN, CAT, DAN] = ['BEN', 'CAT', 'DAN'].map(user);
const twoOfThree: StoredDecisionRule = {
  approvers: [BEN, CAT, DAN].map((id) => id ?? user('?')),
  selfApproval: false,
  quorum: 2,
};
const staged: StoredDecisionRule = {
  approvers: twoOfThree.approvers,
  selfApproval: false,
  stages: [{ approvers: [user('BEN'), user('CAT')] }, { approvers: [user('DAN')] }],
};

const open = (rule: StoredDecisionRule, effect: 'asked' | 'guarded' = 'guarded') =>
  fold(started, turn(1, 'a'), asked({ rule, effect }));
const press = (state: RunState, by: string, changes: Parameters<typeof pressed>[0] = {}) => {
  const decided = decidePress(state, pressed({ by: user(by), ...changes }));
  return { ...decided, state: foldOnto(state, ...decided.entries) };
};
const standing = (state: RunState) => approvalOf(state, '1/a')?.standing.status;

describe('a quorum of two of three', () => {
  it('needs two: the first yes counts and decides nothing, the second decides', () => {
    const one = press(open(twoOfThree), 'BEN');
    expect(one).toMatchObject({ result: 'counted', notAfterMs: expect.any(Number) });
    expect(standing(one.state)).toBe('pending');

    const two = press(one.state, 'CAT');
    expect(two.result).toBe('decided');
    expect(two.entries).toMatchObject([{ type: 'call-decided', verdict: 'approve', by: 'CAT' }]);
  });

  it('needs two people: two presses of one person count once, on any replica', () => {
    const one = press(open(twoOfThree), 'BEN');
    const again = press(one.state, 'BEN');

    expect(again.result).toBe('counted-before');
    expect(standing(again.state)).toBe('pending');
    expect(press(again.state, 'DAN').result).toBe('decided');
  });

  it('ends at one denial, even from a person whose yes already counts, and keeps no yes (P19d)', () => {
    const one = press(open(twoOfThree), 'BEN');

    expect(press(one.state, 'CAT', { verdict: 'deny' }).result).toBe('decided');
    const changed = press(one.state, 'BEN', { verdict: 'deny' });
    expect(changed.entries).toMatchObject([{ type: 'call-decided', verdict: 'deny', by: 'BEN' }]);
    expect(press(changed.state, 'CAT').result).toBe('settled');
  });

  it('cannot give trust or change the input, which would be the act of one person (P57)', () => {
    const state = open(twoOfThree, 'asked');

    expect(press(state, 'BEN', { verdict: 'trust' }).result).toBe('not-offered');
    const edit = { input: { text: '{"a":1}' }, digest: 'd2', summary: '' };
    expect(press(state, 'BEN', { edit }).result).toBe('not-offered');
  });

  it('shows on its card the yes that counts, and how many are needed (P21)', () => {
    const { state } = press(open(twoOfThree), 'BEN');
    const counted = approvalOf(state, '1/a');

    expect(owedPaintings(open(twoOfThree))).toEqual([]);
    expect(owedPaintings(state)).toHaveLength(1);
    expect(counted && toApproval(state, counted, () => undefined)).toMatchObject({
      status: 'pending',
      progress: { given: 1, needed: 2, stage: 1, stages: 1, yeses: [{ by: 'BEN' }] },
    });
  });

  it('is judged again at the last yes: a yes whose giver lost the right does not count, and the card says so (P34)', () => {
    const one = press(open(twoOfThree), 'BEN');
    const two = press(one.state, 'CAT', { lost: [user('BEN')] });

    expect(two.result).toBe('counted');
    expect(two.entries).toMatchObject([
      { type: 'yes-dropped', by: 'BEN' },
      { type: 'yes-counted', by: 'CAT' },
    ]);
    const counted = approvalOf(two.state, '1/a');
    expect(owedPaintings(two.state)).toHaveLength(1);
    expect(counted && toApproval(two.state, counted, () => undefined)).toMatchObject({
      progress: { given: 1, yeses: [{ by: 'CAT' }], dropped: ['BEN'] },
    });
    // A person who has the right again approves again.
    expect(press(two.state, 'BEN').result).toBe('decided');
    expect(press(two.state, 'DAN').result).toBe('decided');
  });

  it('leaves the list of each person who has answered', () => {
    const before = open(twoOfThree);
    const entries = press(before, 'BEN').entries;
    const effects = effectsOf(foldOnto(before, ...entries), entries, { thread: threadKey(THREAD), graceMs: 1 });

    expect(effects).toEqual([{ type: 'not-member', index: { what: 'waiting', of: 'T1:BEN' }, member: approvalId() }]);
  });
});

describe('stages', () => {
  const first = { right: { type: 'allowed', stages: [0] } } as const;
  const second = { right: { type: 'allowed', stages: [1] } } as const;

  it('come in order: no person of the second stage decides before the first stage has', () => {
    const early = press(open(staged), 'DAN', second);
    expect(early.result).toBe('not-your-turn');

    const one = press(early.state, 'BEN', first);
    expect(one.result).toBe('counted');
    expect(press(one.state, 'CAT', first).result).toBe('not-your-turn');
    expect(press(one.state, 'DAN', second).result).toBe('decided');
  });

  it('begin anew when a person of an earlier stage lost the right, and no other person takes that place (P34)', () => {
    const one = press(open(staged), 'BEN', first);
    const third: StoredDecisionRule = { ...staged, stages: [...(staged.stages ?? []), { approvers: [user('ANN')] }] };
    const two = press(press(open(third), 'BEN', first).state, 'DAN', second);
    const late = press(two.state, 'ANN', { right: { type: 'allowed', stages: [2] }, lost: [user('BEN')] });

    expect(press(one.state, 'DAN', { ...second, lost: [user('BEN')] }).result).toBe('not-your-turn');
    expect(late.result).toBe('not-your-turn');
    const again = press(two.state, 'CAT', { ...first, lost: [user('BEN')] });
    expect(again.entries.map(({ type }) => type)).toEqual(['yes-dropped', 'yes-dropped', 'yes-counted']);
    expect(approvalOf(again.state, '1/a')?.yeses).toMatchObject([{ by: 'CAT' }]);
  });

  it('can be ended with a denial by any person who decides now or later', () => {
    expect(press(open(staged), 'DAN', { ...second, verdict: 'deny' }).result).toBe('decided');
    const one = press(open(staged), 'BEN', first);
    expect(press(one.state, 'CAT', { ...first, verdict: 'deny' }).result).toBe('not-your-turn');
  });
});

describe('any number of people and stages', () => {
  const rules = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });
  const people = fc.array(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'), { maxLength: 30 });

  it('never decide before as many different people as all stages need have approved', () => {
    fc.assert(
      fc.property(rules, people, (quorums, pressers) => {
        const rule: StoredDecisionRule = {
          approvers: [],
          selfApproval: false,
          stages: quorums.map((quorum) => ({ approvers: [user('A')], quorum })),
        };
        const needed = quorums.reduce((sum, quorum) => sum + quorum, 0);
        const last = pressers.reduce((state, by) => press(state, by).state, open(rule));
        const distinct = new Set(pressers).size;
        expect(standing(last)).toBe(distinct >= needed ? 'decided' : 'pending');
        expect(needsSeveral(rule)).toBe(needed > 1);
        const yeses = [...new Set(pressers)].slice(0, needed - 1).map((by) => ({ by: user(by), atMs: 0 }));
        expect(quorumProgress(rule, yeses).last).toBe(yeses.length === needed - 1);
      }),
    );
  });
});

it('a journal from before quorums is read as one person deciding', () => {
  const old = EntryBody.parse(JSON.parse(JSON.stringify(asked())));
  const state = fold(started, turn(1, 'a'), old);

  expect(approvalOf(state, '1/a')).toMatchObject({ yeses: [] });
  expect(press(state, 'ANN').result).toBe('decided');
});

describe('the people who are asked by name (P36)', () => {
  const [UANN, UBEN, UCAT] = [user('UANN'), user('UBEN'), user('UCAT')];

  it('are people, each once, without the requester, plain words or groups', () => {
    const approvers = [user('requester'), user('channel'), user('S0ONCALL'), UANN, UBEN, UBEN];

    expect(namedNow({ approvers, selfApproval: true }, UANN, [])).toEqual([UBEN]);
    expect(namedNow({ approvers: [], selfApproval: true }, UANN, [])).toEqual([]);
  });

  it('are those of the current stage who have not approved yet', () => {
    const both: StoredDecisionRule = { approvers: [UBEN, UCAT], selfApproval: true, quorum: 2 };
    const inTurn: StoredDecisionRule = { ...both, stages: [{ approvers: [UBEN] }, { approvers: [UCAT] }] };

    expect(namedNow(both, UANN, [{ by: UBEN, atMs: 1 }])).toEqual([UCAT]);
    expect(namedNow(inTurn, UANN, [])).toEqual([UBEN]);
    expect(namedNow(inTurn, UANN, [{ by: UBEN, atMs: 1 }])).toEqual([UCAT]);
  });
});
