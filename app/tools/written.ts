import { z } from 'zod';

/** One fault of what a deployment wrote: where it is, and what is wrong there, without a full stop. */
export interface WrittenProblem {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
}

type Issue = z.core.$ZodIssue;

/**
 * Checks a value that a person wrote. Every problem has words for that person: those of the schema, or else those of this
 * file.
 */
export function checkWritten<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
):
  | { readonly ok: true; readonly value: z.output<Schema> }
  | { readonly ok: false; readonly problems: readonly WrittenProblem[] } {
  const promise = promiseIn(value);
  if (promise !== undefined)
    return { ok: false, problems: [{ path: promise, problem: 'is a promise. Write await in front of it' }] };
  const checked = schema.safeParse(value, { error: wording });
  return checked.success
    ? { ok: true, value: checked.data }
    : { ok: false, problems: checked.error.issues.flatMap((issue) => problemsIn(issue)) };
}

/** No schema takes a promise deeper than in `limits.perRun`. */
const DEEPEST = 2;

/** The path of a promise, which `zod` takes for an object without keys: all settings would be left out in silence. */
function promiseIn(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | undefined {
  if (value instanceof Promise) return path;
  if (path.length === DEEPEST || typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = promiseIn(each, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `limits.perRun.crads is not a setting`: the place and the problem as one text. */
export function problemText({ path, problem }: WrittenProblem): string {
  return `${z.core.toDotPath(path)} ${problem}`.trimStart();
}

function problemsIn(issue: Issue): readonly WrittenProblem[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    // `wording` gives a line for each key.
    const lines = message.split('\n');
    return issue.keys.map((key, index) => ({ path: [...path, key], problem: lines[index] ?? message }));
  }
  // The fault is inside of the kind that the value was meant to be: in one item of a list, for example.
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find((issues) => issues.length > 0 && issues.every((each) => each.path.length > 0))
      : undefined;
  if (meant === undefined) return [{ path, problem: message }];
  return meant.flatMap(problemsIn).map((each) => ({ ...each, path: [...path, ...each.path] }));
}

/** For an issue whose schema has no words of its own. */
function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, keysOf(issue.inst))).join('\n');
    case 'invalid_type':
      return `${issue.input === undefined ? 'is missing: it ' : ''}must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${anyOf(issue.values.map((each) => (typeof each === 'string' ? `'${each}'` : String(each))))}`;
    case 'too_small':
      return outOfBounds(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum);
    case 'too_big':
      return outOfBounds(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `is not written as it must be${issue.pattern === undefined ? '' : `. It must fit ${issue.pattern}`}`;
    case 'invalid_key':
      return 'has a name that cannot be used';
    case 'invalid_union':
      return `must be something else: it ${issue.errors.flatMap(([first]) => first?.message ?? []).join(', or it ')}`;
    default:
      return 'cannot be used. The documentation says what can';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list: [ … ]',
  object: 'an object: { … }',
  record: 'an object: { … }',
  function: 'a function',
  never: 'left out',
};

function outOfBounds(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `must be ${bound} ${size} characters long`;
  if (origin === 'array' || origin === 'set') return `must hold ${bound} ${size}`;
  return `must be ${bound} ${size}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = known.find((each) => isSlip(key.toLowerCase(), each.toLowerCase()));
  if (meant !== undefined) return `is not a setting. Did you mean ${meant}? Correct it, or remove it`;
  return known.length === 0 ? 'is not a setting. Remove it' : `is not a setting. Here can be: ${known.join(', ')}`;
}

function keysOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Is the one word the other, but for one or two letters that are missing, additional, wrong or exchanged? */
function isSlip(written: string, meant: string): boolean {
  const most = meant.length < 5 ? 1 : 2;
  return slips(written, meant, most) <= most;
}

function slips(written: string, meant: string, left: number): number {
  if (written === '' || meant === '') return written.length + meant.length;
  if (written[0] === meant[0]) return slips(written.slice(1), meant.slice(1), left);
  if (left === 0) return 1;
  const next = (inWritten: number, inMeant: number) =>
    1 + slips(written.slice(inWritten), meant.slice(inMeant), left - 1);
  const exchanged = written[0] === meant[1] && written[1] === meant[0] ? [next(2, 2)] : [];
  return Math.min(next(1, 0), next(0, 1), next(1, 1), ...exchanged);
}

function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
