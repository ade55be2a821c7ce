import { z } from 'zod';

/** A part of an input that is hidden by its name or by a pattern, and that the tool's schema does not declare secret. */
export const Undeclared = z
  .object({ name: z.string(), by: z.enum(['name', 'pattern']), chars: z.number().int() })
  .readonly();
export type Undeclared = z.infer<typeof Undeclared>;
