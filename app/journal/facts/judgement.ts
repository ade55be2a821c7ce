import { z } from 'zod';
import { StoredDecisionRule } from '../../records/index.ts';

/** The rules that a question was asked under. An approval given under other rules does not answer it. */
export const AskedUnder = z
  .object({ effect: z.enum(['asked', 'guarded']), rule: StoredDecisionRule, secondFactor: z.literal(true).optional() })
  .readonly();
export type AskedUnder = z.infer<typeof AskedUnder>;
