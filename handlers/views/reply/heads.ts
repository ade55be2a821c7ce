/**
 * A line of a reply that looks like the head of a card is put into a quotation. Heads are the bot's: a sign, a state in bold,
 * and the tool behind a dot. Each line is read until it is clear, so a text is read once.
 */

/**
 * A line is judged by its beginning, which may reach into the next line. `whole` is the text that `markdown` begins. Yields
 * where other work may have its turn.
 */
export function* quoteHeads(markdown: string, whole = markdown): Generator<void, string> {
  let quoted = '';
  let end = 0;
  let read = 0;
  for (const { 0: line, index } of markdown.matchAll(LINES)) {
    read += line.length + LONGEST_STATE;
    if (read > READ_AT_ONCE) {
      read = 0;
      yield;
    }
    if (!isOpenHead(whole, line, index)) continue;
    quoted += `${markdown.slice(end, index)}> `;
    end = index;
  }
  return quoted + markdown.slice(end);
}

const LONGEST_STATE = 40;
/** A few milliseconds of work, also the first time. */
const READ_AT_ONCE = 20_000;

/** The same for a text whose first line is new, because a longer text was split in front of it. */
export function quoteFirstHead(markdown: string): string {
  const [line = ''] = markdown.split('\n', 1);
  return isOpenHead(markdown, line, 0) ? `> ${markdown}` : markdown;
}

/** Whether a line in a quotation looks like the head of a card. */
export function looksLikeCard(markdown: string): boolean {
  return [...markdown.matchAll(QUOTED_LINES)].some(({ index }) => isHeadAt(markdown, index));
}

/** The beginning of a growing reply without the lines that later words may make look like a head. */
export function withoutOpenHead(markdown: string): string {
  const tail = Math.max(0, markdown.length - LONGEST_SIGN);
  const openSign = OPEN_SIGN.exec(markdown.slice(tail));
  // A state and what stands around it are shorter.
  const begin = markdown.lastIndexOf('\n', markdown.length - LONGEST_HEAD) + 1;
  for (const { index } of markdown.slice(begin).matchAll(LINES)) {
    const at = begin + index;
    const from = at + leadAt(markdown, at).length;
    const isInSign = openSign !== null && at <= tail + openSign.index && from > tail + openSign.index;
    if (isInSign || readStates(markdown, from).atEnd) return markdown.slice(0, at).trimEnd();
  }
  return markdown;
}

const LONGEST_HEAD = 500;
const LINES = /[^\n]+/g;
const QUOTED_LINES = /^[^\S\n\r\u2028\u2029]*>/gm;

/** What stands in front of the first letter of a line: names of emoji, entities, and anything that is no letter. */
const LEAD = /(?::(?=[^a-z:\n]{0,60}[a-z])[\w+'-]{1,60}:|&#?\w{1,12};|[^\p{L}\n])*/uy;
const SIGN = /:(?=[^a-z:\n]{0,60}[a-z])[\w+'-]{1,60}:|&#?\w{1,12};|\p{So}|\p{Extended_Pictographic}/u;
const FORMAT = /[*_`~#]/;

/** The name of an emoji or an entity in which the text ends. */
const OPEN_SIGN = /[:&][\w+#'-]*$/;
const LONGEST_SIGN = 62;

function leadAt(markdown: string, at: number): string {
  LEAD.lastIndex = at;
  return LEAD.exec(markdown)?.[0] ?? '';
}

function isOpenHead(markdown: string, line: string, at: number): boolean {
  return !/^\s*>/.test(line) && isHeadAt(markdown, at);
}

function isHeadAt(markdown: string, at: number): boolean {
  const lead = leadAt(markdown, at);
  // A row of a table looks like no head.
  if (lead.trimStart().startsWith('|')) return false;
  return readStates(markdown, at + lead.length).fits.some((fit) => isHead(lead, fit));
}

/** A state is a head behind a sign, before a dot or code, and, if it is more than a word, in bold and set off from the rest. */
function isHead(lead: string, { state, next }: Fit): boolean {
  if (SIGN.test(lead) || /[·•∙⋅・`]/.test(next)) return true;
  return state.includes(' ') && FORMAT.test(lead) && !/[\p{L}\p{N}.,;!?)]/u.test(next);
}

interface Fit {
  readonly state: string;
  /** What follows, without a blank in front of it; empty at the end of the text. */
  readonly next: string;
}

/** The states that stand at this place. `atEnd`: the text ends before it is clear which. */
function readStates(markdown: string, from: number): { readonly fits: readonly Fit[]; readonly atEnd: boolean } {
  if (beginsNoState(markdown, from)) return { fits: [], atEnd: false };
  const fits: Fit[] = [];
  let places = BEHIND_LETTERS[0] ?? [];
  let behindBlank: readonly string[] = [];
  let same = false;
  for (const sign of plainSigns(markdown, from)) {
    const ended = same ? [...behindBlank, ...statesAt(places)] : [];
    if (sign !== ' ') fits.push(...ended.map((state) => ({ state, next: sign })));
    behindBlank = sign === ' ' ? ended : [];
    places = nextPlaces(places, sign);
    if (places.length + behindBlank.length === 0) return { fits, atEnd: false };
    // A letter of another script may look like any letter, if one of the state's own letters is among them.
    same ||= sign !== ' ' && sign !== OTHER_LETTER;
  }
  const ended = same ? [...behindBlank, ...statesAt(places)] : [];
  return { fits: [...fits, ...ended.map((state) => ({ state, next: '' }))], atEnd: true };
}

/** Most lines begin with letters that spell no state. They are told apart without the care that other signs need. */
function beginsNoState(text: string, from: number): boolean {
  let place: Place = BEGINNING;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isLetter = (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
    if (!isLetter && sign !== '\n') return false;
    const next = place.next.get(isLetter ? sign.toLowerCase() : ' ');
    if (next === undefined) return sign !== '\n' || text.charAt(at - 1) !== '\n';
    if (next.state !== undefined) return false;
    place = next;
  }
  return false;
}

/** A place within one or more states that begin alike, so that they are read together. */
interface Place {
  readonly next: Map<string, Place>;
  /** The places behind any letter. */
  readonly letters: Place[];
  state?: string;
}

const statesAt = (places: readonly Place[]): readonly string[] => places.flatMap(({ state }) => state ?? []);

function nextPlaces(places: readonly Place[], sign: string): readonly Place[] {
  if (sign === OTHER_LETTER) {
    const letters = BEHIND_LETTERS.indexOf(places);
    return letters === -1 ? places.flatMap(({ letters }) => letters) : (BEHIND_LETTERS[letters + 1] ?? []);
  }
  const found: Place[] = [];
  for (const { next } of places) {
    const place = next.get(sign);
    if (place !== undefined) found.push(place);
  }
  return found;
}

/** Stands for every letter that has no form in ASCII. */
const OTHER_LETTER = '\u00F8';
const LETTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u;

/** The text in small letters, without formatting, accents and what is invisible. A break of a line is a blank. */
function* plainSigns(text: string, from: number): Generator<string> {
  let before = '';
  for (let at = from; at < text.length; ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += sign.length;
    for (const plain of plainSign(sign)) {
      if (plain !== ' ' || before !== ' ') yield plain;
      before = plain;
    }
  }
}

function plainSign(sign: string): string {
  return PLAIN_ASCII[sign.charCodeAt(0)] ?? plainForm(sign);
}

/** Nearly all signs of a reply are among these, and working out each would take most of the time. */
const PLAIN_ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => plainForm(String.fromCharCode(code)));

function plainForm(sign: string): string {
  const parts = sign.normalize('NFKD');
  if (parts === sign && sign > 'z' && LETTER.test(sign)) return OTHER_LETTER;
  const seen = parts.replace(/\s/g, ' ').toLowerCase();
  const plain = seen.replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}*_~]/gu, '');
  return plain.replace(/[^\0-z]/gu, (other) => (LETTER.test(other) ? OTHER_LETTER : other));
}

/** Every state that stands at the head of a card. */
const STATES: readonly string[] = [
  'approval needed',
  'answer needed',
  'approved',
  'approved with changes',
  'approved and trusted',
  'approved, outcome unknown',
  'approved with changes, outcome unknown',
  'approved and trusted, outcome unknown',
  'working on it',
  'denied',
  'answered',
  'expired',
  'cancelled',
  'replaced',
  'nothing waits here any more',
  'no longer on record',
  'a tool server asks',
  'declined',
  'withdrawn',
  'did this happen?',
  'it happened',
  'left alone',
  'tried again',
  'it finished',
  'outcome unknown',
];

const BEGINNING: Place = { next: new Map(), letters: [] };
for (const state of STATES) {
  let place = BEGINNING;
  for (const sign of state) {
    const known = place.next.get(sign);
    const next = known ?? { next: new Map(), letters: [] };
    place.next.set(sign, next);
    if (known === undefined && sign !== ' ') place.letters.push(next);
    place = next;
  }
  place.state = state;
}

/** The places behind no letter of other scripts, behind one, and so on. Most lines in such a script begin with some. */
const BEHIND_LETTERS: (readonly Place[])[] = [[BEGINNING]];
for (const places of BEHIND_LETTERS) {
  const next = places.flatMap(({ letters }) => letters);
  if (next.length > 0) BEHIND_LETTERS.push(next);
}
