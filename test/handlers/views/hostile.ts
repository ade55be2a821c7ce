import fc from 'fast-check';
import { amountOf } from '../../support/amount.ts';

/** Text as an enemy would write it: any Unicode, broken surrogates, Slack's own notation, and long. */
const PIECES = [
  '<!channel>',
  '<@U0ANN00001>',
  '<https://evil.example|https://good.example>',
  '<!date^0^{date}|x>',
  '<!subteam^S1>',
  '```',
  '`',
  '*bold*',
  '_x_',
  '~x~',
  '&lt;',
  '&amp;',
  '\\u{200B}',
  '\\u{',
  '\\',
  '"',
  '\u202E',
  '\u2066',
  '\u200B',
  '\u200D',
  '\uFE0F',
  '\u00AD',
  '\u00A0',
  '\u3164',
  '\u2800',
  '\u3000',
  '\u2028',
  '\uFEFF',
  '\u0000',
  '\u001B[31m',
  '\n',
  '\t',
  '\r',
  '  ',
  ' ',
  '\uD83D',
  '\uDE00',
  '😀',
  '👨‍👩‍👧',
  'p\u0430yp\u0430l',
  '\u03BF',
  '🇩🇪',
  'e\u0301',
  '\u0301\u0301\u0301\u0301\u0301',
  'ᄀᄀᄀ',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '1',
  'true',
  'null',
  ':tada:',
  '# head',
  '> quote',
  '- item',
  'www.evil.example',
  '\u{E0041}',
  '\u{F0000}',
  '__proto__',
  'constructor',
];

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/** Any character of Unicode. fast-check's own unit `binary` chooses alike, but first writes a table of all million of them. */
export const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES));

const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: character, maxLength: 8 }));

export const hostileText = fc
  .tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom(1, 1, 1, 3, 40, 900))
  .map(([texts, times]) => texts.join('').repeat(times));

/** As long as a tool may be sent, by repetition, so that it is made quickly: 1 MB in `npm run prove`. */
export const hugeText = textUpTo(amountOf({ test: 50_000, prove: 1_000_000, soak: 1_000_000 }));

export function textUpTo(most: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: most }))
    .map(([texts, chars]) => {
      const text = texts.join('') || 'x';
      return text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
    });
}

export const json = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      hostileText,
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom('service', 'force', 'a_b'), hostileText), tie('value'), { maxKeys: 4 }),
    ),
  }))
  .value.map((value) => JSON.stringify(value));

/** An input as it is stored: JSON text, small, deep or huge. Now and then something that is no JSON at all. */
export const input = fc.oneof(
  { weight: 4, arbitrary: json },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.constantFrom('service', 'force', 'note'), fc.oneof(fc.string(), fc.boolean()))
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: textUpTo(20_000).map((text) => JSON.stringify({ text })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
  { weight: 1, arbitrary: hostileText },
);
