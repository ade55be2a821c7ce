import { z } from 'zod';
import { DecisionRule } from '../../records/index.ts';

/** What a yes was given under: the class of the call and who decides about it. A rule of another day is another question. */
export const AskingTerms = z
  .object({ effect: z.enum(['asked', 'guarded']), rule: DecisionRule, secondFactor: z.literal(true).optional() })
  .readonly();
export type AskingTerms = z.infer<typeof AskingTerms>;
