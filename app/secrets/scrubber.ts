import { everywhere, writings } from './redaction.ts';
import { plainName, SECRET_NAME, SECRET_PATTERNS } from './settings.ts';

/**
 * The last step before the log: it hides every known secret in a line, wherever the line comes from. Errors of libraries
 * quote what they were given.
 */
export interface Scrubber {
  readonly learn: (secret: string) => void;
  /** Adds patterns of secrets: results of tools and texts of people reach the log as well. */
  readonly hide: (patterns: readonly RegExp[]) => void;
  readonly scrub: (line: string) => string;
}

/** How many of the newest secrets are kept. Older ones are no longer in use. */
const MOST = 500;
/** Hiding shorter secrets would make every line unreadable. */
const SHORTEST = 6;

export function createScrubber(known: readonly (string | undefined)[] = []): Scrubber {
  const secrets = new Map<string, readonly string[]>();
  const learn = (secret: string): void => {
    if (secret.length < SHORTEST || secret.length > LONGEST) return;
    secrets.delete(secret);
    secrets.set(secret, writings(secret));
    const [oldest] = secrets.keys();
    if (secrets.size > MOST && oldest !== undefined) secrets.delete(oldest);
  };
  const patterns = [...SECRET_PATTERNS];
  for (const secret of known) learn(secret ?? '');
  return {
    learn,
    hide: (more) => void patterns.push(...more.map(everywhere)),
    scrub: (line) => {
      let clean = line;
      for (const forms of secrets.values())
        for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, '[hidden]');
      return patterns.reduce((shown, pattern) => shown.replace(pattern, '[hidden]'), clean);
    },
  };
}

const LONGEST = 10_000;

/** The values of variables whose name says that they are secret. `PWD` is a folder, although it looks like a password. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly (string | undefined)[] {
  const folders = new Set(FOLDERS.map((name) => env[name]));
  return Object.entries(env).flatMap(([name, value]) => {
    const isSecret = SECRET_NAME.test(plainName(name)) || plainName(name).endsWith('_key');
    return isSecret && !folders.has(value) ? [value] : [];
  });
}

const FOLDERS = ['PWD', 'OLDPWD', 'INIT_CWD', 'HOME'] as const;
