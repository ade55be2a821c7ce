import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../app/clock.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import { openWork } from '../../../app/work/open.ts';
import { describeWork } from './contract.ts';

describeWork('work in one process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-work-'));
  const store = createSqliteStore({ dataDir, clock: systemClock });
  return {
    store,
    open: (deps) => openWork({ ...deps, redisUrl: undefined }),
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});
