import { expect, it } from 'vitest';
import { systemPrompt } from '../../../app/agent/prompt.ts';

it('is the same for every turn, so that it is read from the cache', () => {
  expect(systemPrompt()).toBe(systemPrompt({ instructions: ' ' }));
  expect(systemPrompt()).not.toMatch(/\d{4}/);
});

it('ends with the instructions of the deployment', () => {
  expect(systemPrompt({ instructions: 'Payments is ours.\n' })).toMatch(/\n\nPayments is ours\.$/);
});
