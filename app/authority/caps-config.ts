import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { mayBeOfServer, type Tool } from '../tools/index.ts';

/** How much may be used before the run stops. A member that is left out has no cap. */
export interface Cap {
  /** Started calls of tools. */
  readonly calls?: number | undefined;
  /** Questions that people are asked. */
  readonly cards?: number | undefined;
  /** Cost of the model, in the currency of `model.prices`. */
  readonly cost?: number | undefined;
  /** Tokens that the model read and wrote, from a cache as well: the cost where no prices are known. */
  readonly tokens?: number | undefined;
  /** Minutes in which the model or a tool works; waiting for people does not count. */
  readonly minutes?: number | undefined;
}

export interface Caps {
  readonly perRun?: Cap | undefined;
  /** For all runs of a thread together. */
  readonly perThread?: Cap | undefined;
  /** For all runs that one person began on one day, by UTC. */
  readonly perRequester?: Cap | undefined;
  /** For all calls of one tool in runs that began on one day, by the tool's name. */
  readonly perTool?: Readonly<Record<string, Pick<Cap, 'calls' | 'cards'>>> | undefined;
}

const most = z.number('must be a number').positive('must be above 0');
const whole = most.int('must be a whole number');
const CapSchema = z.strictObject({
  calls: whole.optional(),
  cards: whole.optional(),
  cost: most.optional(),
  tokens: whole.optional(),
  minutes: most.optional(),
});

export const CAPS = {
  /** Each run has caps, which a deployment can raise. They are far above what an honest run uses. */
  perRun: CapSchema.extend({
    calls: whole.default(LIMITS.callsPerRun),
    cards: whole.default(LIMITS.cardsPerRun),
    tokens: whole.default(LIMITS.tokensPerRun),
  }).prefault({}),
  perThread: CapSchema.optional(),
  perRequester: CapSchema.optional(),
  perTool: z.record(z.string(), CapSchema.pick({ calls: true, cards: true })).optional(),
};

export interface CapProblem {
  readonly path: readonly string[];
  readonly problem: string;
}

/** Finds a cap that could never be reached, because the operator would rely on it in vain. */
export function problemWithCaps(caps: Caps, tools: readonly Tool[], hasPrices: boolean): CapProblem | undefined {
  for (const which of ['perRun', 'perThread', 'perRequester'] as const) {
    if (caps[which]?.cost !== undefined && !hasPrices)
      return {
        path: [which, 'cost'],
        problem: 'needs model.prices, from which the cost is computed. Add them',
      };
  }
  const known = tools.map(({ name }) => name);
  const unknown = Object.keys(caps.perTool ?? {}).find((name) => !known.includes(name) && !mayBeOfServer(name));
  if (unknown === undefined) return undefined;
  return { path: ['perTool', unknown], problem: `is not the name of a tool. Write one of these: ${known.join(', ')}` };
}
