import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { createFoldedJournals } from '../../../app/recorder/folded.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../app/records/index.ts';
import { runId, started, turn } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

/** A process that opens journals anew for each thing it does, on a store that tells how many entries it was asked for. */
function aProcess({ most = 100 } = {}) {
  let facts = createModelStore(testClock(1_000));
  let entriesRead = 0;
  let ids = 0;
  const folded = createFoldedJournals<RunState>(most);
  const store = {
    append: (...about: Parameters<typeof facts.append>) => facts.append(...about),
    readItems: (...about: Parameters<typeof facts.readItems>) => facts.readItems(...about),
    read: async (...about: Parameters<typeof facts.read>) => {
      const page = await facts.read(...about);
      entriesRead += page.entries.length;
      return page;
    },
  };
  const entryId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const open = (run: RunId = runId(), kept: typeof folded | undefined = folded) =>
    openRunJournal({ store, entryId, elapsed: () => 1_000, ...(kept && { folded: kept }) }, run);
  return {
    open,
    write: (entries: readonly EntryBody[], run = runId(), kept?: typeof folded) =>
      open(run, kept).commit(() => ({ entries, result: undefined })),
    entriesRead: () => entriesRead,
    setBack: () => {
      facts = createModelStore(testClock(1_000));
    },
    folded,
  };
}

const guided: EntryBody = { type: 'guided', item: 0 };
const OTHER = createFoldedJournals<RunState>();

describe('journals that a process keeps folded', () => {
  it('are read no further back than the last entry that the process knows', async () => {
    const { open, write, entriesRead } = aProcess();
    await write([started, turn(1, 'a', 'b'), guided], runId());
    const before = entriesRead();

    expect((await open().refresh())?.version).toBe(3);
    expect(entriesRead() - before).toBe(1);
  });

  it('hold what another process wrote meanwhile', async () => {
    const { open, write } = aProcess();
    await write([started, turn(1, 'a', 'b')]);
    await write([guided, guided], runId(), OTHER);

    expect((await open().refresh())?.version).toBe(4);
  });

  it('are read whole after the store was set back, to any length', async () => {
    for (const entries of [[started], [started, turn(1, 'c')], [started, turn(1, 'c'), guided]]) {
      const { open, write, setBack } = aProcess();
      await write([started, turn(1, 'a', 'b')]);
      setBack();
      await write(entries, runId(), createFoldedJournals());
      const state = await open().refresh();

      expect(state?.version).toBe(entries.length);
      expect([...(state?.calls.keys() ?? [])]).toEqual(entries.length === 1 ? [] : ['1/c']);
    }
  });

  it('are refused once by a reader who had read more, at any length, and then read whole (EDGE-3)', async () => {
    for (const entries of [[started], [started, turn(1, 'c'), guided]]) {
      const { open, write, setBack } = aProcess();
      const reader = open();
      await write([started, turn(1, 'a')]);
      await reader.refresh();
      setBack();
      await write(entries, runId(), createFoldedJournals());

      await expect(reader.refresh()).rejects.toThrow('has lost lines: the store was set back');
      expect(reader.wasSetBack()).toBe(true);
      expect((await reader.refresh())?.version).toBe(entries.length);
      reader.setBackTold();
      expect(open().wasSetBack()).toBe(false);
    }
  });

  it('stay within their limit of entries, and the journal that was used longest ago goes first', async () => {
    const { write, folded } = aProcess({ most: 4 });
    const [first, second] = [runId(), runId(2)];
    await write([started, guided, guided], first);
    await write([started, guided], second);

    expect([folded.of(first)?.version, folded.of(second)?.version]).toEqual([undefined, 2]);
  });

  it('never go back to an older state of the same journal', async () => {
    const { open, write, folded } = aProcess();
    await write([started]);
    const early = open();
    await early.refresh();
    await write([guided]);
    folded.keep(runId(), { state: early.state(), version: 1, head: early.head });

    expect(folded.of(runId())?.version).toBe(2);
  });
});
