import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../app/clock.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import { describeStore } from './contract.ts';

describeStore('the embedded store', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
  const store = createSqliteStore({ dataDir, clock: systemClock });
  return {
    store,
    other: store,
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});
