import { expect, it } from 'vitest';
import { onFailure } from '../../../app/agent/on-failure.ts';

it('gives the result of the work, and does nothing after it', async () => {
  const seen: unknown[] = [];

  expect(
    await onFailure(
      () => 'done',
      (error) => void seen.push(error),
    ),
  ).toBe('done');
  expect(seen).toEqual([]);
});

it('throws the failure of the work only after the last step has ended', async () => {
  const order: string[] = [];
  const work = () => Promise.reject(new Error('lost'));
  const last = async (error: unknown) => {
    order.push(`begins after ${String(error)}`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push('ends');
  };

  await onFailure(work, last).catch((error: unknown) => order.push(`thrown: ${String(error)}`));

  expect(order).toEqual(['begins after Error: lost', 'ends', 'thrown: Error: lost']);
});

it('throws the failure of the last step when that fails as well', async () => {
  const lost = () => Promise.reject(new Error('lost'));
  const last = () => Promise.reject(new Error('not closed'));

  await expect(onFailure(lost, last)).rejects.toThrow('not closed');
});
