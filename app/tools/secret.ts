import { z } from 'zod';

/**
 * Marks a member of an input as a secret: people, logs, traces and the audit see a fingerprint, and the tool gets the
 * value. In the schema it is `writeOnly`; tool servers mark their secrets in the same way.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), writeOnly: true });
}

export function isSecret(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.meta()?.writeOnly === true;
}
