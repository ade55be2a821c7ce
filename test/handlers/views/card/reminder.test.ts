import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserId } from '../../../../app/records/index.ts';
import { directReminder, remindedPeople, reminder } from '../../../../handlers/views/card/reminder.ts';
import { runsOf } from '../../../support/amount.ts';
import { expectToFit } from '../fits.ts';
import { hostileText } from '../hostile.ts';
import { ANN, BEN, guarded, pending, ZOE } from '../records.ts';

describe('a reminder', () => {
  it('a reminder calls the people who can decide (P61)', () => {
    expect(reminder(pending(), 'reminder').text).toContain(`<@${ANN}>: \`restart_service\` still waits for a decision`);
    expect(reminder(guarded(), 'reminder').text).toContain(`<@${BEN}>`);
  });

  it('a reminder links to its card, which may stand far above in a long thread (P61)', () => {
    const { text, blocks } = reminder(pending(), 'reminder');

    expect(JSON.stringify(blocks)).toContain('|Go to the card>');
    expect(text).not.toContain('Go to the card');
  });

  it('a direct reminder says nothing of what the call would do (P61)', () => {
    expect(remindedPeople(pending())).toEqual([ANN]);
    expect(remindedPeople(guarded())).toEqual([BEN]);
    const group = UserId.parse('S0ONCALL01');
    expect(remindedPeople(pending({ rule: { approvers: [group], selfApproval: true } }))).toBeUndefined();

    const { text, blocks } = directReminder(pending({ summary: 'Something secret.' }), 'reminder');
    expect(text).toContain('still waits for your decision');
    expect(JSON.stringify(blocks)).not.toContain('secret');
    expect(JSON.stringify(blocks)).toContain('Go to the card');
    // The card may be where they cannot go.
    expect(JSON.stringify(blocks)).toContain('View and decide');
  });

  it('a reminder calls no person whose yes counts already (P61)', () => {
    const rule = { approvers: [ANN, BEN, ZOE], selfApproval: true, quorum: 2 };
    const said = (...by: readonly UserId[]) => {
      const yeses = by.map((user) => ({ by: user, atMs: 1 }));
      return { yeses, stage: 1, stages: 1, given: by.length, needed: 2, approvers: rule.approvers };
    };
    const waits = pending({ rule, progress: said(BEN) });

    expect(remindedPeople(waits)).toEqual([ANN, ZOE]);
    const { text } = reminder(waits, 'reminder');
    expect(text).toContain(`<@${ANN}> and <@${ZOE}>: \`restart_service\``);
    expect(text).not.toContain(BEN);

    const escalation = { atMs: 1, to: [BEN, ZOE] };
    expect(reminder({ ...waits, escalation }, 'escalation').text).toContain(`<@${ZOE}>: \`restart_service\``);
    // The one who asked has said yes by the word that stands for them.
    const word = { ...rule, approvers: [UserId.parse('requester'), BEN] };
    const after = pending({ rule: word, progress: { ...said(ANN), approvers: word.approvers } });
    expect(remindedPeople(after)).toEqual([BEN]);
  });

  it('an escalation calls the people and groups it is meant for (P61)', () => {
    const escalation = { atMs: 1, to: [UserId.parse('S0ONCALL01'), BEN] };

    expect(reminder(pending({ escalation }), 'escalation').text).toContain(`<!subteam^S0ONCALL01> and <@${BEN}>:`);
  });

  it('a reminder fits and calls no other person, whatever the tool says (P20)', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (tool, summary) => {
        const view = reminder(pending({ tool, summary }), 'reminder');
        expectToFit(view);
        expect(view.text.match(/<[@!](?!date)/g)).toEqual(['<@']);
      }),
      { numRuns: runsOf(40) },
    );
  });
});
