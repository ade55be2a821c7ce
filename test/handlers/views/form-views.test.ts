import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../app/records/index.ts';
import { approvalCard } from '../../../handlers/views/card/approval-card.ts';
import { denyModal } from '../../../handlers/views/forms/deny-modal.ts';
import { editModal, isEditable } from '../../../handlers/views/forms/edit-modal.ts';
import { visible } from '../../../handlers/views/kit/text.ts';
import { homeView, settledView } from '../../../handlers/views/pages/home-view.ts';
import { runsOf } from '../../support/amount.ts';
import { inputModal } from '../../support/drawn-at-once.ts';
import { MEMORY } from '../payloads.ts';
import { expectToFit, ofType, textOf } from './fits.ts';
import { NOTHING } from './homes.ts';
import { hostileText, input } from './hostile.ts';
import { everyState, guarded, pending } from './records.ts';

const field = (json: string): string =>
  String(ofType(editModal(pending({ input: json }), MEMORY).blocks, 'plain_text_input')[0]?.initial_value);

describe('a form', () => {
  it('every form fits every limit of Slack, whatever is asked (P20)', () => {
    fc.assert(
      fc.property(fc.record({ tool: hostileText, summary: hostileText, reason: hostileText, input }), (asked) => {
        for (const approval of [pending(asked), guarded(asked)]) {
          for (const view of [denyModal(approval, MEMORY), editModal(approval, MEMORY)]) {
            expectToFit({ blocks: view.blocks });
            expect((view.private_metadata ?? '').length).toBeLessThan(3_000);
          }
        }
      }),
      { numRuns: runsOf(100) },
    );
  });
});

describe('the field of an input', () => {
  it('the field of an input holds all of it, shows every invisible character, and means the same (P26, P27b)', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (json) => {
        fc.pre(isEditable(pending({ input: json })));
        const text = field(json);
        expect(JSON.parse(text)).toEqual(JSON.parse(json));
        expect(text.split('\n').map(visible).join('\n').replaceAll('\\u{5C}', '\\')).toBe(text);
      }),
      { numRuns: runsOf(100) },
    );
    expect(field('{"a":"x\u200b\u202ey"}')).toBe('{\n  "a": "x\\u200b\\u202ey"\n}');
  });

  it('the field of an input is offered only where it holds all of it, and otherwise the card says why not', () => {
    const long = pending({ input: JSON.stringify({ text: 'x'.repeat(3_000) }) });

    expect(isEditable(long)).toBe(false);
    expect(textOf(approvalCard(long).blocks)).not.toContain('Edit input…');
    expect(textOf(approvalCard(long).blocks)).toContain('Too long to be edited here.');
    expect(textOf(approvalCard(pending()).blocks)).toContain('Edit input…');
    expect(isEditable(pending({ input: '#undefined' }))).toBe(false);
  });
});

/** An input with 14 members. */
const members = (value: string) =>
  JSON.stringify(Object.fromEntries([...'abcdefghijklmn'].map((name) => [name, value])));

describe('a call that was approved with changes', () => {
  const edited = everyState().find((one) => one.status === 'approved' && one.decision.edit !== undefined) ?? pending();

  it('a call that was approved with changes is shown as it ran, on the card and in full, with the old value before each new one (SURF-1)', () => {
    const { text, blocks } = approvalCard(edited);

    expect(text).toMatch(/^Approved with changes: restart_service\. Restart the search service\./);
    expect(textOf(blocks)).toContain('Approved with changes by <@U0BEN00001>');
    expect(textOf(blocks).replaceAll('\n', '')).toContain('service: payments → search');
    expect(ofType(blocks, 'text').filter(({ style }) => JSON.stringify(style) === '{"strike":true}')).toHaveLength(1);
    expect(textOf(blocks)).not.toContain('Digest');
    expect(textOf(inputModal(edited, 0).blocks)).toContain('"service": "search"');
    expect(textOf(inputModal(edited, 0).blocks)).toContain('Digest eeeeeeee');
  });

  it('a call whose hidden part a person has taken out hides nothing (SURF-1)', () => {
    const hid = { ...edited, input: '{"token":"[hidden 0123456789]"}', hides: ['token'], undeclared: [] };

    expect(textOf(inputModal(hid, 0).blocks)).not.toContain('Hidden: token');
    expect(textOf(approvalCard(hid).blocks)).not.toContain('Digest');
  });

  it('a call that was approved with changes is listed as it ran, on Home and in the answer to /approvals log (SURF-1)', () => {
    for (const { blocks } of [homeView({ ...NOTHING, decided: [edited] }), settledView([edited])]) {
      expect(textOf(blocks)).toContain('Restart the search service.');
      expect(textOf(blocks)).toContain('*Approved with changes* by');
      expect(textOf(blocks)).not.toContain('payments');
    }
  });

  it.each([
    ['{"a":1,"b":"x"}', '{"a":2,"b":"x"}', 'a: 1 → 2\nb: x'],
    ['{"a":"old"}', '{"a":"old","b":true}', 'b: not set → true\na: old'],
    ['{"a":"old","b":{"c":1}}', '{"a":"old"}', 'b: {"c":1} → not set\na: old'],
    ['{"a":"x y"}', '{"a":"x\\u200by"}', 'a: x y → "x\\u{200B}y"'],
    ['{"a":"1"}', '{"a":1}', 'a: "1" → 1'],
    ['{"a":"true"}', '{"a":true}', 'a: "true" → true'],
    ['{"a":"old","b":"x"}', '{"a":"not set"}', 'a: old → "not set"\nb: x → not set'],
    ['[1]', '[2]', 'Changed: the whole input.'],
    [members('old'), members('new'), 'l: old → new\nand 2 more changes'],
  ])('an edit of %s to %s says on the card what changed (SURF-1)', (input, after, shown) => {
    const decision = {
      verdict: 'approve',
      by: pending().requester,
      atMs: 1,
      edit: { input: after, digest: 'e', summary: '' },
    };
    const card = approvalCard({
      ...pending({ input }),
      status: 'approved',
      decision,
      outcome: { type: 'ran', ms: 1 },
    } as Approval);
    const text = card.blocks.map((block) =>
      textOf(block).replaceAll('\n\n\n', '\t').replaceAll('\n', '').replaceAll('\t', '\n'),
    );

    expect(text.join('\n')).toContain(shown);
  });
});
