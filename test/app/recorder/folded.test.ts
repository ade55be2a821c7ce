import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { createFoldedJournals, nothingFolded } from '../../../app/recorder/folded.ts';
import { createStoreTime } from '../../../app/recorder/reading.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { RunId } from '../../../app/records/index.ts';
import { runId, started, turn } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

/** A process that opens journals anew for each thing it does, on a store that tells how many entries it was asked for. */
function aProcess({ most = 100_000, isAlone = false } = {}) {
  let facts = createModelStore(testClock(1_000));
  let entriesRead = 0;
  let reads = 0;
  let ids = 0;
  const folded = createFoldedJournals<RunState>(most);
  const store = {
    append: (...about: Parameters<typeof facts.append>) => facts.append(...about),
    readItems: (...about: Parameters<typeof facts.readItems>) => facts.readItems(...about),
    read: async (...about: Parameters<typeof facts.read>) => {
      const page = await facts.read(...about);
      entriesRead += page.entries.length;
      reads += 1;
      return page;
    },
  };
  const entryId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const elapsed = () => 1_000;
  const storeTime = createStoreTime({ elapsed });
  const open = (run: RunId = runId(), kept: typeof folded | undefined = folded) =>
    openRunJournal({ store, entryId, elapsed, storeTime, isAlone, ...(kept && { folded: kept }) }, run);
  return {
    open,
    write: (entries: readonly EntryBody[], run = runId(), kept?: typeof folded) =>
      open(run, kept).commit(() => ({ entries, result: undefined })),
    entriesRead: () => entriesRead,
    reads: () => reads,
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

  it('have the items that the store has after it was set back, and none that were lost', async () => {
    const { open, setBack } = aProcess();
    const writeTurn = (text: string, more: readonly EntryBody[], kept?: typeof OTHER) =>
      open(runId(), kept).commit(() => ({
        entries: [started, turn(1, 'a'), ...more],
        items: [text],
        result: undefined,
      }));
    await writeTurn('"lost"', [guided]);
    expect(await open().items()).toEqual(['"lost"']);
    setBack();
    await writeTurn('"new"', [], createFoldedJournals());
    const journal = open();
    await journal.refresh();

    expect(await journal.items()).toEqual(['"new"']);
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

  it('stay within their limit of characters, and the journal that was used longest ago goes first', async () => {
    const one = aProcess();
    await one.write([started]);
    const { chars = 0 } = one.folded.of(runId()) ?? {};
    // Later lines hold a longer hash of the line before, so three do not fit where two and a half do.
    const { write, open, folded } = aProcess({ most: 2.5 * chars });
    const [first, second, third] = [runId(), runId(2), runId(3)];
    await write([started], first);
    await write([started], second);
    await open(first).refresh();
    await write([started], third);

    expect([first, second, third].map((run) => folded.of(run)?.version)).toEqual([1, undefined, 1]);
  });

  it('of other runs stay when the items of one run are more than the limit, and so does the fold of that run', () => {
    const folded = createFoldedJournals<RunState>(1_000);
    const [run, other] = [runId(1), runId(2)];
    for (const one of [other, run]) folded.keep(one, { ...nothingFolded(), version: 1, chars: 10 });

    folded.keepItems(run, ['a picture'.padEnd(2_000)]);

    expect([folded.of(other)?.version, folded.of(run)?.version, folded.itemsOf(run)]).toEqual([1, 1, undefined]);
  });

  it('never go back to an older state of the same journal', async () => {
    const { open, write, folded } = aProcess();
    await write([started]);
    const early = open();
    await early.refresh();
    const earlier = folded.of(runId()) ?? nothingFolded();
    await write([guided]);
    folded.keep(runId(), earlier);

    expect(folded.of(runId())?.version).toBe(2);
  });

  it('are not read before an append that follows the newest entry', async () => {
    const { write, reads } = aProcess();
    await write([started]);
    const before = reads();

    await write([guided]);
    await write([guided]);

    expect(reads() - before).toBe(0);
  });

  it('are read before a decision without entries counts, because another process may have written', async () => {
    const { open, write } = aProcess();
    await write([started]);
    await write([guided], runId(), OTHER);

    const seen = await open().commit((state) => ({ entries: [], result: state?.version }));

    expect(seen).toEqual(2);
  });

  it('are decided on anew when another process was faster', async () => {
    const { open, write } = aProcess();
    await write([started]);
    await write([guided], runId(), OTHER);

    const seen = await open().commit((state) => ({ entries: [guided], result: state?.version }));

    expect(seen).toEqual(2);
  });

  it('get no entry behind one that they do not know, when the store was set back and has as many again (EDGE-3)', async () => {
    const { open, write, setBack } = aProcess();
    await write([started, turn(1, 'a')]);
    setBack();
    await write([started, turn(1, 'c')], runId(), createFoldedJournals());

    await write([guided]);

    expect([...((await open().refresh())?.calls.keys() ?? [])]).toEqual(['1/c']);
    expect(open().wasSetBack()).toBe(true);
  });

  it('are not read again where no other process writes', async () => {
    const { open, write, reads } = aProcess({ isAlone: true });
    await write([started]);
    const before = reads();
    const other = open();
    await other.refresh();
    await write([guided]);

    expect((await other.refresh())?.version).toBe(2);
    expect((await open().refresh())?.version).toBe(2);
    expect(reads() - before).toBe(0);
  });

  it('have what a recorder wrote after it freed its fold, where no other process writes', async () => {
    const { open, write } = aProcess({ isAlone: true });
    await write([started]);
    const parked = open();
    await parked.refresh();
    parked.forget();
    await open().refresh();

    await parked.commit(() => ({ entries: [guided], result: undefined }));

    expect((await open().refresh())?.version).toBe(2);
  });

  it('are not read again for a later run once they are sealed, until another process may have removed them', async () => {
    const { open, write, reads } = aProcess();
    await write([started, { type: 'run-finished' }, { type: 'sealed' }], runId());
    await write([started, { type: 'run-finished' }, { type: 'sealed', retireAtMs: 1_000 }], runId(2));
    const before = reads();

    await open().refreshUnlessOver();
    expect(reads() - before).toBe(0);
    await open(runId(2)).refreshUnlessOver();
    expect(reads() - before).toBe(1);
    await open().refresh();
    expect(reads() - before).toBe(2);
  });
});
