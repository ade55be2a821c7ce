import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../app/clock.ts';
import { decideStop } from '../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { pendingApprovals } from '../../../app/journal/fold/queries/approvals.ts';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { threadKey } from '../../../app/records/index.ts';
import { openStore } from '../../../app/store/open.ts';
import type { Store } from '../../../app/store/store.ts';
import { ENGINES } from '../../support/engines.ts';
import { folderOfTest } from '../../support/folder.ts';
import { asked, HOUR_MS, itemsFor, THREAD, turn, user } from '../../support/journal.ts';
import { emptyRedis } from '../../support/redis.ts';
import { newApproval, newEntryId, newRun } from '../../support/store.ts';

let store: Store;
afterEach(() => store.close());

/** As many questions as one turn can have, each of as many people as can be named, and nobody named twice. */
async function largestRun() {
  const thread = threadKey(THREAD);
  const run = newRun(store, thread);
  const journal = openRunJournal({ store, entryId: newEntryId, elapsed: () => performance.now() }, run);
  const write = (...entries: readonly EntryBody[]) =>
    journal.commit((state) => ({ entries, items: itemsFor(state, entries), result: 0 }));
  const calls = Array.from({ length: LIMITS.toolCallsPerTurn }, (_, call) => call);
  await write({ type: 'run-started', run, thread: THREAD, requester: user('UANN') }, turn(1, ...calls.map(String)));
  for (const call of calls) {
    const approval = newApproval(store, thread);
    const people = (what: string, count: number) =>
      Array.from({ length: count }, (_, index) => user(`U${what}${call}${what}${index}`));
    const soon = Date.now() + HOUR_MS;
    const times = {
      noticeAtMs: soon,
      remindAtMs: soon,
      escalation: { atMs: soon, to: [user('UBEN')] },
      expiresAtMs: soon,
    };
    const rule = { approvers: people('NAMED', LIMITS.deciders), selfApproval: true };
    await write(
      asked({ approval, call: `1/${call}`, rule, ...times }),
      ...people('ASKED', LIMITS.referralsKept).map(
        (to): EntryBody => ({ type: 'call-referred', approval, by: user('UANN'), to }),
      ),
    );
  }
  return journal;
}

it.each(ENGINES)('on %s the largest possible run is stopped in one step, with all of its questions', async (engine) => {
  store = await openStore({
    dataDir: folderOfTest('stop'),
    clock: systemClock,
    log: silentLog,
    ...(engine === 'redis' ? { redisUrl: await emptyRedis() } : {}),
  });
  const journal = await largestRun();

  const stopped = await journal.commit((state) =>
    state === undefined ? { entries: [], result: 'over' as const } : decideStop(state, { cause: 'Enough.' }),
  );

  expect(stopped).toEqual('stopped');
  const state = await journal.refresh();
  expect([state?.status.type, state && pendingApprovals(state)]).toEqual(['stopped', []]);
  expect(await store.members({ what: 'waiting', of: `${THREAD.team}:UNAMED0NAMED0` })).toEqual([]);
});
