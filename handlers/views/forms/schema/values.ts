import { isKept } from '../../../../app/json.ts';
import type { InquiryContent } from '../../../../app/records/index.ts';
import { countChars, cut, visible } from '../../kit/text.ts';
import { count } from '../../words/wording.ts';
import { fieldId } from './field-blocks.ts';
import { type Field, type FieldKind, readFields } from './fields.ts';

/** What a person filled in, read by the schema of the form. */
export type ReadAnswer =
  | { readonly type: 'content'; readonly content: InquiryContent }
  /** The problems, by the id of the block where each stands. */
  | { readonly type: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly type: 'no-form' };

/** What was typed, or the places of the chosen options, by field. An empty field is an empty list. */
export type Filled = ReadonlyMap<string, readonly string[]>;

type Value = InquiryContent[string];
type NumberKind = Extract<FieldKind, { readonly type: 'number' }>;
type Read = { readonly value: Value } | { readonly problem: string } | 'empty';

export function readAnswer(schema: string, filled: Filled): ReadAnswer {
  const fields = readFields(schema);
  if (fields === undefined) return { type: 'no-form' };
  const content: [string, Value][] = [];
  const errors: Record<string, string> = {};
  for (const [place, field] of fields.entries()) {
    const read = readField(field, filled.get(fieldId(place)) ?? []);
    if (read === 'empty') {
      if (field.required) errors[fieldId(place)] = 'This is needed.';
    } else if ('problem' in read) errors[fieldId(place)] = read.problem;
    else content.push([field.name, read.value]);
  }
  return Object.keys(errors).length > 0
    ? { type: 'errors', errors }
    : { type: 'content', content: Object.fromEntries(content) };
}

/** Where a problem that the schema found stands: at the field that it names, or else at the first. */
export function problemAt(schema: string, problem: string): Readonly<Record<string, string>> | undefined {
  const fields = readFields(schema) ?? [];
  if (fields.length === 0) return undefined;
  const named = fields.findIndex(({ name }) => problem.includes(`data/${name} `));
  return {
    [fieldId(Math.max(0, named))]: `The tool server does not take this: ${cut(visible(problem), { chars: 200 }).text}`,
  };
}

function readField({ kind }: Field, [first = '', ...others]: readonly string[]): Read {
  if (first === '') return 'empty';
  switch (kind.type) {
    case 'text': {
      const chars = countChars(first);
      if (chars > kind.most) return { problem: `At most ${count(kind.most, 'character')}.` };
      return chars < kind.least ? { problem: `At least ${count(kind.least, 'character')}.` } : { value: first };
    }
    case 'number':
      return readNumber(kind, first);
    case 'yes-no':
      return { value: first === '0' };
    case 'one-of': {
      const option = kind.options[Number(first)];
      return option === undefined ? { problem: 'Choose one of the options.' } : { value: option.value };
    }
    case 'some-of': {
      const values = [first, ...others].flatMap((place) => kind.options[Number(place)]?.value ?? []);
      return { value: values };
    }
  }
}

function readNumber({ whole, least, most }: NumberKind, typed: string): Read {
  const text = typed.trim();
  const value = Number(text);
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(value)) {
    return { problem: 'This has to be a number, such as 12 or 0.5.' };
  }
  if (!isKept(value, text)) return { problem: 'This number cannot be kept exactly. Write another one.' };
  if (whole && !Number.isSafeInteger(value)) return { problem: 'This has to be a whole number.' };
  if (least !== undefined && value < least) return { problem: `This has to be at least ${least}.` };
  if (most !== undefined && value > most) return { problem: `This has to be at most ${most}.` };
  return { value };
}
