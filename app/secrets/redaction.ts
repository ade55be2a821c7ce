import { createHmac } from 'node:crypto';
import type { Json } from '../../interventions/index.ts';
import { atOnce, inTurns } from '../time/index.ts';
import type { Hidden } from './hidden.ts';
import { everywhere, HIDING, hideIn, hideValues, type Searching, textOf, UNTIL_A_PAUSE } from './in-text.ts';
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
  /** The same, and other work has its turns while a large input or text is searched. */
  readonly inTurns: {
    readonly input: (tool: InputRules, input: Json) => Promise<Redacted>;
    readonly text: (text: string, hidden?: readonly Hidden[]) => Promise<string>;
  };
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
  const searching = (): Searching => ({ patterns, ...counted(fingerprint) });

  const inInput = function* (rules: InputRules, input: Json): Generator<void, Redacted> {
    try {
      return yield* search(rules, input, { ...searching(), isSecretName });
      // The schema takes too long to search, or the input is nested too deeply for it. What may be secret is not known,
      // so all of it is hidden, as what no tool has declared.
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
      const shown = fingerprint(input);
      return { shown, hidden: [{ path: [], value: input, by: 'pattern', shown, chars: textOf(input).length }] };
    }
  };
  const inText = function* (text: string, hidden: readonly Hidden[] = []): Generator<void, string> {
    const steps = searching();
    const withoutKnown = yield* hideValues(text, hidden, steps);
    return (yield* hideIn(withoutKnown, steps)).shown;
  };
  return {
    input: (rules, input) => atOnce(inInput(rules, input)),
    text: (text, hidden) => atOnce(inText(text, hidden)),
    inTurns: {
      input: (rules, input) => inTurns(inInput(rules, input)),
      text: (text, hidden) => inTurns(inText(text, hidden)),
    },
  };
}

/** Counts the fingerprints and the characters of one search. */
function counted(fingerprint: (value: Json) => string): Pick<Searching, 'print' | 'pauses'> {
  let prints = 0;
  let read = 0;
  return {
    print: (value) => {
      prints += 1;
      if (prints > MOST_PRINTS) return NO_PRINT;
      read += PRINTING;
      return fingerprint(value);
    },
    pauses: (chars) => {
      read += chars;
      if (read < UNTIL_A_PAUSE) return false;
      read = 0;
      return true;
    },
  };
}

/** Thousands of fingerprints would keep the process from other work. All further secrets of an input look alike. */
const MOST_PRINTS = 500;
const NO_PRINT = '[hidden 0000000000]';
/** As many characters could be read while one is made. */
const PRINTING = 5_000;

interface SearchingInput extends Searching {
  readonly isSecretName: (name: string) => boolean;
}

function* search(
  { inputSchema, neverHide = [] }: InputRules,
  input: Json,
  steps: SearchingInput,
): Generator<void, Redacted> {
  const hidden: Hidden[] = [];
  // The path to the value at hand. Only what is hidden keeps a copy.
  const path: string[] = [];
  const put = (one: Omit<Hidden, 'path'>): Json => {
    if (one.shown !== one.value) hidden.push({ ...one, path: [...path] });
    return one.shown;
  };
  const inside = function* (name: string, value: Json, marks: Marks): Generator<void, Json> {
    path.push(name);
    const isKept = path.length === 1 && neverHide.includes(name);
    const seen = isKept ? value : yield* see(value, marks, steps.isSecretName(name));
    path.pop();
    return seen;
  };
  const see = function* (value: Json, marks: Marks, isNamedSecret: boolean): Generator<void, Json> {
    if (steps.pauses(HIDING)) yield;
    const by = marks.isMarked ? 'schema' : isScalar(value) && isNamedSecret ? 'name' : undefined;
    if (by !== undefined && !isEmpty(value))
      return put({ value, by, shown: steps.print(value), chars: textOf(value).length });
    if (typeof value === 'string') return put({ value, by: 'pattern', ...(yield* hideIn(value, steps)) });
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items: Json[] = [];
      for (const [at, item] of value.entries()) items.push(yield* inside(`${at}`, item, marks.item(at)));
      return items;
    }
    const members: [string, Json][] = [];
    for (const [name, inner] of Object.entries(value))
      members.push([name, yield* inside(name, inner, marks.member(name))]);
    return Object.fromEntries(members);
  };
  const shown = yield* see(input, marksOf(inputSchema), false);
  return hidden.length === 0 ? { shown: input, hidden } : { shown, hidden };
}

/** An object under the name of a secret may also hold what the call does, so each of its members is judged by itself. */
function isScalar(value: Json): boolean {
  return typeof value !== 'object';
}

/** A boolean could be guessed anyway, and an empty member should look empty. */
function isEmpty(value: Json): boolean {
  return value === null || value === '' || typeof value === 'boolean';
}
