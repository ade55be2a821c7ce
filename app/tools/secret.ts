import type { z } from 'zod';

/**
 * Marks a member of an input as a secret: people, logs, traces and the audit see a fingerprint in its place, and the tool
 * gets the value. In the schema it is `writeOnly`, which the tools of tool servers may say as well.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), writeOnly: true });
}
