import { expect, it } from 'vitest';
import { systemPrompt } from '../../../app/agent/prompt.ts';

it('is the same for every turn, so that it is read from the cache', () => {
  expect(systemPrompt()).toBe(systemPrompt({ instructions: ' ' }));
  expect(systemPrompt()).not.toMatch(/\d{4}/);
});

it('ends with the instructions of the deployment', () => {
  expect(systemPrompt({ instructions: 'Payments is ours.\n' })).toMatch(/\n\nPayments is ours\.$/);
});

it('asks the model to say what became of a call before it answers what people wrote while the call waited (SURF-1)', () => {
  expect(systemPrompt()).toMatch(
    /People may write while a call waits .*: say first what became of the call, and then answer the message\./,
  );
});
