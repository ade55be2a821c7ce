import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { itemsOf } from '../../../../app/journal/facts/items.ts';
import { NO_HEAD, writeLines } from '../../../../app/journal/line/line.ts';
import { type ArchivedRun, readArchive } from '../../../../app/keeping/archive-file.ts';
import { verify } from '../../../../app/keeping/audit/verify.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { createWorkspaceJournal } from '../../../../app/recorder/workspace-journal.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { createSecretBox } from '../../../../app/secrets/index.ts';
import { workspaceOf } from '../../../../app/store/keys.ts';
import { sealStore } from '../../../../app/store/sealed.ts';
import type { Store } from '../../../../app/store/store.ts';
import { itemsFor, runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { deliver } from '../../../support/store.ts';

const clock = testClock(1_000);
let store: Store;
let ids = 0;
const said = { type: 'person-said', key: 'm1', user: user('ANN'), item: 0 } satisfies EntryBody;
const answer = (number: number) => ({ ...turn(number), item: number });
const STORY = [started, said, answer(1), answer(2)];
const entryId = () => {
  ids += 1;
  return `id-${ids}`;
};

async function beginRun(where: Store): Promise<void> {
  const workspaces = createWorkspaceJournal({ store: where, entryId });
  await workspaces.append(workspaceOf('T1', 1), { type: 'run-begun', run: runId(), thread: threadKey(THREAD) });
}

/** A run with a message and two answers: items 0, 1 and 2 come with entries 1, 2 and 3. */
async function tell(where: Store): Promise<void> {
  const journal = openRunJournal({ store: where, entryId, elapsed: clock.now }, runId());
  await beginRun(where);
  await deliver(where, THREAD, [said.key]);
  for (const entries of [STORY.slice(0, 3), STORY.slice(3)])
    await journal.commit((state) => ({ entries, items: itemsFor(state, entries), result: undefined }));
}

beforeEach(async () => {
  store = createModelStore(clock);
  await tell(store);
});

const withItems = (change: (items: readonly string[]) => readonly string[]): Store => ({
  ...store,
  readItems: async (run) => change(await store.readItems(run)),
});

const withTexts = (change: (text: string) => string): Store => ({
  ...store,
  read: async (journal, from) => {
    const page = await store.read(journal, from);
    return { ...page, entries: page.entries.map(({ id, text }) => ({ id, text: change(text) })) };
  },
});

/** As a version wrote it whose first line of each append holds the hashes of all its items. */
function recorded(): ArchivedRun {
  const archive = readArchive(readFileSync('test/fixtures/hashes-in-first-lines.jsonl', 'utf8'));
  if (typeof archive === 'string') throw new Error(archive);
  return archive;
}

/** As a version wrote it that kept no hash of items. */
async function tellAsBefore(where: Store): Promise<void> {
  const { lines } = writeLines(
    STORY.map((body, at) => ({ ...body, id: `old-${at}`, atMs: at })),
    NO_HEAD,
  );
  const items = itemsFor(undefined, STORY);
  await where.append({ journal: runId(), expectedVersion: 0, entries: lines, items, effects: [] });
}

describe('verify', () => {
  it.each<[string, (items: readonly string[]) => readonly string[], readonly string[]]>([
    ['a changed item', (items) => items.with(1, 'other'), ['item 1, which entry 2 brought, is not as it was written']],
    ['a removed item', (items) => items.toSpliced(0, 1), ['item 0, which entry 1 brought, is missing']],
    ['the removed last item', (items) => items.slice(0, 2), ['item 2, which entry 3 brought, is missing']],
    [
      'two items in another order',
      (items) => [items[1] ?? '', items[0] ?? '', ...items.slice(2)],
      [0, 1].map((item) => `item ${item}, which entry ${item + 1} brought, is not as it was written`),
    ],
    [
      'an item that no entry brought',
      (items) => [...items, 'more'],
      ['its end was cut off. 1 of its 4 items came with no entry that is left'],
    ],
  ])('names %s (EDGE-2)', async (_what, change, says) => {
    const { findings } = await verify(withItems(change));

    expect(findings).toEqual(says.map((one) => `${runId()}: ${one}.`));
  });

  it('names the last entry of a run when a person makes it refer to another item (EDGE-2)', async () => {
    const changed = withTexts((text) => text.replace('"item":2', '"item":1'));

    expect((await verify(changed)).findings).toEqual([
      `${runId()}: entry 3 refers to item 1, and does not hold its hash.`,
    ]);
  });

  it('names an item far behind the others to which a person makes an entry refer, and none between (EDGE-2)', async () => {
    const changed = withTexts((text) => text.replace('"item":2', '"item":1000000'));

    expect((await verify(changed)).findings).toEqual([
      `${runId()}: entry 3 refers to item 1000000, and does not hold its hash.`,
      `${runId()}: item 1000000, to which entry 3 refers, is missing.`,
    ]);
  });

  it('says in words what is wrong with an entry that cannot be read, and where (EDGE-2)', async () => {
    const changed = withTexts((text) => text.replace('"user":', '"used":'));

    expect((await verify(changed)).findings).toContain(
      `${runId()}: entry 1 cannot be used: Invalid input: expected string, received undefined, at user`,
    );
  });

  it('names an entry that refers to an item of an earlier append, and holds no hash (EDGE-2)', async () => {
    clock.advance(1);
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId());
    await journal.commit(() => ({ entries: [{ type: 'guided', item: 0 }], result: undefined }));

    expect((await verify(store)).findings).toEqual([
      `${runId()}: entry 4 refers to item 0, and does not hold its hash.`,
    ]);
  });

  it('names an entry that refers to an item before an entry brings it (EDGE-2)', async () => {
    store = createModelStore(clock);
    const stamped = [started, { type: 'guided', item: 0 } as const, said].map((body, at) => ({
      ...body,
      id: `e${at}`,
      atMs: 0,
    }));
    const first = writeLines<EntryBody>(stamped.slice(0, 2), NO_HEAD);
    const then = writeLines<EntryBody>(stamped.slice(2), first.head, { from: 0, texts: ['"hi"'], of: itemsOf });
    const entries = [...first.lines, ...then.lines];
    await store.append({ journal: runId(), expectedVersion: 0, entries, items: ['"hi"'], effects: [] });

    expect((await verify(store)).findings).toEqual([
      `${runId()}: entry 1 refers to item 0, and does not hold its hash.`,
    ]);
  });

  it('finds no fault in appends of older versions, whose first line holds the hashes of all their items (EDGE-2)', async () => {
    store = createModelStore(clock);
    await beginRun(store);
    const { lines, items, ...archive } = recorded();
    const entries = lines.map((text, at) => ({ id: `e${at}`, text }));
    await store.append({ journal: archive.run, expectedVersion: 0, entries, items, effects: [] });

    const { findings, notes } = await verify(store);
    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/is over, and the journal of its workspace does not know it yet/)]);
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId());
    expect(await journal.refresh()).toMatchObject({ items: 6, status: { type: 'finished' } });

    for (const [item, by] of [0, 0, 3, 5, 5, 8].entries())
      expect((await verify(withItems((all) => all.with(item, 'other')))).findings).toContain(
        `${runId()}: item ${item}, which entry ${by} brought, is not as it was written.`,
      );
  });

  it('takes items that a bot adds while it looks for no cut (EDGE-2)', async () => {
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId());
    const beside: Store = {
      ...store,
      readItems: async (run) => {
        await journal.commit((state) => ({
          entries: [answer(3)],
          items: itemsFor(state, [answer(3)]),
          result: undefined,
        }));
        return store.readItems(run);
      },
    };

    expect((await verify(beside)).findings).toEqual([]);
  });

  it('says of one what it says of several, in the number of one (EDGE-2)', async () => {
    store = createModelStore(clock);
    const { lines } = writeLines(
      STORY.slice(0, 2).map((body, at) => ({ ...body, id: `old-${at}`, atMs: at })),
      NO_HEAD,
    );
    await store.append({ journal: runId(), expectedVersion: 0, entries: lines, items: ['{}'], effects: [] });
    const sealed = (isLast: boolean): Store => ({
      ...store,
      record: async () => 'from 0',
      readItems: async (run) => (await store.readItems(run)).map((item) => (isLast ? `sealed:${item}` : item)),
    });

    expect((await verify(sealed(false))).notes).toEqual([
      expect.stringMatching(/^An older version wrote 1 item without/),
    ]);
    expect((await verify(sealed(true))).notes).toContainEqual(
      expect.stringMatching(/^1 entry or item is encrypted, so only its position was checked\./),
    );
  });

  it('counts the items of an older version, which kept no hashes, and misses those that are gone (EDGE-2)', async () => {
    store = createModelStore(clock);
    await tellAsBefore(store);

    const { findings, notes } = await verify(withItems((items) => items.with(1, 'other')));
    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^An older version wrote 3 items without a hash/)]);

    expect((await verify(withItems((items) => items.slice(0, 1)))).findings).toEqual([
      `${runId()}: item 1, to which entry 2 refers, is missing.`,
      `${runId()}: item 2, to which entry 3 refers, is missing.`,
    ]);
  });

  it('checks positions only where it has no key, and says so (EDGE-2)', async () => {
    store = createModelStore(clock);
    await store.writeRecord('sealing', 'a record', undefined);
    await tell(sealStore(store, createSecretBox([createSecretKey(randomBytes(32))]), 'all'));

    const { findings, notes } = await verify(store);
    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/are encrypted, so only their positions were checked. Set DATA_KEY/)]);
  });

  it('names a journal with an encrypted entry that was changed, and goes on with the others (EDGE-1)', async () => {
    store = createModelStore(clock);
    const sealed = sealStore(store, createSecretBox([createSecretKey(randomBytes(32))]), 'all');
    await tell(sealed);
    expect((await verify(sealed)).findings).toEqual([]);
    for (const journal of [runId(), workspaceOf('T1', 1)]) {
      const { entries } = await store.read(journal);
      const [last, text = ''] = [entries.length - 1, entries.at(-1)?.text];
      const changed = text.replace(/.{4}$/, 'AAAA');
      expect(await store.reseal({ type: 'entry', journal, position: last }, text, changed)).toBe(true);
    }

    expect((await verify(sealed)).findings).toEqual([
      expect.stringMatching(`${workspaceOf('T1', 1)}: cannot be read: What is kept for entry .* 0 was changed`),
      expect.stringMatching(
        `${runId()}: cannot be read: What is kept for entry .* 3 was changed, or belongs elsewhere`,
      ),
    ]);
  });

  it('finds no fault in entries that it has no key for, and misses those that are gone (EDGE-2)', async () => {
    const sealedEntries: Store = {
      ...store,
      record: async () => 'a record',
      read: async (journal, from) => {
        const page = await store.read(journal, from);
        return { ...page, entries: page.entries.map(({ id }) => ({ id, text: `sealed:${id}` })) };
      },
    };
    expect((await verify(sealedEntries)).findings).toEqual([]);

    const fewer: Store = {
      ...sealedEntries,
      read: async (journal, from) => {
        const page = await sealedEntries.read(journal, from);
        return { ...page, entries: page.entries.slice(1) };
      },
    };
    expect((await verify(fewer)).findings).toContain(`${runId()}: 1 of its 4 entries is missing.`);
  });
});
