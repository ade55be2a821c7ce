import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../../app/journal/fold/queries/usage.ts';
import { inMoney, usageView } from '../../../handlers/views/pages/usage-view.ts';
import { expectToFit } from './fits.ts';

const tokens = { input: 12_345, output: 678, cacheRead: 90_000, cacheWrite: 4_321 };
const spent = { runs: 3, turns: 12, tokens, cost: { amount: 1.239, currency: 'EUR' } };

describe('what was used in a thread', () => {
  it('the usage of a thread names tokens of each kind, and money', () => {
    const view = usageView({ thread: spent, running: { ...spent, runs: 1, turns: 2, cost: undefined } });

    expectToFit(view);
    expect(JSON.stringify(view)).toContain('*Used in this thread*: 12 answers in 3 runs');
    expect(JSON.stringify(view)).toContain(
      '12,345 tokens read · 90,000 read from the cache · 4,321 written to it · 678 written · *1.24 EUR*',
    );
    expect(JSON.stringify(view)).toContain('The current run: ');
  });

  it('the usage of a thread with one token read says so in the singular', () => {
    const view = usageView({ thread: { ...spent, tokens: { ...tokens, input: 1 } }, running: undefined });

    expect(JSON.stringify(view)).toContain('1 token read · ');
  });

  it('the usage of a thread does not say twice what only one run used, and says what money needs', () => {
    const one = { ...spent, runs: 1, cost: undefined };
    const text = JSON.stringify(usageView({ thread: one, running: one }));

    expect(text).toContain('12 answers in 1 run');
    expect(text).not.toContain('going on');
    expect(text).toContain('set model.prices');
  });

  it('the usage of a thread says that there is none yet', () => {
    const view = usageView({ thread: { ...NO_USAGE, cost: undefined }, running: undefined });

    expectToFit(view);
    expect(view.text).toContain('so nothing was used');
  });

  it.each([
    [0, undefined, '0.00'],
    [0.00001, 'USD', 'less than 0.0001 USD'],
    [0.01234, 'USD', '0.0123 USD'],
    [0.99999, 'EUR', '1.0000 EUR'],
    [1, undefined, '1.00'],
    [12_345.678, 'EUR', '12,345.68 EUR'],
  ])('an amount of %d %s is written as %s', (amount, currency, shown) => {
    expect(inMoney({ amount, currency })).toBe(shown);
  });
});
