import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json } from '../../../../interventions/index.ts';
import { isJsonObject, type JsonObject } from '../../../json.ts';

/** Counts steps. It throws when the budget of the check is spent. */
export type Spend = (steps: number) => void;

/** What one schema says of a value itself, without its items, members and alternatives. `undefined` if the value fits. */
export function ownProblem(schema: JsonObject, value: Json, spend: Spend): string | undefined {
  return typeProblem(schema, value) ?? choiceProblem(schema, value, spend) ?? sizeProblem(schema, value, spend);
}

/** Whether only the server knows all that this schema says of the value. */
export function isLeftToServer(schema: JsonObject, value: Json): boolean {
  const { format } = schema;
  return (
    LEFT_KEYWORDS.some((keyword) => keyword in schema) || (typeof format === 'string' && isFormatLeft(value, format))
  );
}

const LEFT_KEYWORDS = [
  ...['pattern', 'patternProperties', 'uniqueItems'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'],
];

function typeProblem({ type, nullable }: JsonObject, value: Json): string | undefined {
  if (type === undefined || (nullable === true && value === null)) return undefined;
  const types: readonly Json[] = Array.isArray(type) ? type : [type];
  return types.some((one) => isOfType(value, one)) ? undefined : `must be ${types.join()}`;
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function choiceProblem(schema: JsonObject, value: Json, spend: Spend): string | undefined {
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value, spend)))
    return 'must be equal to one of the allowed values';
  if (schema.const !== undefined && !isSame(schema.const, value, spend)) return 'must be equal to constant';
  return undefined;
}

function isSame(one: Json, other: Json, spend: Spend): boolean {
  spend(1);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  spend(members.length);
  const others = new Map(Object.entries(other));
  if (members.length !== others.size) return false;
  return members.every(([name, value]) => {
    const same = others.get(name);
    return same !== undefined && isSame(value, same, spend);
  });
}

function sizeProblem(schema: JsonObject, value: Json, spend: Spend): string | undefined {
  if (typeof value === 'number') return numberProblem(schema, value);
  if (typeof value === 'string') return textProblem(schema, value, spend);
  if (Array.isArray(value)) return countProblem(value.length, [schema.minItems, schema.maxItems], 'items');
  if (!isJsonObject(value)) return undefined;
  const { required, minProperties, maxProperties } = schema;
  const names = Array.isArray(required) ? required : [];
  spend(names.length);
  const missing = names.find((name) => !Object.hasOwn(value, String(name)));
  if (missing !== undefined) return `must have required property '${missing}'`;
  if (minProperties === undefined && maxProperties === undefined) return undefined;
  const count = Object.keys(value).length;
  spend(count);
  return countProblem(count, [minProperties, maxProperties], 'properties');
}

function countProblem(
  count: number,
  [least, most]: readonly [Json | undefined, Json | undefined],
  what: string,
): string | undefined {
  if (typeof least === 'number' && count < least) return `must NOT have fewer than ${least} ${what}`;
  if (typeof most === 'number' && count > most) return `must NOT have more than ${most} ${what}`;
  return undefined;
}

function numberProblem(schema: JsonObject, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return `must be >= ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `must be <= ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `must be > ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `must be < ${exclusiveMaximum}`;
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf))
    return `must be multiple of ${multipleOf}`;
  return undefined;
}

function textProblem({ minLength, maxLength, format }: JsonObject, value: string, spend: Spend): string | undefined {
  if (minLength !== undefined || maxLength !== undefined) {
    spend(value.length);
    const wrong = countProblem([...value].length, [minLength, maxLength], 'characters');
    if (wrong !== undefined) return wrong;
  }
  if (typeof format !== 'string' || isFormatLeft(value, format)) return undefined;
  spend(value.length);
  return hasFormat(value, format) ? undefined : `must match format "${format}"`;
}

function isFormatLeft(value: Json, format: string): boolean {
  return !FORMATS.has(format) || (typeof value === 'string' && value.length > FORMAT_CHARS);
}

const FORMAT_CHARS = 1_000;

/** The pattern for `url` reads a text many times, and `regex` makes a pattern of it. The last four are about numbers. */
const LEFT_OUT: readonly string[] = ['url', 'regex', 'int32', 'int64', 'float', 'double'];

const FORMATS: ReadonlyMap<string, unknown> = new Map(
  Object.entries(fullFormats).filter(([name]) => !LEFT_OUT.includes(name)),
);

function hasFormat(value: string, name: string): boolean {
  const format = FORMATS.get(name);
  const check = format instanceof RegExp || typeof format === 'function' ? format : validatorOf(format);
  if (check instanceof RegExp) return check.test(value);
  return typeof check !== 'function' || check(value) !== false;
}

function validatorOf(format: unknown): unknown {
  return typeof format === 'object' && format !== null && 'validate' in format ? format.validate : undefined;
}
