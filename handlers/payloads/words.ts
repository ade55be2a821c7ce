/** Reads the few words that are for the bot itself and not for the agent, in a thread and in a command. */

export type Wish =
  | { readonly type: 'help' }
  | { readonly type: 'stop' }
  | { readonly type: 'try-again' }
  | { readonly type: 'trusted' }
  | { readonly type: 'approvals' }
  | { readonly type: 'usage' }
  | { readonly type: 'trust'; readonly tool: string; readonly scope: WishScope | undefined; readonly forMs: number }
  | { readonly type: 'untrust'; readonly tool: string; readonly scope: WishScope | undefined }
  | { readonly type: 'misread'; readonly problem: string };

export type WishScope = 'thread' | 'channel' | 'requester';

/**
 * In a thread most sentences are for the agent, even those that begin with "trust", so only unmistakable words are taken
 * for the bot. A mention with nothing after it asks for help. `bot` is the user whose mentions do not count as words.
 */
export function readThreadWords(text: string, bot = ''): Wish | undefined {
  const [first = '', ...rest] = split(text.replaceAll(`<@${bot}>`, ' '));
  const word = first.toLowerCase();
  if (word === '' || (word === 'help' && rest.length === 0)) return { type: 'help' };
  if (rest.length === 0 && word === 'trusted') return { type: 'trusted' };
  if (rest.length === 0 && word === 'approvals') return { type: 'approvals' };
  if (rest.length === 0 && word === 'usage') return { type: 'usage' };
  if (rest.length === 0 && bare(word, /[.,!]/) === 'stop') return { type: 'stop' };
  if (word === 'try' && rest.length === 1 && rest[0]?.toLowerCase() === 'again') return { type: 'try-again' };
  if (word !== 'trust' && word !== 'untrust') return undefined;
  if (rest.length === 0) return { type: 'help' };
  const wish = readWish(word, rest, 'thread');
  return wish.type === 'misread' && rest[0]?.includes('_') !== true ? undefined : wish;
}

export function readCommandWords(command: 'trust' | 'untrust', text: string): Wish {
  const rest = split(text);
  if (rest.length === 0 || rest[0]?.toLowerCase() === 'help') return { type: 'help' };
  return readWish(command, rest, 'channel');
}

function readWish(word: 'trust' | 'untrust', parts: readonly string[], usual: WishScope): Wish {
  const [name = '', ...others] = parts;
  const terms = others.map((term) => term.toLowerCase());
  const tool = name.toLowerCase() === 'all' ? 'all' : name;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool) || SCOPES.has(tool.toLowerCase())) {
    return { type: 'misread', problem: 'I need the name of one tool.' };
  }
  let scope: WishScope | undefined;
  let forMs: number | undefined;
  for (const term of terms) {
    const place = SCOPES.get(term);
    const span = readSpan(term);
    if (place !== undefined && scope === undefined && (place !== 'thread' || usual === 'thread')) scope = place;
    else if (span !== undefined && forMs === undefined && word === 'trust') forMs = span;
    else return { type: 'misread', problem: `I do not understand “${term}” here.` };
  }
  if (word === 'untrust') return { type: 'untrust', tool, scope };
  if (forMs !== undefined && (forMs < SHORTEST_MS || forMs > LONGEST_MS)) {
    return { type: 'misread', problem: 'Trust lasts from one minute to 30 days.' };
  }
  return { type: 'trust', tool, scope, forMs: forMs ?? UNITS.h };
}

const SCOPES: ReadonlyMap<string, WishScope> = new Map([
  ['here', 'thread'],
  ['thread', 'thread'],
  ['channel', 'channel'],
  ['me', 'requester'],
]);

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SHORTEST_MS = UNITS.m;
const LONGEST_MS = 30 * UNITS.d;

function readSpan(term: string): number | undefined {
  const found = /^(\d{1,5})([mhd])$/.exec(term);
  const unit = found?.[2];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined;
  return Number(found?.[1]) * UNITS[unit];
}

function split(text: string): readonly string[] {
  const parts = text.split(/\s+/).map((part) => bare(part));
  return parts.filter((part) => part !== '');
}

/**
 * What may stand around a word without being a part of it: Slack's formatting (the bot's own words are copied with it),
 * quotation marks, and signs that cannot be seen.
 */
const AROUND = /[`*\p{Quotation_Mark}\p{Cf}\p{Variation_Selector}]/u;

function bare(word: string, also = AROUND): string {
  const signs = [...word];
  const isPart = (sign: string): boolean => !AROUND.test(sign) && !also.test(sign);
  return signs.slice(signs.findIndex(isPart), signs.findLastIndex(isPart) + 1).join('');
}
