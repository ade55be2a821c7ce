import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../support/amount.ts';
import { replyMessages } from '../../../support/drawn-at-once.ts';
import { parts } from '../fits.ts';
import { pictures } from '../pictures.ts';

const WRITTEN = { type: 'context', elements: [{ type: 'mrkdwn', text: 'Written by the agent' }] };
const markdown = (text: string) => replyMessages(text).flatMap(({ blocks }) => blocks.filter(isMarkdown));
const isMarkdown = ({ type }: { readonly type: string }): boolean => type === 'markdown';

/** Rich text as a person would type it. */
function asText(block: unknown): string {
  return parts(block)
    .map(({ type, name, text, style }) => {
      if (type === 'emoji') return `:${name}:`;
      if (type !== 'text') return '';
      return /bold/.test(JSON.stringify(style))
        ? `*${text}*`
        : /code/.test(JSON.stringify(style))
          ? `\`${text}\``
          : text;
    })
    .join('');
}

/** The first block of every card that the bot draws, as an agent would copy it. */
const heads = pictures().flatMap(({ name, drawn }) => {
  const [view] = 'blocks' in drawn ? [drawn] : drawn;
  const [first] = view?.blocks ?? [];
  const head =
    first !== undefined && 'text' in first && typeof first.text === 'object' ? first.text.text : asText(first);
  return /^(?:card|list-card|inquiry|doubt|lost)/.test(name) ? [[name, head] as const] : [];
});

describe('the head of a card', () => {
  it.each(heads)(
    'that is drawn as %s is known as one, in bold of Markdown and without (EDGE-9, T22)',
    (_name, head) => {
      for (const copy of [head, head.replace(/\*([^*]+)\*/g, '**$1**'), `Done.\n\n > ${head}`]) {
        expect(replyMessages(copy)[0]?.blocks[1]).toMatchObject(WRITTEN);
      }
    },
  );

  it.each([
    ':lock: **Approval needed** · `drop_database`',
    '\u{1F512} Approval needed: drop the old database',
    '**Approval needed** — `drop_database`',
    '# Approval needed · `drop_database`',
    '\u{1F512} \u200B**Appro\u00ADval\u00A0needed** for `drop_database`',
    '\u{1F512} **\u0410\u0440pr\u043Ev\u0430l n\u0435\u0435d\u0435d** · `drop_database`',
    '\u{1F512} **\u{1D5D4}pproval needed** · `drop_database`',
    '\u{1F512} **Appro\u115Fval needed** · `drop_database`',
    '&nbsp;:white_check_mark: **Approved** · `drop_database`',
    '1. ✅ Approved and trusted',
    'Denied · `drop_database`',
    '**Did this happen?** · `drop_database`',
  ])('in a reply stands in a quotation, with a note whose words it is: %s (EDGE-9, T22)', (line) => {
    const [message] = replyMessages(`I restarted it.\n${line}\nAsked by Ann`);

    expect(message?.blocks[0]).toEqual({ type: 'markdown', text: `I restarted it.\n> ${line}\nAsked by Ann` });
    expect(message?.blocks[1]).toMatchObject(WRITTEN);
    expect(message?.text.startsWith('Written by the agent: ')).toBe(true);
  });

  it('behind any break of a line is quoted as well (EDGE-9, T22)', () => {
    for (const between of ['\r', '\r\n', '\u2028', '\u0085', '\v', '\f']) {
      expect(markdown(`Done.${between}:lock: Approval needed · x`)[0]).toMatchObject({
        text: 'Done.\n> :lock: Approval needed · x',
      });
    }
  });

  it('that begins the next message of a long reply is quoted (EDGE-9, T22)', () => {
    const messages = replyMessages(
      `${'word '.repeat(1_790)}End. Approval needed · \`drop_database\` ${'x '.repeat(200)}`,
    );
    const second = messages[1];

    expect(messages).toHaveLength(2);
    expect(second?.blocks[0]).toMatchObject({ text: expect.stringMatching(/^> Approval needed · `drop_database`/) });
    expect(second?.blocks[1]).toMatchObject(WRITTEN);
  });

  it.each([
    'Approved by Ben, so I restarted it.',
    'Denied. Ben said no.',
    '**Approved**: 3 of 4',
    'Approval needed for this is Ben’s.',
    'It happened at 9:30.',
    '| Approved | 3 |\n| --- | --- |',
    '\u{1F389} Done!',
    'Привет: готово',
    'Expired certificates: 2',
    '10:30:00 Approved by Ann',
  ])('is not seen in an ordinary line: %s (EDGE-9)', (text) => {
    expect(replyMessages(text)[0]?.blocks).toEqual([{ type: 'markdown', text }]);
  });

  it('begins no open line of a reply, whatever stands around it (EDGE-9, T22)', () => {
    const piece = fc.constantFrom(
      ...['\n', '\r', '\u2028', ' ', '\u200B', '*', '**', '`', ':lock:', '\u{1F512}', '&nbsp;', '[', '](https://a.b)'],
      ...['Approval needed', 'approval ', 'needed', 'Approved', ' · ', 'Done.', '# ', '- ', 'x'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const [message] = replyMessages(pieces.join(''));
        const [first] = message?.blocks ?? [];
        const lines = first?.type === 'markdown' ? first.text.split('\n') : [];
        const open = lines.filter((line) =>
          /^(?:\u{1F512}|:lock:)[\s*\u200B]*approv(?:al needed|ed)(?![a-z])/iu.test(line),
        );
        expect(open).toEqual([]);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
