import { z } from 'zod';

/** A long text is kept among the run's items; `at` is its position. */
export const TextRef = z.union([z.object({ text: z.string() }), z.object({ at: z.number().int() })]).readonly();
export type TextRef = z.infer<typeof TextRef>;
