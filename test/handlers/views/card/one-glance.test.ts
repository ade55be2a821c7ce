import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../../app/records/index.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { checkMessageBlocks } from '../../../../sandbox/block-kit/check.ts';
import { asJson } from '../../../../sandbox/json.ts';
import { sizeOf } from '../../../support/size/size.ts';
import { buttonTexts, ofType, textOf } from '../fits.ts';
import { ANN, approved, BEN, guarded, pending } from '../records.ts';

/** Each block of a card as people read it: the pieces of a line side by side. */
const read = (approval: Approval): readonly string[] =>
  approvalCard(approval).blocks.map((block) => {
    const pieces = ofType(block, 'text').map(({ text }) => String(text));
    return (pieces.length > 0 ? pieces.join('') : textOf(block)).trim();
  });

function size(approval: Approval) {
  const checked = checkMessageBlocks(asJson(approvalCard(approval).blocks));
  if (checked.type === 'refused') throw new Error(checked.problems.join());
  return sizeOf(checked.value);
}

describe('a card that is read at one glance', () => {
  it('a card for a short input fits in 260 px and 45 words, and in 260 px with the words of the agent (SURF-1)', () => {
    for (const asked of [pending({ saidAbove: true }), guarded({ saidAbove: true })]) {
      expect(size(asked).heightPx).toBeLessThanOrEqual(260);
      expect(size(asked).words).toBeLessThanOrEqual(45);
    }
    expect(size(pending()).heightPx).toBeLessThanOrEqual(260);
  });

  it('a card has the sentence people decide about in bold at its head, with the name of the tool beside it (SURF-1)', () => {
    const [head] = approvalCard(pending()).blocks;

    expect(ofType(head, 'text').map(({ text, style }) => [text, style])).toEqual([
      [' Approval needed', undefined],
      [' · ', undefined],
      ['Restart the payments service', { bold: true }],
      [' ', undefined],
      ['restart_service', { code: true }],
    ]);
  });

  it('a card says in one line who asks, who can decide and until when, with one name for one person (SURF-1)', () => {
    const until = 'until <!date^1795338000^{date_short_pretty} {time}|2026-11-22 09:00 UTC>';

    expect(read(pending())[1]).toBe(`<@${ANN}> asks and can decide · ${until}`);
    expect(read(guarded())[1]).toBe(`<@${ANN}> asks · <@${BEN}> can decide · ${until}`);
    expect(read(guarded({ secondFactor: true }))[1]).toContain('This is decided outside of Slack');
    expect(read(pending({ wants: { choices: [] } }))[1]).toBe(`<@${ANN}> asks and can answer · ${until}`);
  });

  it('a card of a question that is open for seconds shows its end to the second (SURF-1)', () => {
    const { askedAtMs } = pending();

    expect(read(pending({ expiresAtMs: askedAtMs + 10_000 }))[1]).toContain('{time_secs}|');
    expect(read(pending({ expiresAtMs: askedAtMs + 120_000 }))[1]).toContain('{time}|');
  });

  it('a card names a rule only where the tool would do something else by itself (SURF-1)', () => {
    const named = (unchanged?: true) =>
      textOf(approvalCard(pending({ ruledBy: { name: 'Big ones', unchanged } })).blocks);

    expect(named()).toContain('Rule: Big ones');
    expect(named(true)).not.toContain('Big ones');
  });

  it('a card leaves out the words of the agent where they stand right above it (SURF-1)', () => {
    expect(read(pending()).join()).toContain('502 for ten minutes');
    expect(read(pending({ saidAbove: true })).join()).not.toContain('502');
  });

  it.each([
    ['one pair', '{"service":"payments"}', 'service: payments'],
    ['pairs, one to a line', '{"service":"payments","replicas":3}', 'service: payments\nreplicas: 3'],
    ['a short input that is no pairs, in one line', '{"ids":[1,2]}', '{"ids":[1,2]}'],
  ])('a card shows %s (SURF-1)', (_what, input, shown) => {
    expect(read(pending({ input }))).toContain(shown);
  });

  it('a card has a digest only where it cuts, hides or writes out something (SURF-1, P26)', () => {
    const has = (approval: Approval) => textOf(approvalCard(approval).blocks).includes('Digest 3f9a1c77');

    expect(has(pending())).toBe(false);
    expect(has(pending({ input: JSON.stringify({ text: 'x'.repeat(1_300) }) }))).toBe(true);
    expect(has(pending({ input: '{"a":"x\u200by"}' }))).toBe(true);
    expect(has(pending({ input: '{"key":"[hidden]"}', hides: ['key'], undeclared: [] }))).toBe(true);
    expect(has(pending({ tool: 'restart\u200bservice' }))).toBe(true);
    expect(has(approved())).toBe(false);
    expect(has(approved({ input: JSON.stringify({ text: 'x'.repeat(400) }) }))).toBe(true);
  });

  it('a card has View full input only where it does not show everything (SURF-1)', () => {
    const views = (approval: Approval) => buttonTexts(approvalCard(approval).blocks).includes('View full input');

    for (const card of [pending(), guarded(), guarded({ secondFactor: true }), approved()])
      expect(views(card)).toBe(false);
    const input = JSON.stringify({ text: 'x'.repeat(1_300) });
    for (const card of [pending({ input }), guarded({ input, secondFactor: true }), approved({ input })])
      expect(views(card)).toBe(true);
    expect(views(pending({ hides: ['a'] }))).toBe(true);
  });

  it('a card says how things are now, and what would change, each under its own name (SURF-1)', () => {
    const asked = pending({
      precondition: { text: 'payments is degraded.', digest: 'd' },
      preview: 'degraded → running',
    });

    expect(read(asked)).toContain('Right now: payments is degraded.');
    expect(read(asked)).toContain('Would change: degraded → running');
    expect(read(pending({ preview: 'x' })).join()).not.toContain('Right now');
    expect(read(pending({ precondition: { text: 'x', digest: 'd' } })).join()).not.toContain('Would change');
    expect(read({ ...asked, was: 'It ran.' }).join()).toContain('this has changed. It was: It ran.');
  });

  it('a card keeps every note about its safety (SURF-1)', () => {
    const progress = { yeses: [{ by: BEN, atMs: 1 }], stage: 1, stages: 1, given: 1, needed: 2, approvers: [ANN] };
    const text = read(guarded({ alsoSteeredBy: [BEN], hides: ['key'], undeclared: [], progress })).join('\n');

    expect(text).toContain('Also wrote here');
    expect(text).toContain('Hidden: key.');
    expect(text).toContain(`1 of 2: yes from <@${BEN}>`);
  });
});
