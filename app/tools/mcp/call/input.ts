import type { Json } from '../../../../interventions/index.ts';
import type { ParsedInput } from '../../../agent/index.ts';
import type { JsonObject } from '../../../json.ts';
import { shortened } from '../../../log.ts';
import { schemaProblem } from '../schema-bounds.ts';
import { boundedCheck } from './bounded-check.ts';

/**
 * Checks an input by the server's own schema before people are asked about it. Throws when the schema cannot be used. It
 * fills in and removes nothing, because only the server knows what a default means.
 */
export function inputCheck(inputSchema: JsonObject): (input: Json) => ParsedInput {
  const unusable = schemaProblem(inputSchema);
  if (unusable !== undefined) throw new Error(`The schema cannot be used: ${unusable}.`);
  const check = boundedCheck(inputSchema);
  return (input) => {
    if (typeof input === 'string')
      return { ok: false, problem: 'it is not valid JSON, or nested too deeply. Send it again as one JSON object.' };
    const problem = check(input);
    if (problem !== undefined) return { ok: false, problem: `${shortened(problem)}.` };
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
