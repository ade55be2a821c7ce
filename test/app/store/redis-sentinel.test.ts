import { expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import type { Hint } from '../../../app/store/store.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { appendOf, newRun, newThread } from '../../support/store.ts';

it('a store behind sentinels goes on with the replica when the primary dies (FR11)', async () => {
  const sentinels = await startSentinels();
  const store = await createRedisStore({ place: readRedisUrl(sentinels.url), log: silentLog });
  const thread = newThread();
  const run = newRun(store, thread);
  const heard: Hint[] = [];
  let gaps = 0;
  await store.watch({
    onHint: ({ entries: _entries, ...hint }) => heard.push(hint),
    onGap: () => {
      gaps += 1;
    },
  });
  await store.append(appendOf(run, 0, { id: 'before' }));
  // What has not reached the replica when the primary dies is lost. This has.
  await sentinels.caughtUp();
  const before = gaps;

  const dying = sentinels.failOver();
  const written = await store.patient.append(appendOf(run, 1, { id: 'meanwhile' }));
  await dying;

  await expect.poll(() => gaps).toBeGreaterThan(before);
  expect(['ok', 'already']).toContain(written.type);
  const { entries, version } = await store.patient.read(run);
  expect(entries[0]?.id).toBe('before');
  const hint = { thread, run, version: version + 1 };
  await store.patient.append(appendOf(run, version, { effects: [{ type: 'hint', hint }] }));
  await expect.poll(() => heard).toContainEqual(hint);

  await store.close();
  await sentinels.remove();
});
