import { describe, expect, it } from 'vitest';
import { UserId } from '../../../../app/records/index.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { listCard } from '../../../../handlers/views/card/list/list-card.ts';
import { reminder } from '../../../../handlers/views/card/reminder.ts';
import { inputModal, questionPage } from '../../../support/drawn-at-once.ts';
import { expectToFit, ofType } from '../fits.ts';
import { list, row } from '../lists.ts';
import { BEN, guarded, pending, ZOE } from '../records.ts';

const alsoSteeredBy = [BEN, ZOE];
const LINE = `Also wrote here: <@${BEN}>, <@${ZOE}>`;
const lines = (blocks: unknown) =>
  ofType(blocks, 'mrkdwn').filter(({ text }) => String(text).startsWith('Also wrote here'));

describe('that others than the requester wrote before a call was asked for', () => {
  it('stands in one line on its card, and in the text that is read out (EDGE-5, T7)', () => {
    const card = approvalCard(pending({ alsoSteeredBy }));

    expect(lines(card.blocks).map(({ text }) => text)).toEqual([LINE]);
    expect(card.text).toMatch(new RegExp(`Asked by <@\\w+>\\. ${LINE}\\.$`));
    expectToFit(card);
  });

  it('stands once on the card of many calls, and in the text that is read out (EDGE-5)', () => {
    const card = listCard(list([0, 1, 2, 3].map((place) => row(place, { alsoSteeredBy }))));

    expect(lines(card.blocks).map(({ text }) => text)).toEqual([LINE]);
    expect(card.text).toContain(`. ${LINE}. 1. `);
    expectToFit(card);
  });

  it('stands in the full view and on the page outside of Slack (EDGE-5)', () => {
    const asked = pending({ alsoSteeredBy });

    expect(lines(inputModal(asked, 0).blocks).map(({ text }) => text)).toEqual([LINE]);
    expect(questionPage(asked, 'form')).toContain(`Also wrote here: ${BEN}, ${ZOE}.`);
  });

  it('names five of them, and how many more there are (EDGE-5)', () => {
    const many = Array.from({ length: 8 }, (_, at) => UserId.parse(`U0MANY000${at}`));

    expect(lines(approvalCard(pending({ alsoSteeredBy: many })).blocks)[0]?.text).toMatch(/(<@\w+>, ){5}3 more$/);
  });

  it('is said nowhere when the requester alone wrote (EDGE-5)', () => {
    const [asked, many] = [pending(), list()];
    const all = [approvalCard(asked), listCard(many), inputModal(asked, 0), questionPage(asked, 'form')];

    expect(JSON.stringify(all)).not.toContain('Also wrote');
  });

  it('keeps the escalation of a question from those whose yes would not count (EDGE-5)', () => {
    const escalation = { atMs: 1, to: [BEN, ZOE] };

    expect(reminder({ ...guarded({ escalation }), alsoSteeredBy: [BEN] }, 'escalation').text).toMatch(`<@${ZOE}>: `);
    expect(reminder(pending({ escalation, alsoSteeredBy: [BEN] }), 'escalation').text).toContain(`<@${BEN}> and`);
  });
});
