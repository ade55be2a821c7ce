import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { LIMITS } from '../../../app/limits.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../app/records/index.ts';
import { earlierMessages } from '../../../app/runs/gate/earlier.ts';
import { fold, runId, started, THREAD, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { deliver } from '../../support/store.ts';

/** Runs of one thread, the newest first, each with so many messages. Answers which of them are read for the next run. */
async function readBehind(...sizes: readonly number[]) {
  const store = createModelStore(testClock(1_000));
  let ids = 0;
  const open = (run: RunId) => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 0 }, run);
  const begun = (run: RunId, previous?: RunId): EntryBody => ({
    ...{ type: 'run-started', run, thread: THREAD, requester: user('ANN') },
    ...(previous === undefined ? {} : { previous }),
  });
  const runs = sizes.map((_, at) => runId(at + 2));
  for (const [at, size] of sizes.entries()) {
    const heard = Array.from({ length: size }, (_, item): EntryBody => {
      return { type: 'person-said', key: `m/${at}/${item}`, user: user('ANN'), item };
    });
    const items = heard.map((_, item) =>
      JSON.stringify({ role: 'user', content: [{ type: 'text', text: `${item}` }] }),
    );
    await deliver(
      store,
      THREAD,
      heard.flatMap((entry) => (entry.type === 'person-said' ? [entry.key] : [])),
    );
    const first = begun(runs[at] ?? runId(), runs[at + 1]);
    await open(runs[at] ?? runId()).commit(() => ({ entries: [first, ...heard], items, result: undefined }));
  }
  const read: number[] = [];
  const journalOf = (run: RunId) => {
    read.push(runs.indexOf(run));
    return open(run);
  };
  const [newest] = runs;
  const messages = await earlierMessages(journalOf, fold(newest === undefined ? started : begun(runId(), newest)));
  return { read, count: messages.length };
}

const most = LIMITS.transcriptMessages;

it('reads only as many earlier runs as there are messages to show', async () => {
  expect(await readBehind(most - 1, 1, 1)).toEqual({ read: [0, 1], count: most });
});

it('reads nothing behind the first run of a thread', async () => {
  expect(await readBehind()).toEqual({ read: [], count: 0 });
  expect(await readBehind(1)).toEqual({ read: [0], count: 1 });
});
