import type { Json } from '../../../interventions/index.ts';
import { isJsonObject } from '../../json.ts';

/**
 * The keyword of a schema that does not say what JSON Schema lets it say, or `undefined`. With such a tool, the provider
 * of the model would refuse every request of every thread. Each part is looked at once.
 */
export function badKeyword(root: Json): string | undefined {
  const left: Json[] = [root];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (typeof schema === 'boolean') continue;
    for (const [keyword, value] of Object.entries(schema ?? {})) {
      const inner = SHAPES.get(keyword)?.(value) ?? [];
      if (inner === 'bad' || !inner.every(isSchema)) return keyword;
      for (const part of inner) left.push(part);
    }
  }
  return undefined;
}

/** The schemas inside of the value of a keyword, or that the value is bad. */
type Shape = (value: Json) => readonly Json[] | 'bad';

const oneSchema: Shape = (value) => [value];
const listOfSchemas: Shape = (value) => (Array.isArray(value) ? value : 'bad');
const schemasByName: Shape = (value) => (isJsonObject(value) ? Object.values(value) : 'bad');
const oneOrList: Shape = (value) => (Array.isArray(value) ? value : [value]);
const holding =
  (test: (value: Json) => boolean): Shape =>
  (value) =>
    test(value) ? [] : 'bad';
const number = holding((value) => typeof value === 'number');
const count = holding((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0);
const names = holding((value) => Array.isArray(value) && value.every((name) => typeof name === 'string'));

const TYPES = new Set<Json>(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const types = holding((value) =>
  Array.isArray(value) ? value.length > 0 && value.every((one) => TYPES.has(one)) : TYPES.has(value),
);
const dependencies: Shape = (value) =>
  isJsonObject(value) ? Object.values(value).filter((each) => names(each) === 'bad') : 'bad';

const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['type', types],
  ['required', names],
  ['enum', holding(Array.isArray)],
  ['$ref', holding((value) => typeof value === 'string')],
  ...of(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], number),
  ...of(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
  ...of(['minContains', 'maxContains'], count),
  ...of(['additionalProperties', 'propertyNames', 'additionalItems', 'contains'], oneSchema),
  ...of(['not', 'if', 'then', 'else'], oneSchema),
  ...of(['anyOf', 'oneOf', 'allOf', 'prefixItems'], listOfSchemas),
  ...of(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'], schemasByName),
  ['items', oneOrList],
  ['dependencies', dependencies],
]);

function of(keywords: readonly string[], shape: Shape): readonly (readonly [string, Shape])[] {
  return keywords.map((keyword) => [keyword, shape]);
}

function isSchema(value: Json): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}
