import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { WorkspaceBody } from '../../../app/journal/facts/workspace.ts';
import { hashLine, readLine } from '../../../app/journal/line/line.ts';
import { openRunJournal, type RunJournal } from '../../../app/recorder/run-journal.ts';
import { createSeals, type Seals, type SealsDeps } from '../../../app/recorder/seals.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import type { AppendRequest, Store } from '../../../app/store/store.ts';
import { approvalId, asked, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const late = {
  type: 'press-refused',
  approval: approvalId(),
  by: user('ANN'),
  verdict: 'approve',
  why: 'late',
} as const;

/** A run that is over, on a store of this process alone or of several. */
async function overOn({ isExclusive }: { readonly isExclusive: boolean }) {
  const facts = createModelStore(testClock(1_000));
  const appends: AppendRequest[] = [];
  const store: Store = {
    ...facts,
    isExclusive,
    append: (request) => {
      appends.push(request);
      return facts.append(request);
    },
  };
  let ids = 0;
  const entryId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const journal = openRunJournal({ store, entryId, elapsed: () => 0 }, runId());
  const storeTime = { nowMs: () => 1_000, learn: () => {}, isKnown: () => true };
  const workspaces = createWorkspaceJournal({ store, entryId, storeTime });
  const seals = (more: Partial<SealsDeps> = {}) =>
    createSeals({ workspaces, store, before: async () => {}, step: async () => {}, ...more });
  const end = async () =>
    journal.commit(() => ({
      entries: [started, turn(1, 'a'), asked(), { type: 'run-stopped', cause: 'Enough.' }],
      items: ['{}'],
      result: undefined,
    }));
  const recorded = async () =>
    (await store.read(workspaceOf(THREAD.team, 1))).entries.map(({ text }) => readLine(WorkspaceBody, text).entry);
  return { store, appends, journal, workspaces, seals, end, recorded };
}

it.each([
  ['is one write with its mark, and has all that was written with or before it', true, 6],
  ['is written before its mark', false, 4],
])(
  'the seal of a run fits its journal when a refused press arrives while it is being written, and %s (EDGE-2, T19)',
  async (_what, isExclusive, version) => {
    const { store, journal, seals, end, recorded } = await overOn({ isExclusive });
    await end();
    const before = async () => void (await journal.commit(() => ({ entries: [late], result: undefined })));

    await seals({ before }).seal(journal);

    const [seal] = await recorded();
    const lines = (await store.read(runId())).entries.map(({ text }) => hashLine(text));
    expect(lines).toHaveLength(6);
    expect(seal).toMatchObject({ type: 'run-sealed', version, head: lines[version - 1] });
  },
);

describe('on a store of one process', () => {
  const begin = (journal: RunJournal, seals: Seals) =>
    seals.start(journal, THREAD, () => ({ entries: [started], result: true }));

  it('a run begins in one write with its beginning, which is not written a second time (EDGE-2, T19)', async () => {
    const { appends, journal, seals, recorded } = await overOn({ isExclusive: true });
    const made = seals();

    await begin(journal, made);
    await made.begin(journal);

    expect(appends).toHaveLength(1);
    expect(await recorded()).toMatchObject([{ type: 'run-begun', run: runId() }]);
    // Another process cannot know. Twice is harmless.
    await seals().begin(journal);
    expect(await recorded()).toHaveLength(2);
  });

  it('neither journal has anything of a run whose write fails, and the next try writes both', async () => {
    const { store, journal, seals, recorded } = await overOn({ isExclusive: true });
    const failing = { ...store, append: () => Promise.reject(new Error('The disk is full.')) };
    const own = openRunJournal({ store: failing, entryId: () => 'lost', elapsed: () => 0 }, runId());

    await expect(begin(own, seals())).rejects.toThrow('full');
    expect((await store.read(runId())).version).toBe(0);
    await begin(journal, seals());

    expect((await store.read(runId())).version).toBe(1);
    expect(await recorded()).toHaveLength(1);
  });

  it('a run is begun and sealed all the same when another entry of its workspace came between (EDGE-2)', async () => {
    const { store, journal, workspaces, seals, end, recorded } = await overOn({ isExclusive: true });
    const made = seals();
    const elsewhere = createWorkspaceJournal({ store, entryId: () => `other-${Math.random()}` });
    const workspace = workspaceOf(THREAD.team, 1);
    const other = { type: 'uninstalled', team: THREAD.team, cause: 'test' } as const;
    await workspaces.append(workspace, other);
    await elsewhere.append(workspace, other);

    await end();
    await made.begin(journal);
    await elsewhere.append(workspace, other);
    await made.seal(journal);

    expect((await recorded()).map(({ type }) => type)).toEqual([
      'uninstalled',
      'uninstalled',
      'run-begun',
      'uninstalled',
      'run-sealed',
    ]);
    expect(journal.state()?.sealed).toEqual({});
  });
});

describe.each([
  ['on a store of one process', true, true, ['run-stopped', 'sealed'], ['run-sealed']],
  ['on a store of one process, while it owes something,', true, false, ['run-stopped'], []],
  ['on a store of several processes', false, true, ['run-stopped'], []],
])('the last entry of a run %s', (_where, isExclusive, isPaid, written, sealed) => {
  it('is written with the seal only if that can be one step, and the seal has all entries (EDGE-2, T19)', async () => {
    const { store, appends, journal, seals, recorded } = await overOn({ isExclusive });
    const made = seals();
    await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));

    const stop = { type: 'run-stopped', cause: 'Enough.' } as const;
    await made.end(
      journal,
      () => ({ entries: [stop], result: undefined }),
      ({ status: { type } }) => isPaid && type === 'stopped',
    );

    expect(appends).toHaveLength(2);
    const { entries } = await store.read(runId());
    expect(entries.slice(2).map(({ text }) => JSON.parse(text).body.type)).toEqual(written);
    expect((await recorded()).map(({ type }) => type)).toEqual(sealed);
    await made.seal(journal);
    const lines = (await store.read(runId())).entries.map(({ text }) => hashLine(text));
    const version = isExclusive ? 4 : 3;
    expect(await recorded()).toMatchObject([{ type: 'run-sealed', version, head: lines[version - 1] }]);
  });
});

it('on a store of several processes, a run begins before its beginning is written', async () => {
  const { appends, journal, seals } = await overOn({ isExclusive: false });
  const made = seals();

  await made.start(journal, THREAD, () => ({ entries: [started], result: true }));
  expect(appends.map(({ beside }) => beside)).toEqual([undefined]);
  await made.begin(journal);
  expect(appends).toHaveLength(2);
});
