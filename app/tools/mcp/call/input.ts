import type { Json } from '../../../../interventions/index.ts';
import type { ParsedInput } from '../../../agent/index.ts';
import { schemaProblem } from '../schema-bounds.ts';
import { boundedCheck, STEP } from './bounded-check.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/**
 * Checks an input by a server's own schema before anybody is asked about it. Throws when the schema cannot be used.
 * Nothing is filled in or left out: what a default means is the server's affair.
 */
export function inputCheck(inputSchema: JsonObject): (input: Json) => ParsedInput {
  const unusable = schemaProblem(inputSchema);
  if (unusable !== undefined) throw new Error(`The schema cannot be used: ${unusable}.`);
  const check = boundedCheck(counted(inputSchema));
  return (input) => {
    if (typeof input === 'string')
      return { ok: false, problem: 'it is not valid JSON. Send it again as one JSON object.' };
    const problem = check(input);
    return problem === undefined ? { ok: true, input } : { ok: false, problem: `${problem.slice(0, 1_000)}.` };
  };
}

/** As the model may be shown it: its provider refuses a choice at the top, and the check above still makes it. */
export function schemaForModel({
  anyOf: _any,
  oneOf: _one,
  allOf: _all,
  $schema: _schema,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

/** Keywords that check nothing. A reference could make a schema of what they hold. */
const NOTES = new Set(['default', 'example', 'examples']);
/** Keywords whose value holds data, not a schema. */
const DATA = new Set(['const', 'enum', 'dependentRequired', 'type', 'required']);
/** Keywords whose value maps free names to schemas. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/**
 * The schema with a count of steps in each of its parts. Left out is what can take for ever on a short input, the
 * patterns and the comparison of all items with each other: the server checks these itself.
 */
function counted(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === 'pattern' || key === 'patternProperties' || key === 'uniqueItems') return [];
    if (key === '$id' || key === 'id' || key === STEP || NOTES.has(key)) return [];
    // Without the patterns, what else is allowed can no longer be told.
    if (/^(?:additional|unevaluated)Properties$/.test(key) && 'patternProperties' in schema) return [];
    if (DATA.has(key)) return [[key, value]];
    if (MAPS.has(key) && isJsonObject(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]))]];
    return [[key, inside(value)]];
  });
  return { ...Object.fromEntries(kept), [STEP]: partsOf(schema) };
}

/** How many parts below this one a check may look at without coming to another count. */
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
