import { describe, expect, it } from 'vitest';
import type { CallOutcome, TrustedCalls } from '../../../../app/records/index.ts';
import { trustedLine } from '../../../../handlers/views/reply/trusted-line.ts';
import { buttonTexts, expectToFit, ofType, textOf } from '../fits.ts';
import { ANN, BEN, GRANT } from '../records.ts';

const call = (summary: string, outcome: CallOutcome = { type: 'ran', ms: 1_200 }) => ({ summary, outcome });
const line = 'restart_service with any input, in this thread, for 1 hour';
const shown = (changes: Partial<TrustedCalls> = {}) =>
  trustedLine({ trust: GRANT, tool: 'restart_service', by: ANN, line, calls: [call('Restart mail.')], ...changes });
const words = (changes: Partial<TrustedCalls> = {}): string => textOf(shown(changes).blocks);

describe('the line of calls on trust', () => {
  it('ends with how the call came out, and has the sentence of the trust below (SURF-1)', () => {
    expect(words()).toContain('Restart mail. Ran in 1.2 s.');
    expect(words()).toContain(line);
    expect(words()).toContain(`Trusted by <@${ANN}>`);
    expect(shown().text).toBe('`restart_service` without asking: Restart mail. Ran in 1.2 s.');
  });

  it.each<[CallOutcome, string]>([
    [{ type: 'running' }, 'Restart mail. Running.'],
    [{ type: 'failed', ms: 300 }, 'Restart mail. Ran for 300 ms and failed.'],
    [{ type: 'failed', ms: 300, stopped: true }, 'Restart mail. Ran for 300 ms and was stopped.'],
    [{ type: 'unknown' }, 'Restart mail. It may or may not have run'],
  ])('says %j of its call (SURF-1)', (outcome, said) => {
    expect(words({ calls: [call('Restart mail', outcome)] })).toContain(said);
  });

  it('grows by each call on the same trust, and counts those that it has no room for (SURF-1, P53)', () => {
    const calls = Array.from({ length: 14 }, (_, at) =>
      call(`Restart ${at}.`, at === 2 ? { type: 'unknown' } : undefined),
    );

    expect(words({ calls })).toContain('without asking, 14 calls');
    expect(words({ calls })).toContain('4 earlier calls: 3 ran, 1 failed or have no known end.');
    expect(words({ calls })).not.toContain('Restart 3.');
    expect(words({ calls })).toContain('Restart 4.');
    expect(shown({ calls }).text).toContain('The latest: Restart 13. Ran in 1.2 s.');
  });

  it('has Stop trusting, named for a screen reader, only until the trust has ended (SURF-1)', () => {
    const labels = ofType(shown().blocks, 'button').map(({ accessibility_label }) => accessibility_label);
    expect(labels).toEqual(['Stop trusting restart_service: it asks again']);

    const over = shown({ over: { by: BEN, atMs: 0 } });
    expect(buttonTexts(over.blocks)).toEqual([]);
    expect(textOf(over.blocks)).toContain(`Trust ended by <@${BEN}>`);
    expect(words({ over: { atMs: 0 } })).toMatch(/Trust ended · /);
  });

  it('shows hostile words letter for letter and fits, whatever a tool says of its calls', () => {
    for (const text of hostileTexts) expectToFit(shown({ tool: text, line: text, calls: Array(30).fill(call(text)) }));
  });
});

const hostileTexts = ['<!channel> <@U0BEN00001> *bold*', 'x'.repeat(5_000), '\n\u202e'.repeat(500)];
