import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { silentLog } from '../../../../app/log.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { threadKey } from '../../../../app/records/index.ts';
import type { RunOutcome } from '../../../../app/runs/story/drive.ts';
import { createLastWord } from '../../../../app/runs/telling/last-word.ts';
import { runId, started, THREAD, turn } from '../../../support/journal.ts';
import { createModelStore, type ModelStore } from '../../../support/model-store.ts';

const OVER: readonly EntryBody[] = [
  { type: 'post-begun', key: 'turn/1', by: 'other' },
  { type: 'posted', key: 'turn/1', card: { channel: THREAD.channel, ts: '2' } },
  { type: 'run-finished' },
  { type: 'sealed' },
];

/** One process lets go of a run that another one has as well, and its last word is still on its way. */
const scene = (...answers: readonly boolean[]) => sceneWith({ isExclusive: false }, answers);

async function sceneWith({ isExclusive }: Pick<ModelStore, 'isExclusive'>, answers: readonly boolean[]) {
  const clock = testClock(1_000);
  const store = { ...createModelStore(clock), isExclusive };
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const [mine, other] = [open(), open()];
  const write = (...entries: readonly EntryBody[]) => other.commit(() => ({ entries, result: undefined }));
  await other.commit(() => ({ entries: [started, turn(1)], items: ['{}'], result: undefined }));
  await mine.refresh();

  let arrives = () => {};
  const shown = new Promise<void>((resolve) => {
    arrives = resolve;
  });
  let ends = 0;
  const workEnds = async () => {
    ends += 1;
    return answers[ends - 1] ?? true;
  };
  const surface = { statusShown: () => shown, workEnds };
  const lastWord = createLastWord({ surface, store, journalOf: open, log: silentLog });
  return {
    store,
    letsGo: (rest: Promise<RunOutcome>) => lastWord.ofRun(mine, rest),
    setsAside: () => lastWord.ofAside(THREAD),
    otherEnds: () => write(...OVER),
    somebodyWrites: () => store.take({ key: 'next', thread: threadKey(THREAD), item: '{}' }),
    arrives: () => arrives(),
    saidOver: () => ends,
  };
}

it('a process that lost a run clears the status, if its last post came after that of the process that ended the run (P29)', async () => {
  const { letsGo, otherEnds, arrives, saidOver } = await scene();
  const gone = letsGo(Promise.resolve('later'));

  await otherEnds();
  arrives();
  await gone;

  expect(saidOver()).toBe(1);
});

it('a process that failed at a run clears the status too (P29)', async () => {
  const { letsGo, otherEnds, arrives, saidOver } = await scene();
  await otherEnds();
  arrives();

  await letsGo(Promise.reject(new Error('The store is away.')));

  expect(saidOver()).toBe(1);
});

it('a process clears the status again until Slack has taken it (P29)', async () => {
  const { letsGo, otherEnds, arrives, saidOver } = await scene(false, false);
  await otherEnds();
  arrives();

  await letsGo(Promise.resolve('parked'));

  expect(saidOver()).toBe(3);
});

it('a process tries five times to clear the status, and no more, when Slack never takes it (P29)', async () => {
  const { letsGo, otherEnds, arrives, saidOver } = await scene(...Array<boolean>(9).fill(false));
  await otherEnds();
  arrives();

  await letsGo(Promise.resolve('parked'));

  expect(saidOver()).toBe(5);
});

it('a process clears no status of a run that goes on, because the process that ends the run does (P29)', async () => {
  const { letsGo, arrives, saidOver } = await scene();
  arrives();

  await letsGo(Promise.resolve('later'));

  expect(saidOver()).toBe(0);
});

it('a process clears no status when the thread has new messages, which have a run of their own (P29)', async () => {
  const { letsGo, otherEnds, somebodyWrites, arrives, saidOver } = await scene();
  await otherEnds();
  await somebodyWrites();
  arrives();

  await letsGo(Promise.resolve('later'));

  expect(saidOver()).toBe(0);
});

it('a process clears no status twice when it ended the run itself', async () => {
  const { letsGo, otherEnds, arrives, saidOver } = await scene();
  await otherEnds();
  arrives();

  await letsGo(Promise.resolve('over'));

  expect(saidOver()).toBe(0);
});

it('a process that is alone on its store waits for no status, so that no journal of a waiting run stays in memory', async () => {
  const { letsGo, setsAside, otherEnds, saidOver } = await sceneWith({ isExclusive: true }, []);
  await otherEnds();

  await letsGo(Promise.resolve('parked'));
  await setsAside();

  expect(saidOver()).toBe(0);
});

it('a process that set a thread aside clears the status, if the status came after another process had ended the run (P29, EDGE-7)', async () => {
  const { setsAside, otherEnds, arrives, saidOver } = await scene();
  const gone = setsAside();

  await otherEnds();
  arrives();
  await gone;

  expect(saidOver()).toBe(1);
});

it('a process that set a thread aside clears the status, if a person had it left without a run meanwhile (P29, EDGE-7)', async () => {
  const { store, setsAside, arrives, saidOver } = await scene();
  await store.abandon(threadKey(THREAD), runId());
  arrives();

  await setsAside();

  expect(saidOver()).toBe(1);
});

it.each<[string, (store: ModelStore) => Promise<unknown>]>([
  ['still is set aside', (store) => store.setAside(threadKey(THREAD), 'waiting')],
  [
    'is tried again',
    async (store) => {
      await store.setAside(threadKey(THREAD), 'waiting');
      await store.takeUp(threadKey(THREAD), 1);
    },
  ],
])('a process that set a thread aside clears no status while the thread %s (P29, EDGE-7)', async (_how, stands) => {
  const { store, setsAside, otherEnds, arrives, saidOver } = await scene();
  await otherEnds();
  await stands(store);
  arrives();

  await setsAside();

  expect(saidOver()).toBe(0);
});
