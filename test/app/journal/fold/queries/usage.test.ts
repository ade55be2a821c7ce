import { describe, expect, it } from 'vitest';
import { EntryBody } from '../../../../../app/journal/facts/entries.ts';
import { costOf, usageOf, usageSoFar } from '../../../../../app/journal/fold/queries/usage.ts';
import { fold, runId, started, THREAD, turn, user } from '../../../../support/journal.ts';

const tokens = { input: 100, output: 10, cacheRead: 1_000, cacheWrite: 50 };
const turnOf = (number: number, spent = tokens): EntryBody => ({ ...turn(number), tokens: spent }) as EntryBody;
const later = (changes: object = {}): EntryBody =>
  EntryBody.parse({
    type: 'run-started',
    run: runId(2),
    thread: THREAD,
    requester: user('ANN'),
    previous: runId(),
    ...changes,
  });

describe('the usage of the model', () => {
  it('is the sum over the turns of a run', () => {
    const state = fold(started, turnOf(1), turnOf(2, { ...tokens, output: 5 }));

    expect(usageOf(state)).toEqual({
      runs: 1,
      turns: 2,
      tokens: { input: 200, output: 15, cacheRead: 2_000, cacheWrite: 100 },
    });
  });

  it('adds to what the first entry of a run says of earlier runs', () => {
    const before = usageSoFar(fold(started, turnOf(1)));
    const state = fold(later({ earlier: before }), turnOf(1));

    expect(usageSoFar(state)).toEqual({
      runs: 2,
      turns: 2,
      tokens: { input: 200, output: 20, cacheRead: 2_000, cacheWrite: 100 },
    });
    expect(usageOf(state).runs).toBe(1);
  });

  it('is read from an older journal that says nothing of earlier runs', () => {
    const state = fold(later(), turnOf(1));

    expect(state.earlier).toBeUndefined();
    expect(usageSoFar(state)).toEqual(usageOf(state));
  });
});

it('counts each kind of token at its own price', () => {
  expect(costOf(tokens, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(0.0009375, 10);
});
