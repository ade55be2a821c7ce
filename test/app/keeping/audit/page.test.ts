import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { brokenChain } from '../../../../app/keeping/audit/page.ts';
import { createStoreTime } from '../../../../app/recorder/reading.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { runId, started, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

async function journal() {
  const store = createModelStore(testClock(1_000));
  const elapsed = () => 1_000;
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const deps = { store, entryId, elapsed, storeTime: createStoreTime({ elapsed }), isAlone: true };
  await openRunJournal(deps, runId()).commit(() => ({ entries: [started, turn(1, 'a')], result: undefined }));
  return store.read(runId());
}

it('a journal whose entries are as they were written is whole (T19)', async () => {
  expect(brokenChain(await journal())).toBeUndefined();
});

it.each([0, 1])(
  'an entry that is stored under another id than its own is found, also entry %i (T19)',
  async (changed) => {
    const page = await journal();
    const entries = page.entries.map((entry, at) => (at === changed ? { ...entry, id: 'another' } : entry));

    expect(brokenChain({ ...page, entries })).toBe(
      `entry ${changed} is not stored under its own id, so it was altered`,
    );
  },
);
