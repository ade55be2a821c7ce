import { isJsonObject, type JsonObject, readJson } from '../../../../app/json.ts';
import { SHOWN, SLACK } from '../../kit/limits.ts';
import { cutWithNote, visibleProse } from '../../kit/text.ts';

/** The fields of a tool server's form. Its names and words come from outside and may be anything. */

export interface Field {
  /** The server's name for the field, under which the answer is sent. */
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly kind: FieldKind;
}

export type FieldKind =
  | {
      readonly type: 'text';
      readonly least: number;
      readonly most: number;
      readonly format: string | undefined;
      readonly initial: string | undefined;
    }
  | {
      readonly type: 'number';
      readonly whole: boolean;
      readonly least: number | undefined;
      readonly most: number | undefined;
      readonly initial: number | undefined;
    }
  | { readonly type: 'yes-no'; readonly initial: boolean | undefined }
  | { readonly type: 'one-of'; readonly options: readonly Option[]; readonly initial: string | undefined }
  | { readonly type: 'some-of'; readonly options: readonly Option[]; readonly initial: readonly string[] };

export interface Option {
  readonly value: string;
  readonly text: string;
}

/**
 * The fields in the server's order. `undefined` when a part of the form cannot be drawn: a form without one of its fields
 * would ask for something else than the server did.
 */
export function readFields(text: string): readonly Field[] | undefined {
  // A form that was too long to keep was not stored, so there is no JSON.
  const schema = readJson(text);
  if (!isJsonObject(schema) || schema.type !== 'object' || !isJsonObject(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(schema.properties);
  if (
    entries.length > SHOWN.formFields ||
    Object.hasOwn(schema.properties, '__proto__') ||
    required.some((name) => !entries.some(([known]) => known === name))
  ) {
    return undefined;
  }
  const fields = entries.flatMap(([name, property]): Field[] => {
    const kind = isJsonObject(property) ? kindOf(property) : undefined;
    if (kind === undefined || !isJsonObject(property)) return [];
    const { title, description } = property;
    return [
      {
        name,
        label: typeof title === 'string' && title.trim() !== '' ? title : name,
        hint: typeof description === 'string' && description.trim() !== '' ? description : undefined,
        required: required.includes(name),
        kind,
      },
    ];
  });
  return fields.length === entries.length ? fields : undefined;
}

function kindOf(property: JsonObject): FieldKind | undefined {
  const { type, default: initial } = property;
  switch (type) {
    case 'string':
      return 'enum' in property || 'oneOf' in property ? oneOf(property) : text(property);
    case 'integer':
    case 'number':
      return {
        type: 'number',
        whole: type === 'integer',
        least: number(property.minimum),
        most: number(property.maximum),
        initial: number(initial),
      };
    case 'boolean':
      return { type: 'yes-no', initial: typeof initial === 'boolean' ? initial : undefined };
    case 'array':
      return someOf(property);
    default:
      return undefined;
  }
}

function text({ minLength, maxLength, format, default: initial }: JsonObject): FieldKind | undefined {
  const least = Math.max(0, number(minLength) ?? 0);
  const most = Math.min(number(maxLength) ?? SLACK.inputChars, SLACK.inputChars);
  if (least > most || most < 1 || !Number.isInteger(least) || !Number.isInteger(most)) return undefined;
  return {
    type: 'text',
    least,
    most,
    format: typeof format === 'string' ? format : undefined,
    // A default that does not fit is left out, because a cut one would be another answer.
    initial: typeof initial === 'string' && fits(initial, least, most) ? initial : undefined,
  };
}

function fits(initial: string, least: number, most: number): boolean {
  return initial.length >= Math.max(1, least) && initial.length <= most;
}

function oneOf(property: JsonObject): FieldKind | undefined {
  const options = optionsOf(property);
  if (options === undefined) return undefined;
  const initial = options.find(({ value }) => value === property.default)?.value;
  return { type: 'one-of', options, initial };
}

function someOf({ items, default: initial }: JsonObject): FieldKind | undefined {
  const options = isJsonObject(items) ? optionsOf(items) : undefined;
  if (options === undefined) return undefined;
  const chosen = Array.isArray(initial) ? initial : [];
  return {
    type: 'some-of',
    options,
    initial: options.flatMap(({ value }) => (chosen.includes(value) ? [value] : [])),
  };
}

/** A form with two options that look alike is not drawn, because a person could not tell them apart. */
function optionsOf(property: JsonObject): readonly Option[] | undefined {
  const options = namedOptions(property);
  const texts = new Set(options.map(({ text }) => seenAs(text, SLACK.optionChars)));
  const drawable = options.length > 0 && options.length <= SLACK.selectOptions && texts.size === options.length;
  return drawable ? options : undefined;
}

/** What a person sees of so much of a text. Slack shows a row of blanks as one, and some letters have two spellings. */
export function seenAs(text: string, chars: number): string {
  return cutWithNote(visibleProse(text), chars).normalize('NFC').replace(/\s+/g, ' ').trim();
}

export function optionText(text: string): string {
  return cutWithNote(visibleProse(text), SLACK.optionChars);
}

function namedOptions({ enum: values, enumNames, oneOf, anyOf }: JsonObject): readonly Option[] {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(titled)) {
    const options = titled.flatMap((each): Option[] =>
      isJsonObject(each) && typeof each.const === 'string'
        ? [{ value: each.const, text: typeof each.title === 'string' ? each.title : each.const }]
        : [],
    );
    return options.length === titled.length ? options : [];
  }
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return [];
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value, place) => {
    const name = names[place];
    return { value, text: typeof name === 'string' ? name : value };
  });
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
