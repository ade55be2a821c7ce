import { expect, it } from 'vitest';
import { NewerEntryError } from '../../../../app/journal/line/line.ts';
import { NewerJournalError, unlessNewer } from '../../../../app/journal/line/newer.ts';
import { runId } from '../../../support/journal.ts';

const newer = new NewerJournalError(runId(), new NewerEntryError('an entry'));

it('gives the result of the work while this version reads the journal', async () => {
  expect(
    await unlessNewer(
      async () => 'done',
      () => 'waits',
    ),
  ).toBe('done');
});

it('gives the other result when only a newer version reads the journal', async () => {
  expect(
    await unlessNewer(
      () => Promise.reject(newer),
      (error) => error,
    ),
  ).toBe(newer);
});

it('throws every other failure of the work', async () => {
  const away = () => Promise.reject(new Error('away'));

  await expect(unlessNewer(away, () => 'waits')).rejects.toThrow('away');
});
