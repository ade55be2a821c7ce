/**
 * A line of a reply that looks like the head of a card is put into a quotation. Heads are the bot's: a sign, a state in bold,
 * and the tool behind a dot.
 */

/** Each line is judged by its beginning, which no later text changes. */
export function quoteHeads(markdown: string): string {
  return markdown.replace(LINES, (line, at: number) =>
    !/^\s*>/.test(line) && judge(markdown.slice(at, at + SEEN_CHARS)) === 'head' ? `> ${line}` : line,
  );
}

/** Whether a line looks like the head of a card, in a quotation or not. */
export function looksLikeCard(markdown: string): boolean {
  return [...markdown.matchAll(LINES)].some(({ index }) => judge(markdown.slice(index, index + SEEN_CHARS)) === 'head');
}

/** The beginning of a growing reply without the lines that later words may make look like a head. */
export function withoutOpenHead(markdown: string): string {
  const from = Math.max(0, markdown.length - SEEN_CHARS);
  for (const { index } of markdown.slice(from).matchAll(LINES)) {
    const at = from + index;
    const beginsLine = at === 0 || markdown.charAt(at - 1) === '\n';
    if (beginsLine && judge(markdown.slice(at), 'grows') === 'open') return markdown.slice(0, at).trimEnd();
  }
  return markdown;
}

const LINES = /[^\n]+/g;

/** Longer than any head. What stands further behind the beginning of a line is not looked at. */
const SEEN_CHARS = 200;

/** `open`: later words decide. */
function judge(beginning: string, text?: 'grows'): 'head' | 'open' | 'no' {
  const grows = text === 'grows' && beginning.length < SEEN_CHARS;
  const lead = LEAD.exec(beginning)?.[0] ?? '';
  const words = plainWords(beginning.slice(lead.length));
  if (grows && (words === '' || isOpenSign(beginning))) return 'open';
  // A row of a table looks like no head.
  if (words === '' || lead.trimStart().startsWith('|')) return 'no';
  const fits = STATES.flatMap((state): readonly Fit[] => {
    const rest = restBehind(words, state);
    return rest === undefined ? [] : [{ state, rest }];
  });
  if (grows && fits.some(({ rest }) => rest === NOT_YET || rest.trim() === '')) return 'open';
  return fits.some((fit) => isHead(lead, fit)) ? 'head' : 'no';
}

/** What stands in front of the first letter: names of emoji, entities, and anything that is no letter. */
const LEAD = /^(?::(?=[^a-z:]{0,60}[a-z])[\w+'-]{1,60}:|&#?\w{1,12};|[^\p{L}])*/u;
const SIGN = /:(?=[^a-z:]{0,60}[a-z])[\w+'-]{1,60}:|&#?\w{1,12};|\p{So}|\p{Extended_Pictographic}/u;
const FORMAT = /[*_`~#]/;

interface Fit {
  readonly state: string;
  readonly rest: string;
}

const NOT_YET = 'not yet';

/** A state is a head behind a sign, before a dot or code, and, if it is more than a word, in bold and set off from the rest. */
function isHead(lead: string, { state, rest }: Fit): boolean {
  if (rest === NOT_YET) return false;
  const next = rest.trimStart().charAt(0);
  if (SIGN.test(lead) || /[·•∙⋅・`]/.test(next)) return true;
  return state.includes(' ') && FORMAT.test(lead) && !/[\p{L}\p{N}.,;!?)]/u.test(next);
}

/** Whether the text ends within the name of an emoji or an entity. */
function isOpenSign(beginning: string): boolean {
  const sign = /[:&][\w+#'-]{0,60}$/.exec(beginning);
  return sign !== null && LEAD.exec(beginning.slice(0, sign.index))?.[0].length === sign.index;
}

/** The words in small letters, without formatting, accents and what is invisible. A break of a line is a blank. */
function plainWords(text: string): string {
  const seen = text.normalize('NFKD').replace(/\s/g, ' ');
  return seen
    .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}*_~]/gu, '')
    .replace(/ +/g, ' ')
    .toLowerCase();
}

/**
 * What stands behind the state; `not yet` when the text ends within it; `undefined` when it says something else. A letter
 * of another script may look like any letter, if one of the state's own letters is among them.
 */
function restBehind(words: string, state: string): string | undefined {
  let same = false;
  const signs = [...words];
  for (const [at, wanted] of [...state].entries()) {
    const sign = signs[at];
    if (sign === undefined) return NOT_YET;
    if (sign !== wanted && !(wanted !== ' ' && /[^\P{L}a-z]/u.test(sign))) return undefined;
    same ||= sign === wanted && sign !== ' ';
  }
  return same ? signs.slice(state.length).join('') : undefined;
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
  'not on record any more',
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
