import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import type { Approval } from '../../../../app/records/index.ts';
import { sentence } from '../../../../handlers/responding/tell.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { loadingModal, messageModal } from '../../../../handlers/views/forms/input-modal.ts';
import { shownText } from '../../../../handlers/views/kit/input-text.ts';
import { ANSWERS } from '../../../../handlers/views/words/answers.ts';
import { runsOf } from '../../../support/amount.ts';
import { inputModal } from '../../../support/drawn-at-once.ts';
import { buttonTexts, expectToFit, ofType, parts, textOf } from '../fits.ts';
import { hostileText, hugeText, input, textUpTo } from '../hostile.ts';
import { BEN, everyState, pending, ZOE } from '../records.ts';

function pagesOf(approval: Approval): readonly ReturnType<typeof inputModal>[] {
  const first = inputModal(approval, 0);
  const pages = Number(/Page 1 of (\d+)/.exec(textOf(first.blocks))?.[1]);
  return Array.from({ length: pages }, (_, page) => inputModal(approval, page));
}

const preformattedOf = (view: unknown) =>
  ofType(view, 'rich_text_preformatted').flatMap((part) => parts(part.elements).map((one) => one.text));

describe('the full view', () => {
  it('the full view says whether its yes runs the call, or is one of several (SURF-1)', () => {
    const progress = { yeses: [], stage: 1, stages: 1, given: 0, needed: 2, approvers: [BEN, ZOE] };
    const endOf = (asked: Approval) => textOf(inputModal(asked, 0).blocks);

    expect(endOf(pending())).toContain('Approving runs exactly this call, once.');
    expect(endOf(pending({ progress }))).toContain(
      `<@${BEN}> and <@${ZOE}> both decide · 0 of 2. With the last yes exactly this call runs, once.`,
    );
    expect(endOf(pending({ progress }))).not.toContain('Approving runs');
  });

  it('the full view names the channel that a message goes to, as its card does (SURF-1)', () => {
    const asked = pending({ tool: 'post_to_channel', input: '{"channel":"C0GEN00001","text":"Hi"}' });

    expect(textOf(inputModal(asked, 0).blocks)).toContain('Channel: <#C0GEN00001>');
    expect(textOf(inputModal(pending(), 0).blocks)).not.toContain('Channel:');
  });

  it('the full view fits every limit on every page, whatever the input (P20)', () => {
    fc.assert(
      fc.property(hostileText, hostileText, input, fc.nat(100), (tool, summary, text, which) => {
        const states = everyState(pending({ tool, summary, input: text }));
        for (const view of pagesOf(states[which % states.length] ?? pending())) {
          expectToFit({ blocks: view.blocks });
          expect(new TextEncoder().encode(JSON.stringify(view)).length).toBeLessThan(250_000);
        }
      }),
      { numRuns: runsOf(60) },
    );
  });

  it('the full view leaves nothing out between its first and its last page (P25)', () => {
    fc.assert(
      fc.property(textUpTo(60_000), (text) => {
        const approval = pending({ input: JSON.stringify({ text }) });
        expect(pagesOf(approval).flatMap(preformattedOf).join('') === shownText(approval.input)).toBe(true);
      }),
      { numRuns: runsOf(20) },
    );
  });

  it('the full view fits on its first page and its last, however long the input is (P20)', () => {
    fc.assert(
      fc.property(hugeText, fc.constantFrom(0, 1_000), (text, page) => {
        expectToFit({ blocks: inputModal(pending({ input: JSON.stringify({ text }) }), page).blocks });
      }),
      { numRuns: runsOf(20) },
    );
  });

  it.each([
    ['as much as a model writes by default', 64_000, 3],
    ['the largest input that a tool takes', LIMITS.toolInputBytes, 45],
  ])('the full view has Approve at its end for %s (P25)', (_what, bytes, pages) => {
    const around = JSON.stringify({ text: '' }).length;
    const all = pagesOf(pending({ input: JSON.stringify({ text: 'x'.repeat(bytes - around) }) }));

    expect(all).toHaveLength(pages);
    expect(all.filter((view) => buttonTexts(view.blocks).includes('Approve'))).toEqual(all.slice(-1));
  });

  it('the full view has Approve and Deny at the end of the last page only (P25)', () => {
    const pages = pagesOf(pending({ input: JSON.stringify({ text: 'x'.repeat(60_000) }) }));

    expect(pages.map((view) => buttonTexts(view.blocks))).toEqual([
      ['Next page'],
      ['Previous page', 'Next page'],
      ['Previous page', 'Approve', 'Deny'],
    ]);
  });

  it('the full view has no Approve for a question that only wants an answer', () => {
    const view = inputModal({ ...pending(), wants: { choices: [] } }, 0);

    expect(buttonTexts(view.blocks)).toEqual(['Deny']);
    expect(textOf(view.blocks)).toContain('*Answer…* stands on its card');
  });

  it('the full view offers no decision once there is one (P21)', () => {
    for (const approval of everyState().filter(({ status }) => status !== 'pending')) {
      expect(buttonTexts(inputModal(approval, 0).blocks)).toEqual([]);
    }
  });

  it('the full view shows the beginning of the digest that the card shows (P26)', () => {
    expect(textOf(inputModal(pending(), 0).blocks)).toContain('Page 1 of 1 · Digest 3f9a1c77');
    const long = pending({ input: JSON.stringify('x'.repeat(5_000)) });
    expect(textOf(approvalCard(long).blocks)).toContain('Digest 3f9a1c77');
  });

  it('the full view shows what is invisible (P27b)', () => {
    expect(preformattedOf(inputModal(pending({ input: '{"a":"x\u202Ey"}' }), 0)).join()).toContain('x\\u{202E}y');
  });

  it('the full view shows all of a name that the card had to cut', () => {
    const tool = 'a'.repeat(9_000);

    expect(textOf(inputModal(pending({ tool }), 0).blocks).replaceAll('\n', '')).toContain(tool);
  });

  it.each([-1, 0.5, 99, Number.NaN])('the full view opens on a page that exists when asked for page %s', (page) => {
    expect(textOf(inputModal(pending(), page).blocks)).toContain('Page 1 of 1');
  });

  it('the full view remembers which page it shows', () => {
    expect(JSON.parse(inputModal(pending(), 0).private_metadata ?? '')).toEqual({ page: 0 });
  });

  it('the full view fits while it is loading and when there is nothing to show', () => {
    expectToFit({ blocks: loadingModal().blocks });
    expectToFit({ blocks: messageModal(sentence(ANSWERS.unknown)).blocks });
  });
});
