import { keepNewest } from '../time/index.ts';
import { everywhere, writings } from './in-text.ts';
import { plainName, SECRET_NAME, SECRET_PATTERNS } from './settings.ts';

/**
 * The last step before the log: it hides every known secret in a line, wherever the line comes from. Errors of libraries
 * quote what they were given.
 */
export interface Scrubber {
  /** What cannot be told from ordinary words of a log, such as a plain word or a piece of JSON, is not learned. */
  readonly learn: (secret: string) => void;
  /** Adds patterns of secrets: results of tools and texts of people reach the log as well. */
  readonly hide: (patterns: readonly RegExp[]) => void;
  readonly scrub: (line: string) => string;
}

/** How many of the newest learned secrets are kept. Older ones are no longer in use. */
const MOST = 500;
/** Hiding shorter secrets would make every line unreadable. */
const SHORTEST = 6;

export function createScrubber(known: readonly (string | undefined)[] = []): Scrubber {
  const learned = new Map<string, readonly string[]>();
  const patterns = [...SECRET_PATTERNS, ...IN_LOGS];
  // The secrets of the deployment stay in use, so no learned one takes their place.
  const own = known.flatMap((secret = '') => (canBeSecret(secret) ? [writings(secret)] : []));
  return {
    learn: (secret) => {
      if (canBeSecret(secret)) keepNewest(learned, secret, writings(secret), MOST);
    },
    hide: (more) => void patterns.push(...more.map(everywhere)),
    scrub: (line) => {
      let clean = line;
      for (const forms of [...own, ...learned.values()])
        for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, '[hidden]');
      const shown = patterns.reduce((seen, pattern) => seen.replace(pattern, '[hidden]'), clean);
      return shown.replace(NAMED, '$<before>$<quote>[hidden]$<quote>');
    },
  };
}

const LONGEST = 10_000;

/** A model may call anything a secret. What a log is made of stays readable, or one call could blank all lines after it. */
function canBeSecret(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  return !ORDINARY.some((pattern) => pattern.test(text));
}

const ORDINARY: readonly RegExp[] = [
  // A plain word.
  /^[A-Za-z]?[a-z]+$|^[A-Z]+$/,
  // A short number, a date or a time.
  /^[\d\s.:,TZ+-]{1,24}$/,
  // A path.
  /^(?:\/[a-z0-9_.-]+)+\/?$/,
  // A piece of JSON.
  /["']\s{0,9}[:,}\]]|[{[,:]\s{0,9}["']/,
];

/** Behind such a name stands a secret. Behind `tokens` often stands a number. */
const NAME =
  '[\\w.-]{0,40}(?:passwords?|passwd|passphrases?|secrets?|token|api[_-]?keys?|access[_-]?keys?|private[_-]?keys?|credentials?|authorization|cookie)';

/** What is secret by the place where it stands. On a card it would hide too much, in a log it costs a few words. */
const IN_LOGS: readonly RegExp[] = [
  /(?<=:\/\/[^\s:/@"]{0,100}:)[^\s/@"]{1,200}(?=@)/g,
  /(?<=\bauthorization[\\"']{0,4}\s{0,3}[:=]\s{0,3}[\\"']{0,4}[a-z]{1,20} )[^\s"'\\,]{4,}/gi,
  /(?<=\bhooks\.slack(?:-gov)?\.com\/)[^\s"'\\<>]+/gi,
  new RegExp(`(?<=(?<![\\w.-])${NAME}=)[^\\s&#"'\\\\,;<>]+`, 'gi'),
];

/** A quoted text or a list behind a name, also where JSON stands in a text, and the value of a pair of name and value. */
const NAMED = new RegExp(
  `(?<before>(?<![\\w.-])${NAME}(?:\\\\{0,3}["'])?\\s{0,3}[:=,]\\s{0,3}(?:\\\\{0,3}["']?value\\\\{0,3}["']?\\s{0,3}:\\s{0,3})?)` +
    `(?:(?<quote>\\\\{0,3}["'])(?:(?!\\k<quote>)[^\\n]){1,2000}\\k<quote>|\\[[^\\]\\n]{1,2000}\\])`,
  'gi',
);

/** The values of variables whose name says that they are secret. `PWD` is a folder, although it looks like a password. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly (string | undefined)[] {
  const folders = new Set(FOLDERS.map((name) => env[name]));
  return Object.entries(env).flatMap(([name, value]) => {
    const isSecret = SECRET_NAME.test(plainName(name)) || plainName(name).endsWith('_key');
    // What uses it may drop the line end that a mounted file ends with.
    return isSecret && !folders.has(value) ? [value?.trim()] : [];
  });
}

const FOLDERS = ['PWD', 'OLDPWD', 'INIT_CWD', 'HOME'] as const;
