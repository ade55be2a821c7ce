import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmModal } from '../../../../handlers/views/forms/confirm-modal.ts';
import { confirmEditModal } from '../../../../handlers/views/forms/edit-modal.ts';
import { runsOf } from '../../../support/amount.ts';
import { MEMORY } from '../../payloads.ts';
import { expectToFit, ofType, textOf } from '../fits.ts';
import { hostileText, input } from '../hostile.ts';
import { BEN, guarded, ZOE } from '../records.ts';

const shown = (changes: Parameters<typeof guarded>[0]) => confirmModal(guarded(changes), MEMORY);

describe('the form that confirms a guarded call', () => {
  it.each([
    ['Delete the database payments_old.', 'Delete the database payments_old? This cannot be undone.', 'Yes, delete'],
    ['Drop payments_old?\n', 'Drop payments_old? This cannot be undone.', 'Yes, drop'],
    ['', 'Run restart_service? This cannot be undone.', 'Yes, approve'],
    ['cancel', 'cancel? This cannot be undone.', 'Yes, approve'],
  ])(
    'the form that confirms a call says what is done in the tool’s own sentence: %j (SURF-1, MF-13)',
    (summary, text, submit) => {
      const { blocks, submit: button } = shown({ summary });

      expect(textOf(blocks[0])).toBe(text);
      expect(button).toMatchObject({ text: submit });
    },
  );

  it('the form that confirms a call keeps both ends of a long sentence, shows tool and input, and remembers the digest (SURF-1)', () => {
    const view = shown({ summary: `Drop ${'x'.repeat(2_000)} for ever` });

    expect(textOf(view.blocks[0])).toMatch(/^Drop xxx.*for ever\? This cannot be undone\.$/);
    expect(textOf(view.blocks).replaceAll('\n', ' ')).toContain('restart_service service : payments');
    expect(JSON.parse(view.private_metadata ?? '')).toMatchObject({ confirms: '3f9a1c77aabbccdd' });
  });

  it('the form that confirms a call says that its yes is one of several (SURF-1)', () => {
    const yeses = [{ by: BEN, atMs: 0 }];
    const progress = { yeses, stage: 1, stages: 1, given: 1, needed: 2, approvers: [BEN, ZOE] };

    expect(textOf(shown({ progress }).blocks)).toContain(
      `<@${BEN}> and <@${ZOE}> both decide · 1 of 2: yes from <@${BEN}>`,
    );
    expect(textOf(shown({}).blocks)).not.toContain('decide');
  });

  it('the form that confirms a message to a channel names the channel, before and after an edit (SURF-1)', () => {
    const asked = guarded({ tool: 'post_to_channel', input: '{"channel":"C0GEN00001","text":"Hi"}' });
    const edit = { input: '{"channel":"C0OPS00001","text":"Hi"}', digest: 'd', summary: 'Post a message.' };
    const edited = confirmEditModal(asked, edit, { memory: MEMORY, schema: undefined });

    expect(textOf(confirmModal(asked, MEMORY).blocks)).toContain('Channel: <#C0GEN00001>');
    expect(textOf(edited.blocks)).toContain('Channel: <#C0OPS00001>');
  });

  it('the form that confirms a call names what looks like another word, before and after an edit (P27b, T2)', () => {
    const [asked, edited] = ['{"to":"p\u0430ypal"}', '{"to":"g\u03BFogle"}'];
    const edit = { input: edited, digest: 'd', summary: 'Pay.' };
    const second = confirmEditModal(guarded({ input: asked }), edit, { memory: MEMORY, schema: undefined });

    expect(textOf(shown({ input: asked }).blocks)).toContain('in one word: p\u0430ypal (Cyrillic \u0430).');
    expect(textOf(second.blocks)).toContain('in one word: g\u03BFogle (Greek \u03BF).');
  });

  it('the form that confirms a call fits, and no text in it acts (P20, P27)', () => {
    fc.assert(
      fc.property(fc.record({ tool: hostileText, summary: hostileText, input }), (asked) => {
        const view = shown(asked);
        expectToFit(view);
        expect(ofType(view.blocks, 'mrkdwn')).toEqual([]);
      }),
      { numRuns: runsOf(60) },
    );
  });
});
