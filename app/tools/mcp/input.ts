import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Json } from '../../../interventions/index.ts';
import type { ParsedInput } from '../../agent/ports.ts';

export type JsonObject = { readonly [key: string]: Json };

/**
 * Checks an input by a server's own schema before anybody is asked about it. Throws when the schema cannot be used.
 * Nothing is filled in or left out: what a default means is the server's affair.
 */
export function inputCheck(inputSchema: JsonObject): (input: Json) => ParsedInput {
  // Patterns are the server's code on our thread: one of them can take for ever on a short text. It checks them itself.
  const schema = withoutPatterns(inputSchema);
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  return (input) => {
    if (typeof input === 'string')
      return { ok: false, problem: 'it is not valid JSON. Send it again as one JSON object.' };
    const checked = validate(input);
    if (checked.valid) return { ok: true, input };
    return { ok: false, problem: `${checked.errorMessage.slice(0, 1_000)}.` };
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

/** Keywords whose value holds data, not a schema. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Keywords whose value maps free names to schemas. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

function withoutPatterns(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (key === 'pattern' || key === 'patternProperties' || key === '$id' || key === 'id') return [];
    // Without the patterns, what else is allowed can no longer be told.
    if (/^(?:additional|unevaluated)Properties$/.test(key) && 'patternProperties' in schema) return [];
    if (DATA.has(key)) return [[key, value]];
    if (MAPS.has(key) && isJsonObject(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]))]];
    return [[key, inside(value)]];
  });
  return Object.fromEntries(kept);
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map(inside);
  return isJsonObject(value) ? withoutPatterns(value) : value;
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
