import { createSecretKey, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { verify } from '../../../../app/keeping/audit/verify.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { createWorkspaceJournal } from '../../../../app/recorder/workspace-journal.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { createSecretBox } from '../../../../app/secrets/index.ts';
import { StoreUnavailableError } from '../../../../app/store/errors.ts';
import { workspaceOf } from '../../../../app/store/keys.ts';
import { sealStore } from '../../../../app/store/sealed.ts';
import type { Store } from '../../../../app/store/store.ts';
import { approvalId, asked, itemsFor, runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const clock = testClock(1_000);
const denied: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('BEN') };
let store: Store;
let ids = 0;
const entryId = () => {
  ids += 1;
  return `id-${ids}`;
};

/** A run that has asked and was answered, and is not over. */
async function tell(where: Store, entries = [started, turn(1, 'a'), asked(), denied]): Promise<void> {
  const journal = openRunJournal({ store: where, entryId, elapsed: clock.now }, runId());
  const workspaces = createWorkspaceJournal({ store: where, entryId });
  await workspaces.append(workspaceOf('T1', 1), { type: 'run-begun', run: runId(), thread: threadKey(THREAD) });
  for (const entry of entries)
    await journal.commit((state) => ({ entries: [entry], items: itemsFor(state, [entry]), result: undefined }));
}

beforeEach(async () => {
  store = createModelStore(clock);
  await tell(store);
});

/** The journal of the run without its last entries. */
const cut = (count: number): Store => ({
  ...store,
  read: async (journal, from) => {
    const page = await store.read(journal, from);
    if (journal !== runId()) return page;
    return { ...page, entries: page.entries.slice(0, 4 - count), version: page.version - count };
  },
});
const questions = async (of: Store): Promise<readonly string[]> =>
  (await verify(of)).findings.filter((finding) => finding.includes('question'));

describe('verify', () => {
  it('names a question whose answer was cut off, because no list has it as open any more (EDGE-2)', async () => {
    expect(await questions(store)).toEqual([]);

    expect(await questions(cut(1))).toEqual([
      `${runId()}: question ${approvalId()} is open in it, and on no list: its answer was cut off, or the list was changed.`,
    ]);
  });

  it('does not name a question that the end of its run has left open (EDGE-2)', async () => {
    const open = createModelStore(clock);
    await tell(open, [
      started,
      turn(1, 'a'),
      asked(),
      { type: 'call-answered', call: '1/a', item: 1 },
      turn(2),
      { type: 'run-finished' },
    ]);

    expect(await questions(open)).toEqual([]);
  });

  it('does not take an answer that a person gives while it looks for a fault (EDGE-2)', async () => {
    let isBefore = true;
    const beside: Store = {
      ...cut(1),
      read: (journal, from) => (isBefore ? cut(1) : store).read(journal, from),
      members: async (index) => {
        isBefore = false;
        return store.members(index);
      },
    };

    expect(await questions(beside)).toEqual([]);
  });

  it('names a journal whose encrypted text was changed, and checks the others (EDGE-2)', async () => {
    const engine = createModelStore(clock);
    const box = createSecretBox([createSecretKey(randomBytes(32))]);
    await tell(sealStore(engine, box, 'all'));
    const changed: Store = {
      ...engine,
      read: async (journal, from) => {
        const page = await engine.read(journal, from);
        const [first, ...rest] = page.entries;
        if (journal !== runId() || first === undefined) return page;
        return { ...page, entries: [{ ...first, text: rest[0]?.text ?? '' }, ...rest] };
      },
    };

    const { findings, counts } = await verify(sealStore(changed, box, 'all'));
    expect(findings).toEqual([
      expect.stringMatching(`^${runId()}: cannot be read: .*was changed, or belongs elsewhere`),
    ]);
    expect(counts.workspaces).toBe(1);
  });

  it('reports no fault when the store cannot be reached (EDGE-2)', async () => {
    const away: Store = { ...store, readItems: () => Promise.reject(new StoreUnavailableError('The store is away.')) };

    await expect(verify(away)).rejects.toThrow('The store is away.');
  });
});
