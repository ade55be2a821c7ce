import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutMiddle, cutWithNote, inert, pieces, visible } from '../../../../handlers/views/kit/text.ts';
import { runsOf } from '../../../support/amount.ts';
import { hostileText, hugeText } from '../hostile.ts';

const twoTexts = fc
  .tuple(hostileText, hostileText, fc.nat(), fc.boolean())
  .map(([text, more, at, near]) => [text, near ? text.slice(0, at % (text.length + 1)) + more : more] as const);

describe('text from elsewhere', () => {
  it.each([
    ['a bidirectional override', '\u202E', '\\u{202E}'],
    ['a zero-width space', '\u200B', '\\u{200B}'],
    ['a zero-width joiner', '\u200D', '\\u{200D}'],
    ['a blank that is not the space', '\u00A0', '\\u{A0}'],
    ['a Hangul filler', '\u3164', '\\u{3164}'],
    ['a Braille blank', '\u2800', '\\u{2800}'],
    ['a tag character', '\u{E0041}', '\\u{E0041}'],
    ['a variation selector', 'a\uFE0F', 'a\\u{FE0F}'],
    ['an escape sequence of a terminal', '\u001B[31m', '\\u{1B}[31m'],
    ['half a surrogate pair', '\uD83D', '\\u{D83D}'],
    ['a line break where there is one line', 'a\nb', 'a\\u{A}b'],
    ['what looks like our own escape', '\\u{200B}', '\\u{5C}u{200B}'],
    ['a Kelvin sign, which looks like the letter K', 'rm \u212Aeep', 'rm \\u{212A}eep'],
    ['a Greek question mark, which looks like a semicolon', 'ls\u037E', 'ls\\u{37E}'],
    ['a fourth mark on one letter', 'a\u0301\u0301\u0301\u0301', 'a\u0301\u0301\u0301\\u{301}'],
  ])('text from elsewhere shows %s (P27b, T2)', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('text from elsewhere keeps ordinary words, signs and pictures (P27b)', () => {
    const text = 'Größe: 5 × “naïve” 日本語 नमस्ते 😀 🇩🇪 C:\\users\\ann';

    expect(visible(text)).toBe(text);
  });

  it('two different texts from elsewhere never look alike (P26, P27b)', () => {
    const asShown = fc
      .tuple(hostileText, fc.constantFrom(visible, inert))
      .map(([text, show]) => [text, show(text)] as const);
    fc.assert(
      fc.property(fc.oneof(twoTexts, asShown), ([one, other]) => {
        fc.pre(one !== other);
        expect(visible(one)).not.toBe(visible(other));
        expect(inert(one)).not.toBe(inert(other));
      }),
      { numRuns: runsOf(500) },
    );
  });

  it('text from elsewhere holds nothing that acts in mark-up (P27)', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = inert(text);
        expect(shown).not.toMatch(/[<>*~`]/);
        expect(shown).not.toMatch(/&(?!amp;|lt;|gt;)/);
        expect(shown).not.toMatch(/(?<![A-Za-z0-9_])_+|_+(?![A-Za-z0-9_])/);
      }),
    );
  });

  it('a name keeps the underscores inside it and escapes those at its ends (MF-10)', () => {
    expect(inert('restart_service')).toBe('restart_service');
    expect(inert('tickets__create')).toBe('tickets__create');
    expect(inert('__a _b_')).toBe('\\u{5F}\\u{5F}a \\u{5F}b\\u{5F}');
  });
});

describe('cutting', () => {
  it('a cut text says how much is hidden', () => {
    expect(cut('abcdef', { chars: 4 })).toEqual({ text: 'abcd', hidden: 2 });
    expect(cut('a\nb\nc', { chars: 99, lines: 2 })).toEqual({ text: 'a\nb', hidden: 2 });
    expect(cut('a\nb', { chars: 99, lines: 2 })).toEqual({ text: 'a\nb', hidden: 0 });
  });

  it.each([
    ['a family', `ab👨‍👩‍👧`, 6],
    ['a flag', 'ab🇩🇪', 4],
    ['a letter and its accent', 'abe\u0301', 3],
    ['one of our escapes', 'ab\\u{200B}', 7],
  ])('a cut never splits %s', (_what, text, chars) => {
    expect(cut(text, { chars }).text).toBe('ab');
  });

  it('a cut text stays within its limit, and says that it was cut', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 60, max: 400 }), (text, chars) => {
        const shown = visible(text);
        expect(cutWithNote(shown, chars).length).toBeLessThanOrEqual(chars);
        expect(cutMiddle(text, chars).length).toBeLessThanOrEqual(chars);
        if (shown.length > chars) expect(cutWithNote(shown, chars)).toMatch(/… \([\d,]+ more characters?\)$/);
      }),
    );
  });

  it('the pieces of a text are together the text', () => {
    fc.assert(
      fc.property(hugeText, (text) => {
        const shown = visible(text);
        const found = pieces(shown, 2_800);
        expect(found.join('') === shown).toBe(true);
        expect(found.every((piece) => piece.length > 0 && piece.length <= 2_800)).toBe(true);
        expect(found.some((piece) => /\p{Surrogate}/u.test(piece))).toBe(false);
      }),
      { numRuns: runsOf(30) },
    );
  });
});
