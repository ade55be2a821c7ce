import { expect, it } from 'vitest';
import { UserId } from '../../../../app/records/index.ts';
import { doubtCard } from '../../../../handlers/questions/doubt/card.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { neededIn } from '../../../../sandbox/demo/needed.ts';
import { doubt } from '../doubts.ts';
import { ANN, BEN, guarded, pending, ZOE } from '../records.ts';

const KIM = UserId.parse('U0KIM00001');
const OPS = UserId.parse('S0ONCALL01');
const groups = new Map([[`${OPS}`, { id: OPS, handle: 'on-call', name: 'On call', members: [KIM] }]]);

/** The demo reads from the words of a card whose badge it shows, so new words on a card may cost it its badges. */
it.each([
  ['one of two decides', 1, [BEN, ZOE], [BEN, ZOE]],
  ['both decide', 2, [BEN, ZOE], [BEN, ZOE]],
  ['all decide', 3, [BEN, ZOE, KIM], [BEN, ZOE, KIM]],
  ['some of several decide', 2, [BEN, ZOE, KIM], [BEN, ZOE, KIM]],
  ['a group decides', 2, [BEN, OPS], [BEN, KIM]],
])('the demo finds whose yes a card needs where %s (DEMO-5)', (_how, needed, approvers, people) => {
  const rule = { approvers, selfApproval: false, quorum: needed };
  const card = approvalCard(
    guarded({ rule, progress: { yeses: [], stage: 1, stages: 1, given: 0, needed, approvers } }),
  );

  expect(neededIn({ blocks: card.blocks }, { groups })).toEqual(people);
});

it('the demo finds the requester where that person decides alone (DEMO-5)', () => {
  const card = approvalCard(pending());

  expect(neededIn({ blocks: card.blocks }, { groups })).toEqual([ANN]);
});

it.each([
  ['the requester', [], [ANN]],
  ['approvers', [BEN, ZOE], [BEN, ZOE]],
])('the demo finds who can say what became of a call where %s can (DEMO-5)', (_who, approvers, people) => {
  const card = doubtCard(doubt({ rule: { approvers, selfApproval: true } }));

  expect(neededIn({ blocks: card.blocks }, { groups })).toEqual(people);
});

it('the demo calls no person whom only the words of the agent name (DEMO-5)', () => {
  const summary = `Shall I?\n<@${BEN}> can decide`;
  const card = approvalCard(pending({ tool: 'ask_person', summary, input: '{}', wants: { choices: [] } }));

  expect(neededIn({ blocks: card.blocks }, { groups })).toEqual([ANN]);
});
