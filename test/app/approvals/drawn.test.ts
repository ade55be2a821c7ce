import { expect, it } from 'vitest';
import type { VerdictPress } from '../../../app/approvals/answers.ts';
import { isDrawn } from '../../../app/approvals/drawn.ts';
import { ANN, pending, THREAD } from '../../handlers/views/records.ts';
import { approvalId } from '../../support/journal.ts';

const CARD = { channel: THREAD.channel, ts: '1795251601.000200' };
const answers = (yes: boolean) => ({
  showsWholeInput: () => yes,
  showsWholeInRow: () => yes,
  isEditable: () => yes,
  offersTrust: () => yes,
});
const ALL = answers(true);
const NONE = answers(false);

type About = Partial<Pick<VerdictPress, 'verdict' | 'edit' | 'from'>>;
const press = ({ verdict = 'approve', from = { type: 'card', card: CARD }, ...more }: About): VerdictPress => ({
  approval: pending().id,
  by: { user: ANN, team: THREAD.team },
  verdict,
  from,
  ...more,
});
const card = pending();
const row = { ...card, list: approvalId(7) };
const VIEW = { from: { type: 'full-view' } } as const;
const page = (digest: string) => ({ from: { type: 'web', digest } }) as const;

it.each<[string, About]>([
  ['a yes on a card', {}],
  ['a no on a card', { verdict: 'deny' }],
  ['a trust on a card', { verdict: 'trust' }],
  ['an answer typed from a card', { verdict: 'answer' }],
  ['a yes in the full view', VIEW],
  ['a no in the full view', { ...VIEW, verdict: 'deny' }],
  ['a yes on the page of this very call', page(card.digest)],
  ['an edited yes', { edit: '{}' }],
])('%s is offered where the whole input is visible', (_, about) => {
  expect(isDrawn(ALL, card, press(about))).toBe(true);
});

it.each<[string, About]>([
  ['a trust in the full view', { ...VIEW, verdict: 'trust' }],
  ['an answer in the full view', { ...VIEW, verdict: 'answer' }],
  ['an answer with an edit', { verdict: 'answer', edit: '{}' }],
  ['a no with an edit', { verdict: 'deny', edit: '{}' }],
  ['a trust with an edit', { verdict: 'trust', edit: '{}' }],
  ['a trust on the page', { ...page(card.digest), verdict: 'trust' }],
  ['an edit on the page', { ...page(card.digest), edit: '{}' }],
  ['a yes on the page of another call', page('another')],
])('%s is offered nowhere', (_, about) => {
  expect(isDrawn(ALL, card, press(about))).toBe(false);
});

it('a card that hides a part of its input offers Deny and nothing else, and its full view offers Approve (P25)', () => {
  const drawn = (about: About) => isDrawn(NONE, card, press(about));

  expect(drawn({ verdict: 'deny' })).toBe(true);
  expect(drawn({ verdict: 'approve' })).toBe(false);
  expect(drawn({ verdict: 'trust' })).toBe(false);
  expect(drawn(VIEW)).toBe(true);
});

it('a card that cannot say all of what a trust covers does not offer it, whatever else it shows', () => {
  const draws = { ...ALL, offersTrust: () => false };

  expect(isDrawn(draws, card, press({ verdict: 'trust' }))).toBe(false);
  expect(isDrawn(draws, card, press({}))).toBe(true);
});

it('an input that a form cannot show whole cannot be edited there, whatever the card shows', () => {
  expect(isDrawn({ ...ALL, isEditable: () => false }, card, press({ edit: '{}' }))).toBe(false);
  expect(isDrawn({ ...NONE, isEditable: () => true }, card, press({ edit: '{}' }))).toBe(true);
});

it('a row of a list card offers Approve when its own input fits, Deny always, and trust never', () => {
  const drawn = (draws: typeof ALL, about: About) => isDrawn(draws, row, press(about));

  expect(drawn({ ...NONE, showsWholeInRow: () => true }, {})).toBe(true);
  expect(drawn({ ...ALL, showsWholeInRow: () => false }, {})).toBe(false);
  expect(drawn(NONE, { verdict: 'deny' })).toBe(true);
  expect(drawn(ALL, { verdict: 'trust' })).toBe(false);
});
