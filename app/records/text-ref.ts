import { z } from 'zod';

/** A text in the entry itself, or, when it is long, the position of an item of the run. */
export const TextRef = z.union([z.object({ text: z.string() }), z.object({ at: z.number().int() })]).readonly();
export type TextRef = z.infer<typeof TextRef>;
