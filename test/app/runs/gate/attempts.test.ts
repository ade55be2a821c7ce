import { expect, it } from 'vitest';
import { createAttempts } from '../../../../app/runs/gate/attempts.ts';

it('an attempt belongs to its process while it runs, and to none after it ends or fails (MF-4)', async () => {
  let ids = 0;
  const attempts = createAttempts(() => `attempt-${++ids}`);
  const seen: boolean[] = [];
  const look = async (attempt: string) => {
    await Promise.resolve();
    seen.push(attempts.isMine(attempt));
    return attempt;
  };

  const ended = await attempts.run(look);
  const failed = attempts.run(async (attempt) => {
    await look(attempt);
    throw new Error('The store is away.');
  });
  await expect(failed).rejects.toThrow('The store is away.');
  await attempts.allEnded();

  expect(seen).toEqual([true, true]);
  expect([ended, 'attempt-2'].map(attempts.isMine)).toEqual([false, false]);
});
