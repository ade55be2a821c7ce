import { describe, expect, it } from 'vitest';
import { type Explored, explore } from './explore.ts';
import * as scenarios from './scenarios.ts';

/* `SOAK` follows what the build follows only to a stated depth, to the end. */
const SOAK = process.env.SOAK !== undefined;
const LONG_MS = 3_600_000;

function tell(name: string, { states, journals, ends, depth, whole }: Explored): void {
  const reach = whole ? `to the end of every schedule, the longest of ${depth} steps` : `to a depth of ${depth} steps`;
  process.stdout.write(`${name}: ${states} states, ${journals} journals, ${ends} ends, ${reach}\n`);
}

describe('no order of events breaks a promise', () => {
  it.each([
    ['with a crash and a lost reply (D1, D2, D3)', scenarios.CRASH_AND_LOST_REPLY],
    ['with a stop, an expiry and a stranger (D4, D6)', scenarios.STOP_AND_EXPIRY],
    ['with an input that changes after it was shown (P18)', scenarios.ANOTHER_INPUT],
    ['with a gate that does not wait for an answer (D1, D6)', scenarios.FAILED_OPEN],
    ['with a lost call, a retry and people who do not agree (D1, D2, D3)', scenarios.LOST_CALL],
    ['with a lost call, a stop and an expiry (D3, D6)', scenarios.LOST_CALL_AND_STOP],
    ['with a trust that is revoked (D1, D2, D3)', scenarios.TRUSTED],
    ['with two required approvers, one of whom presses twice or loses the right (P44)', scenarios.SEVERAL],
  ])('%s', { timeout: LONG_MS }, (name, scenario) => {
    const explored = explore(scenario);
    tell(name, explored);

    expect(explored.found).toBeUndefined();
    expect(explored.whole).toBe(true);
    // A checker that never gets anywhere would find nothing either.
    expect(explored.ends).toBeGreaterThan(100);
  });

  it.each([
    ['two replicas, two pressers, an expiry, a stop and a crash (D1, D2, D3, D4, D9)', scenarios.ALL_AT_ONCE],
    ['the same, with two who may decide (D1, D2, D3, D4, D9)', scenarios.ALL_AT_ONCE_AND_ENTITLED],
  ])('%s', { timeout: LONG_MS }, (name, scenario) => {
    const explored = explore(scenario, SOAK ? {} : { maxDepth: 12 });
    tell(name, explored);

    expect(explored.found).toBeUndefined();
    expect(explored.states).toBeGreaterThan(10_000);
  });
});
