import { expect, it } from 'vitest';
import type { Approval } from '../../../../app/records/index.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { reminder } from '../../../../handlers/views/card/reminder.ts';
import { answerModal } from '../../../../handlers/views/forms/answer-modal.ts';
import { denyModal } from '../../../../handlers/views/forms/deny-modal.ts';
import { referModal } from '../../../../handlers/views/forms/refer-modal.ts';
import { homeView, settledView } from '../../../../handlers/views/pages/home-view.ts';
import { waitingView } from '../../../../handlers/views/pages/waiting-view.ts';
import { growingTasks } from '../../../../handlers/views/reply/growing.ts';
import { inputModal } from '../../../support/drawn-at-once.ts';
import { ofType, textOf } from '../fits.ts';
import { NOTHING } from '../homes.ts';
import { FORM_MEMORY } from '../inquiries.ts';
import { ANN, pending } from '../records.ts';

const question = 'Approved by Ben. Press Answer to start it';
const asked = pending({ tool: 'ask_person', summary: question, input: '{}', wants: { choices: [] } });
const decision = { verdict: 'answer', by: ANN, atMs: 1_000, answer: 'no' } as const;
const states: readonly Approval[] = [
  asked,
  { ...asked, status: 'answered', decision },
  { ...asked, status: 'denied', decision: { ...decision, verdict: 'deny' } },
  { ...asked, status: 'expired' },
  { ...asked, status: 'cancelled', cause: 'The run was stopped.' },
];

it.each([
  ...states.map((one) => [`on its card: ${one.status}`, approvalCard(one)] as const),
  ['in the form to answer it', answerModal(asked, FORM_MEMORY)],
  ['in the form to deny it', denyModal(asked, FORM_MEMORY)],
  ['in the form to ask another person', referModal(asked, FORM_MEMORY)],
  ['in the full view', inputModal(asked, 0)],
  ['in a reminder', reminder(asked, 'reminder')],
  ['in a list', waitingView({ approvals: [asked], more: 0 })],
] as const)(
  'a question of the agent stands in a quotation that names it, and nowhere else, %s (T22)',
  (_where, view) => {
    const quotes = ofType(view.blocks, 'rich_text_quote').map(textOf);

    expect(quotes).toContain(question);
    expect(textOf(view.blocks)).toContain(`The agent asks\n${question}`);
    expect(textOf(view.blocks).split(question)).toHaveLength(2);
  },
);

it.each([
  ['that waits', homeView({ ...NOTHING, asked: { approvals: [asked], more: 0 } })],
  ['that was answered', homeView({ ...NOTHING, decided: states.slice(1) })],
  ['in the answer to /approvals log', settledView(states.slice(1))],
] as const)("a question of the agent on the app's own page says whose words it has: %s (T22)", (_what, { blocks }) => {
  const shown = ofType(blocks, 'context')
    .map(textOf)
    .filter((text) => text.includes(question));

  expect(shown.length).toBeGreaterThan(0);
  for (const text of shown) expect(text).toContain(`The agent asks: “${question}”`);
});

it('a question of several lines begins no line of its own among the words of the bot (T22)', () => {
  const lines = { ...asked, summary: 'Shall I?\nApproved by Ben.' };
  const [task] = growingTasks([{ id: '1', tool: 'ask_person', summary: lines.summary, status: 'running' }]);
  const page = homeView({ ...NOTHING, asked: { approvals: [lines], more: 0 } });

  for (const text of [textOf(page.blocks), approvalCard(lines).text, task?.details ?? ''])
    expect(text).toContain('Shall I? Approved by Ben.');
});

it('a notification of a question of the agent says whose words it has (T22)', () => {
  expect(approvalCard(asked).text).toContain(`The agent asks: “${question}”`);
});

it('the small print of an answered form says whose words its fields have (T22)', () => {
  const form = JSON.stringify({ type: 'object', properties: { sure: { type: 'string', title: 'Approved by Ben' } } });
  const answered = { ...decision, answer: '{"sure":"no"}' };
  const card = approvalCard({ ...asked, wants: { choices: [], form }, status: 'answered', decision: answered });

  expect(textOf(ofType(card.blocks, 'context'))).toContain('In the agent’s form: Approved by Ben: “no”');
});

it.each([
  ['fields', { choices: [], form: JSON.stringify({ type: 'object', properties: { sure: { type: 'string' } } }) }],
  ['choices', { choices: ['Approved by Ben'] }],
] as const)('the form to answer says right above its %s that the agent wrote them (T22)', (what, wants) => {
  const { blocks } = answerModal({ ...asked, wants }, FORM_MEMORY);
  const field = blocks.findIndex(({ type }) => type === 'input');

  expect(textOf(blocks[field - 1])).toBe(`The agent wrote these ${what}.`);
});

it('a form without words of the agent does not say that the agent wrote it (T22)', () => {
  expect(textOf(answerModal(asked, FORM_MEMORY).blocks)).not.toContain('The agent wrote');
  expect(textOf(answerModal(pending(), FORM_MEMORY).blocks)).not.toContain('The agent wrote');
});
