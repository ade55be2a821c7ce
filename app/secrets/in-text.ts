import { canonical, type Json } from '../../interventions/index.ts';
import type { Hidden } from './hidden.ts';

/** One search for secrets. It yields where other work may have its turn. */
export interface Searching {
  readonly patterns: readonly { readonly pattern: RegExp; readonly isOurs: boolean }[];
  /** What is shown in place of a secret. */
  readonly print: (value: Json) => string;
  /** Counts characters that are read. True when other work should have its turn before the next ones. */
  readonly pauses: (chars: number) => boolean;
}

/** A few milliseconds of work. Inputs and texts of the usual size never come so far. */
export const UNTIL_A_PAUSE = 1_000_000;
/** As many characters could be read while one value is looked at. */
export const HIDING = 300;

/** Hides what the patterns find. */
export function* hideIn(
  text: string,
  { patterns, print, pauses }: Searching,
): Generator<void, Pick<Hidden, 'shown' | 'chars'>> {
  let shown = text;
  let chars = 0;
  for (const { pattern, isOurs } of patterns) {
    if (pauses(shown.length)) yield;
    if (shown.search(pattern) === -1) continue;
    let seen = '';
    let end = 0;
    for (const { 0: found, index } of shown.matchAll(pattern)) {
      if (!isOurs && CODE.test(found)) continue;
      chars += found.length;
      seen += `${shown.slice(end, index)}${print(found).slice(0, -1)}: ${sketchOf(found)}]`;
      end = index + found.length;
      if (pauses(HIDING)) yield;
    }
    shown = seen + shown.slice(end);
  }
  return { shown, chars };
}

/** Hides secrets where a sentence repeats them. A word of the language stays, or a secret could hide what is done. */
export function* hideValues(
  text: string,
  hidden: readonly Hidden[],
  { pauses }: Pick<Searching, 'pauses'>,
): Generator<void, string> {
  const done = new Set<string>();
  let seen = text;
  const secrets = hidden.map(({ value, shown }) => ({ secret: textOf(value), shown }));
  // The longest first: a shorter one may be its beginning, and the rest of it would stay.
  for (const { secret, shown } of secrets.sort((a, b) => b.secret.length - a.secret.length)) {
    if (pauses(seen.length + HIDING)) yield;
    // Each secret once: what is shown in its place may hold the secret again.
    if (secret.length > seen.length || done.has(secret)) continue;
    done.add(secret);
    if (!LIKE_A_SECRET.test(secret) || PLAIN_WORD.test(secret)) continue;
    for (const writing of writings(secret)) seen = seen.replaceAll(writing, () => shown);
  }
  return seen;
}

const LIKE_A_SECRET = /^[\w.~%+/=-]{8,}$/;
const PLAIN_WORD = /^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+)$/;
/** What commands and mark-up are written with. A pattern of the deployment may fit too much, and hides none of it. */
const CODE = /[$`;|&<>(){}[\]"'\\*?!#\r\n]/;
/** Two characters of a short secret are too much of it. */
const SKETCHED_FROM = 8;

function sketchOf(secret: string): string {
  const seen = secret.trim();
  const length = `${secret.length} characters`;
  // A sign may have two units. A long secret need not be taken apart to be counted.
  if (seen.length < 2 * SKETCHED_FROM && [...seen].length < SKETCHED_FROM) return length;
  const end = seen.slice(-2);
  const isOneSign = (end.codePointAt(0) ?? 0) > LAST_OF_ONE_UNIT;
  return `${length}, ${String.fromCodePoint(seen.codePointAt(0) ?? 0)}…${isOneSign ? end : end.slice(1)}`;
}

const LAST_OF_ONE_UNIT = 0xffff;

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonical(value);
}

/** The forms of a secret: as it is, inside JSON, and inside an address. */
export function writings(secret: string): readonly string[] {
  const inAddress = /\p{Cs}/u.test(secret) ? [] : [encodeURIComponent(secret)];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...inAddress])];
}

export function everywhere(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
}
