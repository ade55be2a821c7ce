import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { given } from '../../../app/given.ts';
import { silentLog } from '../../../app/log.ts';
import { type JournalName, ThreadKey } from '../../../app/records/index.ts';
import { newId } from '../../../app/store/ids.ts';
import { readRedisUrl } from '../../../app/store/redis/address.ts';
import { createRedisStore } from '../../../app/store/redis/store.ts';
import { createSqliteStore } from '../../../app/store/sqlite/store.ts';
import type { AppendRequest, Effect, Store } from '../../../app/store/store.ts';
import { createModelStore } from '../../support/model-store.ts';
import { emptyRedis } from '../../support/redis.ts';

/* Few names, so that what is done meets what was done. Times are far off or past, so that no clock has a say. */
const THREADS = ['T1:C1:1.1', 'T1:C1:2.2', 'T2:C2:3.3'].map((key) => ThreadKey.parse(key));
const RUNS = [newId('r', 0), newId('r', 0), newId('r', 0)];
const APPROVALS = [newId('a', 0), newId('a', 0)];
const GRANT = newId('g', 0);
const HOUR_MS = 3_600_000;

const thread = fc.constantFrom(...THREADS);
const runId = fc.constantFrom(...RUNS);
const approval = fc.constantFrom(...APPROVALS);
const journal: fc.Arbitrary<JournalName> = fc.constantFrom<JournalName>(...RUNS, GRANT);
const key = fc.constantFrom('a', 'ab', 'a b', '"', 'ü\n', '');
const line = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text));
const sooner = fc.constantFrom(0, HOUR_MS);
const lease = fc.constantFrom(0, HOUR_MS);
const item = fc.record({ what: fc.constantFrom('expiry', 'reminder', 'retention'), subject: approval });
const index = fc.record({
  what: fc.constantFrom('grants', 'waiting', 'threads'),
  of: fc.constantFrom('T1:x', 'T1:', 'T2:ü'),
});

const effect: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ type: fc.constant('due'), item, atMs: fc.constantFrom(1, 2, Date.now() + HOUR_MS) }),
  fc.record({ type: fc.constant('not-due'), item }),
  fc.record({ type: fc.constant('todo'), thread, inMs: sooner }),
  fc.record({ type: fc.constant('not-todo'), thread }),
  fc.record({ type: fc.constant('got-further'), thread }),
  fc.record({ type: fc.constant('approval'), approval, run: runId }),
  fc.record({ type: fc.constant('member'), index, member: line }),
  fc.record({ type: fc.constantFrom('member', 'not-member'), index, member: fc.constantFrom('x', '') }),
  fc.record({ type: fc.constant('current-run'), thread, run: runId }),
  fc.record({ type: fc.constant('current-run'), thread }),
  fc.record({ type: fc.constant('still-current'), thread, run: runId }),
  fc.record({ type: fc.constant('run-over'), thread, run: runId, index }),
  fc.record({ type: fc.constant('member'), index, member: thread }),
  fc.record({ type: fc.constant('drop-inbox'), thread, keys: fc.array(key, { maxLength: 3 }) }),
);

const request: fc.Arbitrary<AppendRequest> = fc
  .record({
    journal,
    expectedVersion: fc.nat({ max: 5 }),
    entries: fc.array(fc.record({ id: fc.constantFrom('e1', 'e2', 'e11'), text: line }), {
      minLength: 1,
      maxLength: 3,
    }),
    items: fc.array(line, { maxLength: 2 }),
    effects: fc.array(effect, { maxLength: 4 }),
    notAfterMs: fc.constantFrom(1, Date.now() + HOUR_MS),
  })
  .map((given) => ({ ...given, items: given.journal === GRANT ? [] : given.items }));

type Step = (store: Store) => Promise<unknown>;
const sorted = <Value>(list: readonly Value[]) => list.map((value) => JSON.stringify(value)).sort();

/** An append where the journal stands, elsewhere, or far too late. */
const appends = fc.tuple(request, fc.constantFrom('in place', 'anywhere', 'late')).map(
  ([{ notAfterMs = 0, ...given }, where]): Step =>
    async (store) => {
      const expectedVersion = where === 'anywhere' ? given.expectedVersion : (await store.read(given.journal)).version;
      const limit = where === 'late' ? { notAfterMs: 1 } : notAfterMs > 1 ? { notAfterMs } : {};
      const answer = await store.append({ ...given, expectedVersion, ...limit });
      return answer.type === 'late' ? { type: 'late' } : answer;
    },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: appends },
  fc.record({ key, thread, item: line }).map(
    (delivery): Step =>
      (store) =>
        store.take(delivery),
  ),
  fc.record({ key, thread }).map(
    (delivery): Step =>
      (store) =>
        store.take(delivery),
  ),
  lease.map(
    (leaseMs): Step =>
      async (store) =>
        sorted(await store.claimTodo({ limit: 99, leaseMs })),
  ),
  lease.map(
    (leaseMs): Step =>
      async (store) =>
        sorted(await store.claimDue({ limit: 99, leaseMs })),
  ),
  fc.tuple(thread, lease).map(
    ([which, leaseMs]): Step =>
      (store) =>
        store.renewTodo(which, leaseMs),
  ),
  fc.tuple(thread, lease).map(
    ([which, leaseMs]): Step =>
      (store) =>
        store.claimThread(which, leaseMs, 0),
  ),
  fc
    .record({
      thread,
      by: fc.constantFrom('A', 'B'),
      leaseMs: lease,
      earlyMs: lease,
      suspectInMs: fc.option(lease, { nil: undefined }),
      unsure: fc.boolean(),
    })
    .map(
      ({ suspectInMs, ...claim }): Step =>
        (store) =>
          store.takeInHand({ ...claim, ...given({ suspectInMs }) }),
    ),
  fc.tuple(thread, fc.constantFrom('A', 'B'), fc.option(lease, { nil: undefined })).map(
    ([which, by, inMs]): Step =>
      (store) =>
        store.letGo(which, by, inMs),
  ),
  fc
    .tuple(
      thread,
      fc.constantFrom('waiting' as const, 'stopping' as const),
      fc.option(fc.record({ by: fc.constantFrom('A', 'B'), deaths: fc.nat({ max: 2 }) }), { nil: undefined }),
    )
    .map(
      ([which, how, from]): Step =>
        (store) =>
          store.setAside(which, how, from),
    ),
  fc.tuple(thread, fc.constantFrom(0, 1, 'told' as const)).map(
    ([which, deaths]): Step =>
      (store) =>
        store.takeUp(which, deaths),
  ),
  fc.tuple(thread, fc.option(runId, { nil: undefined })).map(
    ([which, run]): Step =>
      (store) =>
        store.abandon(which, run),
  ),
  fc.tuple(item, fc.constantFrom(0, HOUR_MS, 'never' as const)).map(
    ([item, inMs]): Step =>
      (store) =>
        store.moveDue(item, inMs),
  ),
  fc.tuple(runId, thread, fc.nat({ max: 3 })).map(
    ([run, which, version]): Step =>
      (store) =>
        store.removeRun({
          run,
          version,
          thread: which,
          approvals: APPROVALS.slice(0, 1),
          due: [{ what: 'expiry', subject: APPROVALS[0] ?? run }],
          members: [{ index: { what: 'waiting', of: 'T1:x' }, member: 'one' }],
        }),
  ),
  fc
    .record({
      thread,
      run: fc.option(runId, { nil: undefined }),
      version: fc.nat({ max: 3 }),
      inboxLength: fc.nat({ max: 2 }),
    })
    .map(
      (seen): Step =>
        (store) =>
          store.restTodo(seen),
    ),
);

/** All that can be seen of it. */
async function everything(store: Store): Promise<unknown> {
  const journals = [...RUNS, GRANT].map(async (name) => {
    const { entries, version } = await store.read(name, 1);
    return { entries, version };
  });
  const threads = THREADS.map(async (name) => {
    const { currentRun, inbox } = await store.thread(name);
    return { currentRun, inbox };
  });
  const lists = (['grants', 'waiting', 'threads'] as const).flatMap((what) =>
    ['T1:x', 'T1:', 'T2:ü'].map(async (of) => sorted(await store.members({ what, of }))),
  );
  return {
    journals: await Promise.all(journals),
    items: await Promise.all(RUNS.map((name) => store.readItems(name))),
    approvals: await Promise.all(APPROVALS.map((name) => store.findApproval(name))),
    threads: await Promise.all(threads),
    lists: await Promise.all(lists),
    todo: sorted(await store.claimTodo({ limit: 99, leaseMs: HOUR_MS })),
    due: sorted(await store.claimDue({ limit: 99, leaseMs: HOUR_MS })),
  };
}

it('both engines answer every operation as the model of a store does', async () => {
  const url = await emptyRedis();
  const client = new Redis(url);
  const redis = await createRedisStore({ place: readRedisUrl(url), shards: 1, log: silentLog });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      await client.flushdb();
      const dataDir = mkdtempSync(join(tmpdir(), 'countersign-data-'));
      const sqlite = createSqliteStore({ dataDir, clock: systemClock });
      const model = createModelStore(systemClock);
      try {
        for (const [index, run] of steps.entries()) {
          const expected = await run(model);
          expect(await run(sqlite), `SQLite, step ${index}`).toEqual(expected);
          expect(await run(redis), `Redis, step ${index}`).toEqual(expected);
        }
        const expected = await everything(model);
        expect(await everything(sqlite)).toEqual(expected);
        expect(await everything(redis)).toEqual(expected);
      } finally {
        await sqlite.close();
        rmSync(dataDir, { recursive: true, force: true });
      }
    }),
    { numRuns: 150 },
  );

  await redis.close();
  client.disconnect();
});
