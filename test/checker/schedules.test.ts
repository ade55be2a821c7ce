import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../app/journal/fold/queries/approvals.ts';
import { CORE } from './core.ts';
import { CROWD, TRUSTING_CROWD } from './scenarios.ts';
import { walk } from './walk.ts';

/* A file beside this one keeps each schedule that once broke a promise. The test tries these first. */
const KEPT = new URL('./kept-schedules.json', import.meta.url);
const SOAK = process.env.SOAK !== undefined;
const LONG_MS = 3_600_000;
const RUNS = SOAK ? 200_000 : 1_500;

const schedule = fc.array(fc.nat({ max: 9_999 }), { minLength: 20, maxLength: 150, size: 'max' });
const kept = (): readonly number[][] => (existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : []);

/** `CHECKER_SEED` repeats a printed schedule. */
const seed = Number(process.env.CHECKER_SEED ?? Date.now() % 2 ** 31);

describe('four replicas, three calls and six pressers', () => {
  it.each([
    ['keep every promise in random order (D1, D2, D3, D4, D6, D9)', CROWD],
    ['keep every promise on a trust that is revoked (D1, D2, D3, D4, D6, D9)', TRUSTING_CROWD],
  ])('%s', { timeout: LONG_MS }, (_what, scenario) => {
    let steps = 0;
    const property = fc.property(schedule, (choices) => {
      const walked = walk(scenario, choices);
      steps += walked.steps;
      expect(walked.found).toBeUndefined();
    });
    const details = fc.check(property, {
      seed,
      numRuns: RUNS,
      examples: kept().map((choices): [number[]] => [choices]),
    });
    process.stdout.write(`Random schedules: ${RUNS} of them, ${steps} steps, seed ${seed}\n`);

    const [failing] = details.counterexample ?? [];
    if (failing !== undefined) writeFileSync(KEPT, `${JSON.stringify([...kept(), failing])}\n`);
    expect(details.failed, fc.defaultReportMessage(details)).toBe(false);
  });

  it.each([
    ['an append that is let in at any version (FP1)', { fits: () => true }],
    ['a press that does not look who presses (D1)', { rightOf: () => ({ type: 'allowed' as const }) }],
    [
      'a start that ignores the digest (P18)',
      {
        decideStart: (state, start) =>
          CORE.decideStart(state, { ...start, digest: approvalOf(state, start.call)?.digest ?? start.digest }),
      },
    ],
  ] satisfies readonly (readonly [string, Partial<typeof CORE>])[])('and would find %s', (_what, off) => {
    const core = { ...CORE, ...off };
    const details = fc.check(
      fc.property(schedule, (choices) => walk(CROWD, choices, core).found === undefined),
      { seed: 1, numRuns: 500 },
    );

    expect(details.failed).toBe(true);
  });
});
