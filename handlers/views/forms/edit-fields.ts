import { parsed } from '../kit/input-text.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { cut, visible } from '../kit/text.ts';
import { fieldId } from './schema/field-blocks.ts';
import { type Field, type FieldKind, readFields, seenAs } from './schema/fields.ts';
import { type Filled, readAnswer } from './schema/values.ts';

/**
 * An input as fields of the tool's own schema, each with the name that the card shows. A schema may give other titles, and its
 * words may come from a tool server. An input that does not fit into them to the letter is edited as JSON.
 */
export function editFields(input: string, schema: string): readonly Field[] | undefined {
  const value = parsed(input);
  const fields = readFields(schema);
  if (fields === undefined || fields.length === 0 || typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const drawn = fields.flatMap((field): Field[] => {
    const kind = members.has(field.name)
      ? withInitial(field.kind, members.get(field.name))
      : withoutInitial(field.kind);
    members.delete(field.name);
    const hint = field.hint === undefined ? undefined : `In the tool’s own words: ${field.hint}`;
    return kind === undefined || !showsWhatRuns(field) ? [] : [{ ...field, label: field.name, hint, kind }];
  });
  const names = JSON.stringify(fields.map(({ name }) => name));
  return drawn.length === fields.length && members.size === 0 && names.length < NAMES_CHARS ? drawn : undefined;
}

/** What a person reads has to be what runs: a name and an option are whole, and have no words but their own. */
function showsWhatRuns({ name, kind }: Field): boolean {
  const isSeen = (text: string, chars: number): boolean => text !== '' && seenAs(text, chars) === text;
  const options = 'options' in kind ? kind.options : [];
  return (
    isSeen(name, SHOWN.noteChars) &&
    options.every(({ text, value }) => text === value && isSeen(value, SLACK.optionChars))
  );
}

/** A form remembers few characters. The rest is needed for the place where it was opened. */
const NAMES_CHARS = 2_000;

/** A field that shows the value of the input, or `undefined` where no field can. */
function withInitial(kind: FieldKind, value: unknown): FieldKind | undefined {
  switch (kind.type) {
    case 'text': {
      // A field does not show invisible characters or, reliably, line ends. It takes an empty text for no value.
      const whole = typeof value === 'string' && value !== '' && value.length <= Math.min(kind.most, SLACK.inputChars);
      return whole && visible(value) === value ? { ...kind, initial: value } : undefined;
    }
    case 'number':
      return typeof value === 'number' ? { ...kind, initial: value } : undefined;
    case 'yes-no':
      return typeof value === 'boolean' ? { ...kind, initial: value } : undefined;
    case 'one-of': {
      const known = kind.options.find((option) => option.value === value);
      return known === undefined ? undefined : { ...kind, initial: known.value };
    }
    case 'some-of': {
      const known = kind.options.filter((option) => Array.isArray(value) && value.includes(option.value));
      const same = JSON.stringify(known.map((option) => option.value)) === JSON.stringify(value);
      return same && known.length > 0 ? { ...kind, initial: known.map((option) => option.value) } : undefined;
    }
  }
}

/** The field without the default of the schema, which is not the input that was asked about. */
function withoutInitial(kind: FieldKind): FieldKind {
  return kind.type === 'some-of' ? { ...kind, initial: [] } : { ...kind, initial: undefined };
}

export type EditedFields =
  | { readonly type: 'input'; readonly json: string }
  | { readonly type: 'errors'; readonly errors: Readonly<Record<string, string>> }
  /** The tool has other fields now than when the form was opened. */
  | { readonly type: 'changed' };

/** Turns what was filled in into the JSON that is to run. */
export function readEdit(schema: string, names: readonly string[], filled: Filled): EditedFields {
  const fields = readFields(schema) ?? [];
  if (JSON.stringify(fields.map(({ name }) => name)) !== JSON.stringify(names)) return { type: 'changed' };
  const read = readAnswer(schema, filled);
  switch (read.type) {
    case 'content':
      return { type: 'input', json: JSON.stringify(read.content) };
    case 'errors':
      return read;
    case 'no-form':
      return { type: 'changed' };
  }
}

/** Where a problem stands: at the field that it names, or else at the first. */
export function editProblemAt(names: readonly string[], problem: string): Readonly<Record<string, string>> {
  const named = names.findIndex((name) => problem.includes(`${name}: `));
  return { [fieldId(Math.max(0, named))]: cut(visible(problem), { chars: SHOWN.noteChars }).text };
}
