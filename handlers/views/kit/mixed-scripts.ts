import { cutMiddle } from './text.ts';

/** Scripts whose letters are taken for each other. Others, such as Han and Hangul, are mixed with Latin in honest words. */
const SCRIPTS = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Armenian',
    'Georgian',
    'Cherokee',
    'Coptic',
    'Lisu',
    'Canadian_Aboriginal',
    'Tifinagh',
    'Runic',
    'Carian',
    'Deseret',
    'Elbasan',
    'Lycian',
    'Miao',
    'Old_Italic',
    'Osage',
    'Osmanya',
    'Warang_Citi',
  ].map((script) => [script, `(?=\\p{L})\\p{Script=${script}}`] as const),
  // Signs that look like Latin letters and are of no script of their own.
  ['Mathematical', '[\\u{1D400}-\\u{1D7CB}]'] as const,
  ['Roman_numeral', '[\\u2160-\\u217F]'] as const,
].map(([script, letters]) => ({ script, letters: new RegExp(letters, 'gu') }));

const MOST_WORDS = 3;
const MOST_LETTERS = 3;
const WORD_CHARS = 24;
/** How much of a longer word is looked at, on both sides of the first change of its script. */
const REACH = 64;
const NOWHERE = -1;

/** Names the words with letters of several scripts, as in `pаypal (Cyrillic а)`, first those of `json`. Nothing where there is none. */
export function mixedWords(text: string, json = ''): string | undefined {
  const words = [...new Set([...findMixed(json, true), ...findMixed(text, false)])];
  if (words.length === 0) return undefined;
  const named = words.slice(0, MOST_WORDS).map(withRarerLetters);
  return [...named, ...(words.length > MOST_WORDS ? ['and more'] : [])].join(', ');
}

export function mixedNote(mixed: string): string {
  return `Letters of several scripts in one word: ${mixed}.`;
}

/** Names the digits of other scripts with their values, as some look like other digits: a Bengali 4 like an 8. */
export function otherDigits(text: string): string | undefined {
  const named: string[] = [];
  for (let known = PLAIN_DIGITS; named.length <= MOST_LETTERS; ) {
    const digit = new RegExp(`(?![${known}])\\p{Nd}`, 'u').exec(text)?.[0];
    if (digit === undefined) break;
    named.push(named.length < MOST_LETTERS ? `${digit} is ${worthOf(digit)}` : 'and more');
    known += digit;
  }
  return named.length === 0 ? undefined : named.join(', ');
}

/** With those of other widths and styles. */
const PLAIN_DIGITS = '0-9\uFF10-\uFF19\u{1D7CE}-\u{1D7FF}\u{1FBF0}-\u{1FBF9}';

/** The ten digits of a script stand side by side. */
function worthOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/** All letters of ASCII are of one script. */
const NOT_ASCII = /[^\0-\x7f]/;

/** Reads each character once, because an input may have a million. An escape of JSON is no letter of the word behind it. */
function findMixed(text: string, isJson: boolean): readonly string[] {
  const found = new Set<string>();
  if (!NOT_ASCII.test(text)) return [];
  let [begin, script, change] = [0, NEUTRAL, NOWHERE];
  for (let [at, next] = [0, 0]; at <= text.length && found.size <= MOST_WORDS; at = next) {
    const code = text.codePointAt(at) ?? 0;
    next = at + (code > 0xffff ? 2 : 1);
    const sign = signOf(code);
    if (sign === END) {
      if (change !== NOWHERE) found.add(around(text, change, begin, at));
      if (isJson && text[at] === '\\') next += text[at + 1] === 'u' ? 5 : 1;
      [begin, script, change] = [next, NEUTRAL, NOWHERE];
    } else if (sign !== NEUTRAL) {
      if (change === NOWHERE && script !== NEUTRAL && script !== sign) change = at;
      script = sign;
    }
  }
  return [...found];
}

/** The part of a word around the place where its script changes, in whole characters. */
function around(text: string, change: number, begin: number, end: number): string {
  const part = text.slice(Math.max(begin, change - REACH), Math.min(end, change + REACH));
  return part.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** A sign that ends a word, one that stands in words of any script, or (from 3 on) a letter of one of `SCRIPTS`. */
const UNKNOWN = 0;
const END = 1;
const NEUTRAL = 2;
/** Beyond these stand signs of Han, of private use and some that cannot be seen. All of them end a word. */
const signs = new Uint8Array(0x20000);

function signOf(code: number): number {
  if (signs[code] === UNKNOWN) signs[code] = classify(String.fromCodePoint(code));
  return signs[code] ?? END;
}

function classify(sign: string): number {
  const script = SCRIPTS.findIndex(({ letters }) => sign.search(letters) === 0);
  if (script !== -1) return script + 3;
  return /[\p{L}\p{M}\p{N}_]/u.test(sign) ? NEUTRAL : END;
}

function withRarerLetters(word: string): string {
  const [, ...rarer] = SCRIPTS.map(({ script, letters }) => ({ script, letters: word.match(letters) ?? [] }))
    .filter(({ letters }) => letters.length > 0)
    .sort((one, other) => other.letters.length - one.letters.length);
  const named = rarer.map(
    ({ script, letters }) => `${script.replace('_', ' ')} ${[...new Set(letters)].slice(0, MOST_LETTERS).join(' ')}`,
  );
  return `${cutMiddle(word, WORD_CHARS)} (${named.join('; ')})`;
}
