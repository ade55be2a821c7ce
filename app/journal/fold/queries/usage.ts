import type { RunState, RunUsage, Tokens } from '../state.ts';

export const NO_USAGE: RunUsage = { runs: 0, turns: 0, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };

/** The usage of one run. */
export function usageOf({ turns, tokens }: RunState): RunUsage {
  return { runs: 1, turns, tokens };
}

/** The usage of a run and all earlier runs of its thread. A journal without `earlier` counts only its own run. */
export function usageSoFar(state: RunState): RunUsage {
  return addUsage(state.earlier ?? NO_USAGE, usageOf(state));
}

export function addUsage(one: RunUsage, other: RunUsage): RunUsage {
  const [a, b] = [one.tokens, other.tokens];
  return {
    runs: one.runs + other.runs,
    turns: one.turns + other.turns,
    tokens: {
      input: a.input + b.input,
      output: a.output + b.output,
      cacheRead: a.cacheRead + b.cacheRead,
      cacheWrite: a.cacheWrite + b.cacheWrite,
    },
  };
}

/** The price of a million tokens of each kind, in the currency of the deployment. */
export type Prices = Tokens;

/** Prices change and differ, so none is built in: a deployment that wants costs configures its prices. */
export function costOf(tokens: Tokens, prices: Prices): number {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const parts =
    input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite;
  return parts / 1_000_000;
}
