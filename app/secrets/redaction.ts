import { createHmac } from 'node:crypto';
import { canonical, type Json } from '../../interventions/index.ts';
import type { Hidden } from './hidden.ts';
import { type Marks, marksOf, TooManySteps } from './marks.ts';
import { plainName, type RedactSettings, SECRET_NAME, SECRET_PATTERNS } from './settings.ts';

/**
 * What people, logs and the model see of an input that holds secrets: each secret is shown as `[hidden 3fa9c1d20b]`, a
 * fingerprint under a key of the deployment. Equal secrets look equal, and without the key no guess can be tried. What a
 * pattern found may be no secret, so its length and its first and last character are shown as well.
 */
export interface Redaction {
  readonly input: (tool: InputRules, input: Json) => Redacted;
  /** Hides in a sentence about a call what its input hides. */
  readonly text: (text: string, hidden?: readonly Hidden[]) => string;
}

/** What a tool says of its input. */
export interface InputRules {
  readonly inputSchema: Json;
  /** Members that are shown whatever they hold, with all that is in them. */
  readonly neverHide?: readonly string[] | undefined;
}

export interface Redacted {
  /** The input itself if nothing is hidden. */
  readonly shown: Json;
  readonly hidden: readonly Hidden[];
}

export interface RedactionParts {
  readonly settings: RedactSettings;
  /** Never leaves the deployment: with it, short secrets could be guessed from their fingerprints. */
  readonly key: Uint8Array;
  /** Called with every secret found, so that the log hides it as well. */
  readonly found?: (secret: string) => void;
}

export function createRedaction({ settings, key, found = () => {} }: RedactionParts): Redaction {
  const names = new Set(settings.keys.map(plainName));
  const patterns = [
    ...SECRET_PATTERNS.map((pattern) => ({ pattern, isOurs: true })),
    ...settings.patterns.map((pattern) => ({ pattern: everywhere(pattern), isOurs: false })),
  ];

  const fingerprint = (value: Json): string => {
    const text = textOf(value);
    found(text);
    return `[hidden ${createHmac('sha256', key).update(text).digest('hex').slice(0, 10)}]`;
  };
  const isSecretName = (name: string): boolean => {
    const plain = plainName(name);
    return SECRET_NAME.test(plain) || names.has(plain);
  };
  const hideIn = (text: string, print = fingerprint): Pick<Hidden, 'shown' | 'chars'> => {
    let chars = 0;
    const hide = (secret: string): string => {
      chars += secret.length;
      return `${print(secret).slice(0, -1)}: ${sketchOf(secret)}]`;
    };
    const shown = patterns.reduce(
      (seen, { pattern, isOurs }) =>
        seen.replace(pattern, (found) => (isOurs || !CODE.test(found) ? hide(found) : found)),
      text,
    );
    return { shown, chars };
  };

  const search = ({ inputSchema, neverHide = [] }: InputRules, input: Json): Redacted => {
    const hidden: Hidden[] = [];
    let prints = 0;
    const print = (value: Json): string => {
      prints += 1;
      return prints > MOST_PRINTS ? NO_PRINT : fingerprint(value);
    };
    // The path to the value at hand. Only what is hidden keeps a copy.
    const path: string[] = [];
    const put = (one: Omit<Hidden, 'path'>): Json => {
      if (one.shown !== one.value) hidden.push({ ...one, path: [...path] });
      return one.shown;
    };
    const inside = (name: string, value: Json, marks: Marks, isNamed: boolean): Json => {
      path.push(name);
      const seen =
        path.length === 1 && neverHide.includes(name) ? value : see(value, marks, isNamed && isSecretName(name));
      path.pop();
      return seen;
    };
    const see = (value: Json, marks: Marks, isNamedSecret: boolean): Json => {
      const by = marks.isMarked ? 'schema' : isScalar(value) && isNamedSecret ? 'name' : undefined;
      if (by !== undefined && !isEmpty(value))
        return put({ value, by, shown: print(value), chars: textOf(value).length });
      if (typeof value === 'string') return put({ value, by: 'pattern', ...hideIn(value, print) });
      if (Array.isArray(value)) return value.map((item, at) => inside(`${at}`, item, marks.item(at), false));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, inside(name, inner, marks.member(name), true)]),
      );
    };
    const shown = see(input, marksOf(inputSchema), false);
    return hidden.length === 0 ? { shown: input, hidden } : { shown, hidden };
  };

  return {
    input: (rules, input) => {
      try {
        return search(rules, input);
        // The schema takes too long to search, or the input is nested too deeply for it. What may be secret is not known,
        // so all of it is hidden, as what no tool has declared.
      } catch (error) {
        if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
        const shown = fingerprint(input);
        return { shown, hidden: [{ path: [], value: input, by: 'pattern', shown, chars: textOf(input).length }] };
      }
    },
    text: (text, hidden = []) => hideIn(hidden.reduce((shown, one) => replaceValue(shown, one), text)).shown,
  };
}

/** Thousands of fingerprints would keep the process from other work. All further secrets of an input look alike. */
const MOST_PRINTS = 500;
const NO_PRINT = '[hidden 0000000000]';

/** An object under the name of a secret may also hold what the call does, so each of its members is judged by itself. */
function isScalar(value: Json): boolean {
  return typeof value !== 'object';
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonical(value);
}

/** A boolean could be guessed anyway, and an empty member should look empty. */
function isEmpty(value: Json): boolean {
  return value === null || value === '' || typeof value === 'boolean';
}

/** Hides a secret where a sentence repeats it. A word of the language stays, or a secret could hide what is done. */
function replaceValue(text: string, { value, shown }: Hidden): string {
  const secret = textOf(value);
  if (!LIKE_A_SECRET.test(secret) || PLAIN_WORD.test(secret)) return text;
  return writings(secret).reduce((one, writing) => one.replaceAll(writing, () => shown), text);
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

/** The forms of a secret: as it is, inside JSON, and inside an address. */
export function writings(secret: string): readonly string[] {
  const inAddress = /\p{Cs}/u.test(secret) ? [] : [encodeURIComponent(secret)];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...inAddress])];
}

export function everywhere(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
}
