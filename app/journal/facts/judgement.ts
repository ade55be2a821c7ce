import { z } from 'zod';
import { StoredDecisionRule } from '../../records/index.ts';

/** The judgement that a question was asked under, and a yes given. A rule of another day is another question. */
export const AskedUnder = z
  .object({ effect: z.enum(['asked', 'guarded']), rule: StoredDecisionRule, secondFactor: z.literal(true).optional() })
  .readonly();
export type AskedUnder = z.infer<typeof AskedUnder>;
