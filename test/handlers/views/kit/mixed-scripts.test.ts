import { describe, expect, it } from 'vitest';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { listCard } from '../../../../handlers/views/card/list/list-card.ts';
import { mixedWords, otherDigits } from '../../../../handlers/views/kit/mixed-scripts.ts';
import { inputModal, questionPage } from '../../../support/drawn-at-once.ts';
import { expectToFit } from '../fits.ts';
import { list, row } from '../lists.ts';
import { pending } from '../records.ts';

/** The second letter is Cyrillic. */
const PAYPAL = 'p\u0430ypal';

describe('a word with letters of several scripts', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', PAYPAL, `${PAYPAL} (Cyrillic \u0430)`],
    [
      'a Latin letter in a Cyrillic word',
      '\u043F\u0440a\u0432\u0434\u0430',
      '\u043F\u0440a\u0432\u0434\u0430 (Latin a)',
    ],
    ['a Greek letter in a Latin word', 'g\u03BF\u03BFgle.com', 'g\u03BF\u03BFgle (Greek \u03BF)'],
    ['an Armenian letter in a Latin word', 'g\u0585ogle', 'g\u0585ogle (Armenian \u0585)'],
    ['a syllable of Canada in a Latin word', '\u15E9dmin', '\u15E9dmin (Canadian Aboriginal \u15E9)'],
    ['a letter of Tifinagh in a Latin word', 'p\u2D54st', 'p\u2D54st (Tifinagh \u2D54)'],
    ['a rune in a Latin word', '\u16D5ey', '\u16D5ey (Runic \u16D5)'],
    ['a letter of Osage in a Latin word', 'p\u{104EA}st', 'p\u{104EA}st (Osage \u{104EA})'],
    ['a letter of mathematics in a Latin word', 'p\u{1D5BA}ypal', 'p\u{1D5BA}ypal (Mathematical \u{1D5BA})'],
    ['a Roman numeral in a Latin word', 'paypa\u217C', 'paypa\u217C (Roman numeral \u217C)'],
    ['a Cyrillic letter in a Latin word behind an emoji', `😀${PAYPAL}😀`, `${PAYPAL} (Cyrillic \u0430)`],
    ['three scripts', '\u0430bc\u03BF', '\u0430bc\u03BF (Cyrillic \u0430; Greek \u03BF)'],
    ['a letter and a digit of a name', `r\u043Eot_1`, `r\u043Eot_1 (Cyrillic \u043E)`],
    ['one word twice', `${PAYPAL} ${PAYPAL}`, `${PAYPAL} (Cyrillic \u0430)`],
    [
      'more words than are named',
      ['a', 'b', 'c', 'd', 'e'].map((end) => `\u0430${end}`).join(' '),
      '\u0430a (Cyrillic \u0430), \u0430b (Cyrillic \u0430), \u0430c (Cyrillic \u0430), and more',
    ],
  ])('is named with its rarer letters: %s (P27b, EDGE-10)', (_what, text, named) => {
    expect(mixedWords(text)).toBe(named);
  });

  it.each([
    'restart payments',
    'Größe naïve Łódź Ångström',
    '\u043F\u0440\u0438\u0432\u0435\u0442, payments',
    '\u0444\u0430\u0439\u043B.txt API-\u043A\u043B\u044E\u0447',
    'T\u30B7\u30E3\u30C4 Slack\uC5D0\uC11C \u65E5\u672C\u8A9E IT\uC5C5\uACC4',
    '5\u00B5s 😀',
    '\u{1D5EF}\u{1D5FC}\u{1D5F9}\u{1D5F1} words, 4ᵗʰ, Nº 1ª, Henry \u2167, 👍🏽ok, 10\u{1D7CE}m',
    'IT\u{20BB7}野家',
  ])('is named nowhere in the honest words %s (EDGE-10)', (text) => {
    expect(mixedWords(text)).toBeUndefined();
  });

  it('a long word is named in whole letters', () => {
    const letters = '\u{1D41A}'.repeat(40);

    expect(mixedWords(`${letters}1${letters}1b${letters}`)).not.toMatch(/\\u\{D|\p{Cs}/u);
  });

  it('is not made by an escape of JSON before a word (EDGE-10)', () => {
    const input = JSON.stringify({ text: 'one\n\u043F\u0440\u0438\u0432\u0435\u0442\t\u043C\u0438\u0440' });

    expect(mixedWords('', input)).toBeUndefined();
    expect(mixedWords('', JSON.stringify({ text: `\\u0041\n${PAYPAL}` }))).toBe(`${PAYPAL} (Cyrillic \u0430)`);
  });

  it.each([
    ['the input', { input: JSON.stringify({ service: PAYPAL }) }],
    ['the tool', { tool: PAYPAL }],
    ['the summary', { summary: `Restart ${PAYPAL}.` }],
    ['the preview', { preview: `Restarts ${PAYPAL}.` }],
    ['what it rests on', { precondition: { text: `${PAYPAL} runs.`, digest: 'p' } }],
    ['what it rested on', { was: `${PAYPAL} runs.` }],
  ])('is named where people decide about it: in %s (P27b, EDGE-10, T2)', (_where, changes) => {
    const asked = pending(changes);
    const [card, many] = [approvalCard(asked), listCard(list([row(0), row(1, changes)]))];

    for (const view of [card, many, inputModal(asked, 0), questionPage(asked, 'form')])
      expect(JSON.stringify(view)).toContain(`Letters of several scripts in one word: ${PAYPAL} (Cyrillic \u0430).`);
    expectToFit(card);
    expectToFit(many);
  });

  it('is named in the preview also where the input has another such word (P27b, T2)', () => {
    const asked = pending({ input: JSON.stringify({ service: PAYPAL }), preview: 'Restarts g\u03BFogle.' });

    for (const view of [approvalCard(asked), inputModal(asked, 0), questionPage(asked, 'form')])
      expect(JSON.stringify(view)).toContain(`${PAYPAL} (Cyrillic \u0430), g\u03BFogle (Greek \u03BF).`);
  });

  it('is said of no card whose words are of one script each (EDGE-10)', () => {
    expect(JSON.stringify([approvalCard(pending()), listCard(list())])).not.toContain('several scripts');
  });
});

/** A Bengali four, which looks like an eight. */
const FOUR = '\u09EA';

describe('a digit of another script', () => {
  it.each([
    ['the input', { input: JSON.stringify({ amount: `8${FOUR}0` }) }],
    ['the summary', { summary: `Pay ${FOUR}0 € back.` }],
    ['the preview', { preview: `Pays ${FOUR}0 €.` }],
    ['how things stand now', { precondition: { text: `${FOUR}0 € are left.`, digest: 'x' } }],
  ])('is named with its value where people decide about it: in %s (P27b, EDGE-10, T2)', (_where, changes) => {
    const asked = pending(changes);
    const [card, many] = [approvalCard(asked), listCard(list([row(0), row(1, changes)]))];

    for (const view of [card, many, inputModal(asked, 0), questionPage(asked, 'form')])
      expect(JSON.stringify(view)).toContain(`Digits of another script: ${FOUR} is 4.`);
    expectToFit(card);
    expectToFit(many);
    expect(JSON.stringify(approvalCard(pending()))).not.toContain('Digits');
  });

  it('has the value that the language of the script gives it (EDGE-10)', () => {
    const systems = Intl.supportedValuesOf('numberingSystem').map((name) =>
      Array.from({ length: 10 }, (_, value) => value.toLocaleString(`en-u-nu-${name}`)),
    );
    const ofDigits = systems.filter((digits) => digits.every((digit) => /^\p{Nd}$/u.test(digit)));
    const strange = ofDigits.filter(([zero = '']) => zero.normalize('NFKC') === zero && zero !== '0');

    expect(strange.length).toBeGreaterThan(50);
    for (const digits of strange)
      expect(digits.map(otherDigits)).toEqual(digits.map((digit, value) => `${digit} is ${value}`));
  });

  it.each(['0123456789', '２４', '𝟐𝟒', '2²'])('is none of %s, which is what it looks like (EDGE-10)', (text) => {
    expect(otherDigits(text)).toBeUndefined();
  });

  it('is named at most three times (EDGE-10)', () => {
    expect(otherDigits('٥٤٣٢١'.repeat(100_000))).toBe('٥ is 5, ٤ is 4, ٣ is 3, and more');
  });
});
