import { expect, it } from 'vitest';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { usageSoFar } from '../../../app/journal/fold/queries/usage.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { createUsage } from '../../../app/keeping/usage.ts';
import type { RunJournal } from '../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../app/records/index.ts';
import { fold, runId, started, THREAD, turn, user } from '../../support/journal.ts';

const PRICES = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0, currency: 'EUR' };
const over: EntryBody = { type: 'run-finished' };
const first = fold(started, turn(1), over);
const startedAfter = (n: number, more = {}): EntryBody => ({
  type: 'run-started',
  run: runId(n),
  thread: THREAD,
  requester: user('ANN'),
  previous: runId(n - 1),
  ...more,
});

/** A thread whose runs these are, the newest last. */
function thread(...states: readonly RunState[]) {
  const read: RunId[] = [];
  const known = new Map(states.map((state) => [state.run, state]));
  const usage = createUsage({
    store: {
      thread: async () => ({ currentRun: states.at(-1)?.run, inbox: [], inboxLength: 0, deaths: 0, nowMs: 0 }),
    },
    journalOf: (run) => {
      read.push(run);
      return { refresh: async () => known.get(run) } as unknown as RunJournal;
    },
    prices: PRICES,
  });
  return { usage: () => usage(THREAD), read };
}

it('tells tokens and money of the current run and of its whole thread', async () => {
  const second = fold(startedAfter(2, { earlier: usageSoFar(first) }), turn(1), turn(2));
  const { usage, read } = thread(first, second);

  expect(await usage()).toMatchObject({
    running: { runs: 1, turns: 2, tokens: { input: 2, output: 2 }, cost: { amount: 6, currency: 'EUR' } },
    thread: { runs: 2, turns: 3, tokens: { input: 3, output: 3 }, cost: { amount: 9, currency: 'EUR' } },
  });
  // The newest says what was before it.
  expect(read).toEqual([runId(2)]);
});

it('reads older journals one after the other when they say nothing of earlier runs', async () => {
  const second = fold(startedAfter(2), turn(1), over);
  const third = fold(startedAfter(3), turn(1), over);
  const { usage, read } = thread(first, second, third);

  expect(await usage()).toMatchObject({ running: undefined, thread: { runs: 3, turns: 3 } });
  expect(read).toEqual([runId(3), runId(2), runId(1)]);
});

it('is nothing when the agent was never asked', async () => {
  expect(await thread().usage()).toMatchObject({
    running: undefined,
    thread: { runs: 0, turns: 0, cost: { amount: 0 } },
  });
});
