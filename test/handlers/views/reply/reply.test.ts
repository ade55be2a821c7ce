import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growingReply } from '../../../../handlers/views/reply/growing.ts';
import { splitMarkdown, withoutPings } from '../../../../handlers/views/reply/reply.ts';
import { runsOf } from '../../../support/amount.ts';
import { replyMessages } from '../../../support/drawn-at-once.ts';
import { expectToFit, textOf } from '../fits.ts';
import { hostileText, textUpTo } from '../hostile.ts';

describe('a reply', () => {
  it('a reply that fits is one message of Markdown', () => {
    const [message, ...more] = replyMessages('**Done.** The _payments_ service is up:\n- `v2`');

    expect(more).toEqual([]);
    expect(message).toEqual({
      text: 'Done. The payments service is up: v2',
      blocks: [{ type: 'markdown', text: '**Done.** The _payments_ service is up:\n- `v2`' }],
    });
  });

  it('a reply says something when the agent said nothing', () => {
    expect(replyMessages(' \n').map((message) => message.text)).toEqual(['I have nothing to add.']);
  });

  it('a reply of signs alone has a text to be read out', () => {
    expect(replyMessages('```').map((message) => message.text)).toEqual(['A message without words.']);
  });

  it('a reply fits into messages, whatever it is (P20)', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, textUpTo(100_000)), (text) => {
        for (const message of replyMessages(text)) expectToFit(message);
      }),
      { numRuns: runsOf(40) },
    );
  });

  it('a reply is split between paragraphs and loses no word', () => {
    const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}. ${'word '.repeat(60)}`.trim());
    const messages = replyMessages(paragraphs.join('\n\n'));

    expect(messages.length).toBeGreaterThan(1);
    expect(messages.flatMap((message) => textOf(message.blocks).split('\n\n'))).toEqual(paragraphs);
  });

  it('a reply closes a code block that is split, and opens it again', () => {
    const [first, second] = splitMarkdown(`\`\`\`ts\n${'const a = 1;\n'.repeat(40)}\`\`\``, 300);

    expect(first).toMatch(/^```ts\n.*\n```$/s);
    expect(second).toMatch(/^```ts\nconst/);
  });

  it.each([
    ['the channel', 'hello <!channel>', 'hello &lt;!channel>'],
    ['a person', '<@U0ANN00001> look', '&lt;@U0ANN00001> look'],
    ['a group', '<!subteam^S1>', '&lt;!subteam^S1>'],
    [
      'a person by a link with a false name',
      '<https://evil.example|https://good.example>',
      '&lt;https://evil.example|https://good.example>',
    ],
  ])('a reply does not call %s (P27)', (_who, text, safe) => {
    expect(withoutPings(text)).toBe(safe);
  });

  it('a reply shows a sign that turns the order of letters, also while it is written, so that no words backwards look like a card (P27)', () => {
    const backwards = '\u{1F512} \u202Eecivres eht tratser · dedeen lavorppA';
    const shown = '\u{1F512} \\u{202E}ecivres eht tratser · dedeen lavorppA';

    expect(replyMessages(backwards).map(({ blocks }) => textOf(blocks))).toEqual([shown]);
    expect(growingReply(`${backwards}\nmore`)).toContain('\\u{202E}');
  });

  it('a reply leaves code and links alone', () => {
    const text = '<!DOCTYPE html> <!-- x --> a < b <https://example.com> [x](https://example.com)';

    expect(withoutPings(text)).toBe(text);
  });
});
