import type { Json } from '../../../../interventions/index.ts';
import type { ParsedInput } from '../../../agent/index.ts';
import { schemaProblem } from '../schema-bounds.ts';
import { boundedCheck, STEP } from './bounded-check.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/**
 * Checks an input by the server's own schema before people are asked about it. Throws when the schema cannot be used. It
 * fills in and removes nothing, because only the server knows what a default means.
 */
export function inputCheck(inputSchema: JsonObject): (input: Json) => ParsedInput {
  const unusable = schemaProblem(inputSchema);
  if (unusable !== undefined) throw new Error(`The schema cannot be used: ${unusable}.`);
  const check = boundedCheck(counted(inputSchema));
  return (input) => {
    if (typeof input === 'string')
      return { ok: false, problem: 'it is not valid JSON. Send it again as one JSON object.' };
    const problem = check(input);
    if (problem !== undefined) return { ok: false, problem: `${problem.slice(0, 1_000)}.` };
    // `JSON.stringify` sends a negative zero as 0, so the card has to show 0 too.
    return { ok: true, input: JSON.parse(JSON.stringify(input)) };
  };
}

/** The schema for the model. Its provider refuses a choice at the top level; the check above still makes it. */
export function schemaForModel({
  anyOf: _any,
  oneOf: _one,
  allOf: _all,
  $schema: _schema,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

/** Keywords that check nothing. They are removed, because a reference could use their value as a schema. */
const NOTES = new Set(['default', 'example', 'examples']);
/** Keywords whose value holds data, not a schema. */
const DATA = new Set(['const', 'enum', 'dependentRequired', 'type', 'required']);
/** Keywords whose value maps free names to schemas. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/**
 * The schema with a count of steps in each part. Patterns and `uniqueItems` are left out, because they can take for ever
 * on a short input; the server checks them itself.
 */
function counted(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === 'pattern' || key === 'patternProperties' || key === 'uniqueItems') return [];
    if (key === '$id' || key === 'id' || key === STEP || NOTES.has(key)) return [];
    // Without the patterns, it is not known which other properties are additional.
    if (/^(?:additional|unevaluated)Properties$/.test(key) && 'patternProperties' in schema) return [];
    if (DATA.has(key)) return [[key, value]];
    if (MAPS.has(key) && isJsonObject(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]))]];
    return [[key, inside(value)]];
  });
  return { ...Object.fromEntries(kept), [STEP]: partsOf(schema) };
}

/** How many parts below this one a check may look at before it reaches the next count. */
function partsOf(schema: JsonObject): number {
  const children = Object.values(schema).map((value) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length : 1,
  );
  return children.reduce((sum, each) => sum + each, 1);
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map(inside);
  return isJsonObject(value) ? counted(value) : value;
}
