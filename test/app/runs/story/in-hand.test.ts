import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { createWaiting } from '../../../../app/questions/index.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { ThreadKey } from '../../../../app/records/index.ts';
import { createHold } from '../../../../app/runs/story/hold.ts';
import { type Attending, createAttending, parkTooMany, type RunsInHand } from '../../../../app/runs/story/in-hand.ts';
import { approvalId, asked, itemsFor, runId, started, turn, user, whenSettled } from '../../../support/journal.ts';
import { keptLog } from '../../../support/kept-log.ts';
import { createModelStore } from '../../../support/model-store.ts';

it('a hint that a process cannot follow because the store fails is in its log, with both causes', async () => {
  const { log, lines } = keptLog();
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const journal = openRunJournal({ store, entryId: () => 'e1', elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: [started], result: undefined }));
  const thread = ThreadKey.parse('T1:C1:1.0');
  const inHand: RunsInHand = new Map([[runId(), { ...createHold(clock.now), journal, thread }]]);
  const hold = () => Promise.reject(new Error('The store does not answer.'));
  const attending = createAttending({ waiting: createWaiting({ log }), hold, elapsed: clock.now, log }, inHand);
  await store.close();

  attending.onHint({ run: runId(), thread, version: 9 });
  await new Promise((resolve) => setImmediate(resolve));

  expect(lines.toSorted()).toEqual([
    'info: A thread could not be kept in hand; another process may go on with it. The store does not answer.',
    'info: The process could not read whether a run was stopped; it looks again later. The store is closed.',
  ]);
});

it('the wait for a question that was just asked reads nothing, and sees a decision whose hint came before it began', async () => {
  const clock = testClock(1_000);
  const facts = createModelStore(clock);
  let reads = 0;
  const store: typeof facts = {
    ...facts,
    read: (...given) => {
      reads += 1;
      return facts.read(...given);
    },
  };
  const entries = [started, turn(1, 'a'), asked()];
  const journal = openRunJournal({ store, entryId: randomUUID, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries, items: itemsFor(undefined, entries), result: undefined }));
  const version = journal.state()?.version;
  const { log } = keptLog();
  const waiting = createWaiting({ log });
  const thread = ThreadKey.parse('T1:C1:1.0');
  const inHand: RunsInHand = new Map([[runId(), { ...createHold(clock.now), journal, thread }]]);
  const attending = createAttending({ waiting, hold: async () => true, elapsed: clock.now, log }, inHand);
  const other = openRunJournal({ store: facts, entryId: randomUUID, elapsed: clock.now }, runId());
  await other.refresh();
  await other.commit(() => ({
    entries: [{ type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('ANN') }],
    result: undefined,
  }));

  reads = 0;
  attending.onHint({ run: runId(), thread, version: other.state()?.version ?? 0 });
  const settled = waiting.untilFound(journal, whenSettled(), new AbortController().signal, version);

  expect((await settled).standing.status).toBe('decided');
  expect(reads).toBe(1);
});

it('each run that waits beyond the limit of a process parks the one that has waited longest, and no more', () => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const thread = ThreadKey.parse('T1:C1:1.0');
  const inHand: RunsInHand = new Map();
  const parked = () => [...inHand].filter(([, { signal }]) => signal.aborted).map(([run]) => run);
  for (let n = 1; n <= LIMITS.hotRuns + 3; n += 1) {
    const run = runId(n);
    const journal = openRunJournal({ store, entryId: () => 'e1', elapsed: clock.now }, run);
    inHand.set(run, { ...createHold(clock.now, undefined, () => parkTooMany(inHand)), journal, thread });
  }
  // The last that came into hand is the first that waits, and the first keeps working.
  const [working, ...others] = [...inHand.values()];
  for (const { waits } of others.reverse()) {
    waits();
    clock.advance(1);
  }

  expect(parked()).toEqual([runId(LIMITS.hotRuns + 2), runId(LIMITS.hotRuns + 3)]);
  expect(working?.signal.aborted).toBe(false);
});

it('a waiting run gives its memory back after its own waiting time, whatever the age of the process', async () => {
  const clock = testClock(1_000_000);
  const store = createModelStore(clock);
  const journal = openRunJournal({ store, entryId: () => 'e1', elapsed: clock.now }, runId());
  const run = { ...createHold(clock.now), journal, thread: ThreadKey.parse('T1:C1:1.0') };
  const { log } = keptLog();
  const hold = async () => true;
  const deps = { waiting: createWaiting({ log }), hold, elapsed: clock.now, log };
  const attending = createAttending(deps, new Map([[runId(), run]]));
  run.waits();
  clock.advance(60_000);

  attending.parkWaiting(60_000);
  expect(run.signal.aborted).toBe(false);
  clock.advance(1);
  attending.parkWaiting(60_000);

  expect(run.signal.reason).toBe('parked');
});

it.each([
  ['a hint', ({ onHint }: Attending) => onHint({ run: runId(), thread: ThreadKey.parse('T1:C1:1.0'), version: 9 })],
  ['a look after hints may have been lost', ({ onGap }: Attending) => onGap()],
])('a run at work that another process stopped gives up its tools after %s', async (_what, hears) => {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `e${++ids}`, elapsed: clock.now }, runId());
  const [journal, other] = [open(), open()];
  await journal.commit(() => ({ entries: [started], result: undefined }));
  const run = { ...createHold(clock.now), journal, thread: ThreadKey.parse('T1:C1:1.0') };
  const { log } = keptLog();
  const deps = { waiting: createWaiting({ log }), hold: async () => true, elapsed: clock.now, log };
  const attending = createAttending(deps, new Map([[runId(), run]]));

  hears(attending);
  await new Promise((resolve) => setImmediate(resolve));
  expect(run.stopped.aborted).toBe(false);
  await other.commit(() => ({ entries: [{ type: 'run-stopped', cause: 'Enough.' }], result: undefined }));
  hears(attending);
  await new Promise((resolve) => setImmediate(resolve));

  expect(run.stopped.reason).toBe('cancelled');
});
