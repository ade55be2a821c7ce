import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Json } from '../../../../interventions/index.ts';
import { SERVER_LIMITS } from '../limits.ts';
import type { JsonObject } from './json-object.ts';

/** The keyword that counts steps. Its value is how many parts are checked besides the items and members of the input. */
export const STEP = 'x-countersign-step';

/** The budget of a check is spent. A schema that refers to itself can double the work with each level of an input. */
class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** Compiles a schema that counts its steps. The check returns what is wrong with an input, or `undefined`. */
export function boundedCheck(schema: JsonObject): (input: Json) => string | undefined {
  let left = 0;
  // References are called, not copied: copies can make the compiled code far longer than the schema.
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: false, inlineRefs: false });
  addFormats.default(ajv);
  ajv.addKeyword({
    keyword: STEP,
    // It must run before every keyword that leads to other parts.
    before: '$ref',
    errors: false,
    validate: (parts: number, data: unknown) => {
      left -= parts + sizeOf(data);
      if (left < 0) throw new BudgetError();
      return true;
    },
  });
  const validate = new AjvJsonSchemaValidator(ajv).getValidator(schema);
  return (input) => {
    left = SERVER_LIMITS.checkSteps;
    try {
      const checked = validate(input);
      return checked.valid ? undefined : checked.errorMessage;
      // The budget is spent, or a reference that leads back to itself at the same place overflowed the stack.
    } catch (error) {
      if (error instanceof BudgetError || error instanceof RangeError)
        return 'its schema takes too long to check this input. Send a smaller or simpler one';
      throw error;
    }
  };
}

function sizeOf(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  return typeof data === 'object' && data !== null ? Object.keys(data).length : 0;
}
