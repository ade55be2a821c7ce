import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UserId } from '../../../../app/records/index.ts';
import { directCopy } from '../../../../handlers/views/card/direct-copy.ts';
import { runsOf } from '../../../support/amount.ts';
import { expectToFit, parts } from '../fits.ts';
import { hostileText } from '../hostile.ts';
import { ANN, approved, BEN, everyState, guarded, NEWER_LINK, pending, ZOE } from '../records.ts';

const text = (view: object): string => JSON.stringify(view);
const buttonsOf = ({ blocks }: { readonly blocks: readonly unknown[] }) =>
  parts(blocks).flatMap(({ action_id }) => (typeof action_id === 'string' ? [action_id] : []));
const copyOf = (approval: Parameters<typeof directCopy>[0], to: UserId = BEN) =>
  directCopy(approval, { to, what: 'notice' });

const rule = { approvers: [BEN, ZOE], selfApproval: true, quorum: 2 };
const needsTwo = (...by: readonly UserId[]) => {
  const yeses = by.map((one) => ({ by: one, atMs: 1 }));
  return pending({
    rule,
    progress: { yeses, stage: 1, stages: 1, given: by.length, needed: 2, approvers: rule.approvers },
  });
};

describe('what a person was told directly', () => {
  it('a direct message says what became of the question, who decided and when, and where its card is (P14)', () => {
    const view = copyOf(approved());

    expect(view.text).toMatch(/^\*Approved\* · `restart_service`, asked by <@U0ANN00001>\. Approved by <@U0BEN00001>/);
    expect(text(view)).toContain('Go to the card');
    expect(buttonsOf(view)).toEqual(['approval_view']);
  });

  it('a direct message has buttons that decide only while the question waits (P14)', () => {
    for (const approval of everyState(guarded())) {
      const ended = approval.status !== 'pending';
      expect([ended, text(copyOf(approval)).includes('your decision')]).toEqual([ended, !ended]);
      expect(buttonsOf(copyOf(approval)).filter((action) => action !== 'approval_view')).toEqual(
        approval.status === 'pending' && approval.wants !== undefined ? ['approval_answer_listed'] : [],
      );
    }
  });

  it('a direct message says the same however the call comes out', () => {
    const outcomes = everyState(pending()).filter(({ status }) => status === 'approved');
    const plain = outcomes.filter((one) => !('decision' in one && one.decision.edit) && !('replacedBy' in one));

    expect(new Set(plain.map((one) => text(copyOf(one)))).size).toBe(1);
  });

  it('a direct message names the people it waits for to a person whose yes counts already (P57)', () => {
    expect(text(copyOf(needsTwo(BEN), ZOE))).toContain('waits for your decision');
    const view = copyOf(needsTwo(BEN), BEN);

    expect(view.text).toContain(`waits for <@${ZOE}>`);
    expect(view.text).toContain('You approved.');
    expect(text(view)).not.toContain('View and decide');
  });

  it('a direct message names the people it waits for where another stage has come (P57)', () => {
    const progress = { yeses: [], stage: 2, stages: 2, given: 0, needed: 1, approvers: [ANN] };

    expect(copyOf(pending({ rule, progress })).text).toContain(`waits for <@${ANN}>`);
  });

  it('a direct message links to the question that replaced this one', () => {
    const replaced = everyState(pending()).find((one) => one.status === 'cancelled' && one.replacedBy?.card);

    expect(replaced && text(copyOf(replaced))).toContain(NEWER_LINK);
  });

  it('a direct message fits, and repeats no words of other people, whatever they are (P20, P26)', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (tool, words) => {
        const told = `WORDS${words}`;
        for (const approval of everyState(
          pending({ tool, summary: told, reason: told, input: JSON.stringify(told) }),
        )) {
          const view = copyOf(approval);
          expectToFit(view);
          expect(text(view)).not.toContain('WORDS');
        }
      }),
      { numRuns: runsOf(20) },
    );
  });
});
