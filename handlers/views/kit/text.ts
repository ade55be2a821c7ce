/**
 * Makes text from models, tools and people safe to show: nothing in it is invisible, no mark-up acts, and what is cut is
 * counted.
 */

/**
 * Shows what cannot be seen as `\u{HEX}`: control and format characters, blanks other than the space, characters that
 * only look blank or are twins of another, lone surrogates, marks piled higher than three. A literal `\u{` gets its backslash escaped too, so
 * two different texts are never shown alike.
 */
export function visible(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  // A hostile text repeats one sign a million times.
  let [last, escaped] = ['', ''];
  return text.replace(HIDDEN, (sign) => {
    if (sign !== last) [last, escaped] = [sign, escapeSign(sign)];
    return escaped;
  });
}

/** The same, piece by piece: it yields where other work may have its turn. */
export function* visibleInSteps(text: string, chars = VISIBLE_AT_ONCE): Generator<void, string> {
  let shown = '';
  for (let from = 0; from < text.length; ) {
    const end = pieceOfSigns(text, from + chars);
    // Whether a mark is shown depends on up to three marks in front of it.
    const marks = [...(MARKS_AT_END.exec(text.slice(Math.max(0, from - MARKS_UNITS), from))?.[0] ?? '')].length;
    shown += visible(ANY_MARK.repeat(marks) + text.slice(from, end)).slice(marks);
    from = end;
    if (from < text.length) yield;
  }
  return shown;
}

/** The end of a piece that parts no character and none of our escapes. */
function pieceOfSigns(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const end = codePointStart(text, at);
  const inEscape = [1, 2].find((back) => text.startsWith('\\u{', end - back)) ?? 0;
  return end - inEscape;
}

/** A few milliseconds of work, whatever the signs. */
export const VISIBLE_AT_ONCE = 20_000;
const ANY_MARK = '\u0301';
const MARKS_AT_END = /\p{M}{1,3}$/u;
const MARKS_UNITS = 6;

/** Printable ASCII hides nothing, unless it looks like an escape. This check is cheap. */
const MAY_HIDE = /[^ -~]|\\u\{/;

/** The same for prose of several lines. An emoji's own variation selector changes nothing that could be read. */
export function visibleProse(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(\p{Extended_Pictographic})\uFE0F/gu, '$1')
    .split('\n')
    .map(visible)
    .join('\n');
}

const LOOKS_BLANK = '\\u{2800}\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}';
/** Each looks like the one sign that Unicode writes in its place, so a usual text (in NFC) has none of them. */
const TWINS =
  '\\u0340\\u0341\\u0343\\u0374\\u037E\\u0387\\u1F71\\u1F73\\u1F75\\u1F77\\u1F79\\u1F7B\\u1F7D\\u1FBB\\u1FBE\\u1FC9\\u1FCB' +
  '\\u1FD3\\u1FDB\\u1FE3\\u1FEB\\u1FEE\\u1FEF\\u1FF9\\u1FFB\\u1FFD\\u2126\\u212A\\u212B\\u2329\\u232A';
/** Most signs are printable ASCII, and are passed over at once. */
const HIDDEN = new RegExp(
  `\\\\(?=u\\{)|(?=[^ -~])(?:[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}${LOOKS_BLANK}${TWINS}]|(?<=\\p{M}{3})\\p{M})`,
  'gu',
);

function escapeSign(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/**
 * For `mrkdwn`, where `<`, `>` and `&` act. Formatting signs have no escape there, so they are shown as ours;
 * underscores inside a word format nothing and stay.
 */
export function inert(text: string): string {
  return escapeMrkdwn(replaceFormatting(visible(text), (signs) => [...signs].map(escapeSign).join('')));
}

/** Replaces formatting signs. A run of underscores with a letter or digit on both sides formats nothing and is kept. */
export function replaceFormatting(text: string, replacement: (signs: string) => string): string {
  return text.replace(/[*~`]|_+/g, (signs, at: number) => {
    const inWord = signs.startsWith('_') && isWordSign(text[at - 1]) && isWordSign(text[at + signs.length]);
    return inWord ? signs : replacement(signs);
  });
}

function isWordSign(sign = ''): boolean {
  return /^[A-Za-z0-9]$/.test(sign);
}

function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface Cut {
  readonly text: string;
  /** Characters that are not shown. */
  readonly hidden: number;
}

/** The beginning of a text, up to a whole character, and how much is missing. */
export function cut(text: string, limit: { readonly chars: number; readonly lines?: number }): Cut {
  const end = Math.min(limit.chars, endOfLine(text, limit.lines ?? Number.POSITIVE_INFINITY));
  if (text.length <= end) return { text, hidden: 0 };
  const at = boundary(text, end);
  return { text: text.slice(0, at), hidden: countChars(text.slice(at)) };
}

/** The beginning alone, up to a whole code point. */
export function beginning(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, codePointStart(text, chars));
}

/** The cut text, with a note on how much is missing, within the limit. */
export function cutWithNote(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const room = Math.max(0, chars - NOTE_ROOM);
  const { text: shown, hidden } = cut(text, { chars: room });
  return `${shown} … (${moreChars(hidden)})`.slice(0, chars);
}

const NOTE_ROOM = 40;

/** Cuts the middle out of a name, because both ends say more than the beginning alone. */
export function cutMiddle(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const tail = Math.floor((chars - 1) / 2);
  const from = text.length - tail;
  const end = text.slice(codePointStart(text, from) < from ? from + 1 : from);
  return `${text.slice(0, boundary(text, chars - 1 - tail))}…${end}`;
}

/** Pieces of at most `chars` that together are the text. A piece ends at a line end where one is near. */
export function pieces(text: string, chars: number): readonly string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from, from + chars + 1);
    const size = rest.length <= chars ? rest.length : Math.max(1, pieceEnd(rest, chars));
    found.push(rest.slice(0, size));
    from += size;
  }
  return found;
}

function pieceEnd(text: string, chars: number): number {
  const line = text.lastIndexOf('\n', chars - 1) + 1;
  return line > chars * 0.75 ? line : boundary(text, chars);
}

export function countChars(text: string): number {
  return text.replace(/[\uDC00-\uDFFF]/g, '').length;
}

export function moreChars(count: number): string {
  return `${count.toLocaleString('en-US')} more ${count === 1 ? 'character' : 'characters'}`;
}

function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

/**
 * The last place at or before `at` that splits neither a character as people see it nor an escape of `visible`. Such a
 * character can be endless, so beyond a window only the code point is kept whole.
 */
function boundary(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const sign = text.lastIndexOf('\\u{', at - 1);
  if (sign > at - LONGEST_ESCAPE && text.indexOf('}', sign) >= at) return sign;
  const from = Math.max(0, at - WINDOW);
  const cluster = GRAPHEMES.segment(text.slice(from, at + WINDOW)).containing(at - from);
  const start = from + (cluster?.index ?? at - from);
  if (start > from || from === 0) return start > 0 ? start : codePointStart(text, at);
  return codePointStart(text, at);
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const LONGEST_ESCAPE = '\\u{10FFFF}'.length;
const WINDOW = 64;

function codePointStart(text: string, at: number): number {
  // The second half of a character may also stand alone, behind a whole one.
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
