import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';
import { vi } from 'vitest';
import { sources } from './imports.ts';

/** A regular expression of the product, and where it stands. */
export interface Pattern {
  readonly place: string;
  readonly pattern: RegExp;
}

export function patterns(): readonly Pattern[] {
  return sources()
    .filter(({ path }) => OF_PRODUCT.test(path))
    .flatMap(({ path, text }) => patternsIn(path, text));
}

/** The patterns that modules of the product put together when they are loaded, of which no source has the whole text. */
export async function madePatterns(): Promise<readonly Pattern[]> {
  const found: Pattern[] = [];
  const making = sources().filter(({ path, text }) => OF_PRODUCT.test(path) && text.includes('new RegExp('));
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct: (target, [source, flags]) => {
        const made = new target(source, flags);
        const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
        const [path] = /(?:app|handlers|interventions)\/[\w./-]+\.ts/.exec(caller) ?? [];
        if (path !== undefined) found.push({ place: `${path} ${made}`, pattern: made });
        return made;
      },
    }),
  );
  try {
    for (const { path } of making) await import(`../../${path}`);
  } finally {
    vi.unstubAllGlobals();
  }
  return found.map((made) => ({ ...made, pattern: globally(made.pattern) }));
}

const OF_PRODUCT = /^(app|handlers|interventions)\//;

const globally = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);

export function patternsIn(path: string, text: string): readonly Pattern[] {
  const found: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({
        place: `${path}:${line} ${node.raw}`,
        pattern: globally(new RegExp(pattern, flags)),
      });
    },
  }).visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/** Signs that many patterns know, beside those that this one names. */
const SIGNS = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\r',
  '\n',
  '"',
  '\\"',
  '<',
  '>',
  '/',
  '.',
  '!',
  '-',
  '_',
  ':',
  '=',
  '&',
  '#',
  '?',
];
const MORE_SIGNS = [
  'é',
  '\u0301',
  '😀',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '|',
  '*',
  '`',
  '~',
  ',',
  ';',
  '@',
  '%',
  '$',
  "'",
];

/** What a text can repeat so that a pattern begins to fit again and again. */
export function pumpsOf({ source }: RegExp): readonly string[] {
  const words = source
    // Of several signs in one place, the first.
    .replaceAll(/\[(\\?[^^])[^\]]*\]/g, '$1')
    .replaceAll(/\\[wsdbpWSDBP]|\{[^{}]*\}|[()?:[\]^$|+*]/g, ' ')
    .replaceAll(/\\(.)/g, '$1')
    .split(' ')
    .filter((word) => word !== '' && word.length < 30);
  const own = [...new Set(words)];
  return [
    ...new Set([...SIGNS, ...MORE_SIGNS, ...own, ...own.map((word) => `${word}a`), ...own.map((word) => `${word} `)]),
  ];
}
