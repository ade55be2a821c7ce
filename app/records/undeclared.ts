import { z } from 'zod';

/** A hidden part of an input that the tool's schema does not declare secret: its name or a pattern gave it away. */
export const Undeclared = z
  .object({ name: z.string(), by: z.enum(['name', 'pattern']), chars: z.number().int() })
  .readonly();
export type Undeclared = z.infer<typeof Undeclared>;
