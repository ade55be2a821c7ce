import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Message, type MessageProps } from 'slack-blocks-to-jsx';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../support/amount.ts';
import { replyMessages } from '../../../support/drawn-at-once.ts';
import { hostileText } from '../hostile.ts';

const shown = (text: string): string =>
  replyMessages(text)
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'markdown' ? [block.text] : [])))
    .join('\n');

/** As a reader of Markdown that is none of ours draws it. */
function drawn(text: string): string {
  // The package's own types differ from Slack's in small things.
  const blocks = [{ type: 'markdown', text }] as unknown as MessageProps['blocks'];
  return renderToStaticMarkup(createElement(Message, { blocks, name: '', logo: '', withoutWrapper: true }));
}

const asText = (html: string): string =>
  html
    .replace(/<span class="slack_emoji">(.*?)<\/span>/g, ':$1:')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

/** Links that lead out of Slack under another text than their address, and pictures. */
function hidden(html: string): readonly string[] {
  const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].filter(([, href = '', inner = '']) => {
    const leadsOut = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
    return leadsOut && placeOf(asText(href)) !== placeOf(asText(inner));
  });
  return [...links.map(([link]) => link), ...(html.match(/<img[^>]*src="(?:[a-z]+:|\/\/)[^>]*>/gi) ?? [])];
}

/** Where an address leads. What stands behind that is encoded in a link, and drawn as it is in its text. */
const placeOf = (address: string): string => /^(?:[a-z]+:)?(?:\/\/)?([\w.-]*)/i.exec(address)?.[1] ?? '';

describe('a link in a reply', () => {
  it.each([
    ['a link', 'See [the docs](https://evil.example/a).', 'See the docs (https://evil.example/a).'],
    ['a link whose text is its address', '[https://a.example](https://a.example)', 'https://a.example'],
    [
      'a link whose text is another address',
      '[https://good.example](https://evil.example)',
      'https://good.example (https://evil.example)',
    ],
    ['a link without a text', '[](https://a.example)', 'https://a.example'],
    ['a scheme in capitals', '[x](HTTPS://evil.example)', 'x (HTTPS://evil.example)'],
    ['another scheme', '[call](tel:+4930)', 'call (tel:+4930)'],
    ['a title', '[x](<https://a.example> "the bank")', 'x (https://a.example)'],
    ['brackets in the address', '[x](https://a.example/b_(c))', 'x (https://a.example/b_(c))'],
    ['a picture', '![logo](https://evil.example/p.png?secret)', 'logo (https://evil.example/p.png?secret)'],
    ['brackets in the text', '[a [b] c](https://evil.example)', '[a [b] c] (https://evil.example)'],
    ['an encoded scheme', '[a](h&#116;tps://evil.example)', '[a] (h&#116;tps://evil.example)'],
    ['a host with letters beyond ASCII', '[the bank](b\u00E4nk.example/a)', '[the bank] (b\u00E4nk.example/a)'],
    [
      'a host in another script',
      '[the bank](\u0431\u0430\u043D\u043A.example)',
      '[the bank] (\u0431\u0430\u043D\u043A.example)',
    ],
    ['a link in Slack’s notation', '<HtTpS://evil.example|good>', '&lt;HtTpS://evil.example|good>'],
  ])('shows where it goes: %s (EDGE-9, T15)', (_what, text, safe) => {
    expect(shown(text)).toBe(safe);
  });

  it.each([
    'handlers[name](event)',
    '`[a-z](x|y)[0-9](\\d+)(?:z)`',
    'ranges[0]: one',
    '- [x] done',
    '<https://a.example> and https://b.example',
  ])('and its rules leave %j as it is (EDGE-9)', (text) => {
    expect(shown(text)).toBe(text);
  });

  const LINKS = [
    '[docs](https://evil.example)',
    '![p](https://evil.example/p.png)',
    '[a][b]\n\n[b]: https://evil.example',
    '[b]\n\n> [b]:\n> <https://evil.example>',
    '[a\\]](https\\://evil.example)',
    '[![p](https://evil.example/p.png)](//evil.example)',
    '[a](\nHTTPS://evil.example\n"x")',
  ];

  it.each(LINKS)('hides no address from another reader of Markdown: %j (EDGE-9, T15)', (text) => {
    expect(hidden(drawn(text))).not.toEqual([]);
    expect(hidden(drawn(shown(text)))).toEqual([]);
  });

  it('and no picture stand in a reply whatever is put together (EDGE-9, T15)', () => {
    const piece = fc.constantFrom(
      ...['[', ']', '(', ')', '!', '<', '>', ':', '\\', '"', '`', '```', '\n', '\n\n', ' ', '- ', '> ', 'a'],
      ...[
        'https://e.example',
        'HTTPS:',
        '//e.example',
        'www.e.example',
        '&#58;',
        'h&#116;tps://e.example',
        '<https://e.example|x>',
        ...LINKS,
      ],
    );
    const built = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(built, hostileText), (text) => {
        fc.pre(text.length < 4_000);
        expect(hidden(drawn(shown(text)))).toEqual([]);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
