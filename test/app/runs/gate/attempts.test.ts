import { expect, it } from 'vitest';
import { createAttempts } from '../../../../app/runs/gate/attempts.ts';
import { newId } from '../../../../app/store/index.ts';

const RUN = newId('r', 0);

it('an attempt belongs to its process while it runs, and to none after it ends or fails (MF-4)', async () => {
  let ids = 0;
  const attempts = createAttempts(() => `attempt-${++ids}`);
  const seen: boolean[] = [];
  const look = async (attempt: string) => {
    await Promise.resolve();
    seen.push(attempts.isMine(attempt));
    return attempt;
  };

  const ended = await attempts.run(RUN, look);
  const failed = attempts.run(RUN, async (attempt) => {
    await look(attempt);
    throw new Error('The store is away.');
  });
  await expect(failed).rejects.toThrow('The store is away.');
  await attempts.allEnded(RUN);

  expect(seen).toEqual([true, true]);
  expect([ended, 'attempt-2'].map(attempts.isMine)).toEqual([false, false]);
});

it('a run waits for its own attempts, and not for those of other runs', async () => {
  const attempts = createAttempts(() => 'attempt');
  void attempts.run(newId('r', 0), () => new Promise(() => {}));
  let ended = false;

  void attempts.allEnded(RUN).then(() => (ended = true));
  await new Promise(setImmediate);

  expect(ended).toBe(true);
});
