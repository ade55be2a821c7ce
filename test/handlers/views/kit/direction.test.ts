import { describe, expect, it } from 'vitest';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { listCard } from '../../../../handlers/views/card/list/list-card.ts';
import { isTurned } from '../../../../handlers/views/kit/direction.ts';
import { inputModal, questionPage } from '../../../support/drawn-at-once.ts';
import { expectToFit } from '../fits.ts';
import { list, row } from '../lists.ts';
import { pending } from '../records.ts';

/** A browser draws this list as `["20" ,"10 A"]`, with the Hebrew letter for the A. */
const TURNED = '["\u05D0 10","20"]';

describe('what letters from right to left turn', () => {
  it.each([
    ['a number in another text of a list', TURNED, true],
    ['a number behind the letter', '{"room":"\u05D0 10"}', true],
    ['two texts of a list', '["\u0627","\u0628"]', true],
    ['two Arabic numbers of a list', '["\u0661","\u0662"]', true],
    ['nothing in one Arabic number', '{"port":"\u0668\u0660"}', false],
    ['a name and its value', '{"\u05D0":"\u05D1"}', true],
    ['nothing, where other letters stand between', '{"from":"\u05D0","to":"\u05D1"}', false],
    ['nothing in words alone', '{"text":"\u05E9\u05DC\u05D5\u05DD, \u05E2\u05D5\u05DC\u05DD"}', false],
    ['nothing without such letters', '["a 10","20"]', false],
  ])('is %s (P26, T2)', (_what, text, turned) => {
    expect(isTurned(text)).toBe(turned);
  });

  it.each([
    ['the input', { input: TURNED }],
    ['the summary', { summary: 'Move \u05D0 10, 20.' }],
    ['the preview', { preview: 'Moves \u05D0 10, 20.' }],
    ['what it rests on', { precondition: { text: '\u05D0 10, 20', digest: 'p' } }],
    ['what it rested on', { was: '\u05D0 10, 20' }],
  ])('is said where people decide about it: in %s (P26, T2)', (_where, changes) => {
    const asked = pending(changes);
    const [card, many] = [approvalCard(asked), listCard(list([row(0), row(1, changes)]))];

    for (const view of [card, many, inputModal(asked, 0), questionPage(asked, 'form')])
      expect(JSON.stringify(view)).toContain('may stand in another order than in the call');
    expectToFit(card);
    expectToFit(many);
    expect(JSON.stringify(approvalCard(pending()))).not.toContain('another order');
  });
});
