import { expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { WorkspaceBody } from '../../../app/journal/facts/workspace.ts';
import { hashLine, readLine } from '../../../app/journal/line/line.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { createSeals } from '../../../app/recorder/seals.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import { approvalId, asked, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

it('the seal of a run fits its journal when a refused press arrives while it is being written (EDGE-2)', async () => {
  const store = createModelStore(testClock(1_000));
  let ids = 0;
  const entryId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const journal = openRunJournal({ store, entryId, elapsed: () => 0 }, runId());
  await journal.commit(() => ({
    entries: [started, turn(1, 'a'), asked(), { type: 'run-stopped', cause: 'Enough.' }],
    items: ['{}'],
    result: undefined,
  }));
  const late = {
    type: 'press-refused',
    approval: approvalId(),
    by: user('ANN'),
    verdict: 'approve',
    why: 'late',
  } as const;
  const seals = createSeals({
    workspaces: createWorkspaceJournal({ store, entryId }),
    shards: 1,
    before: async () => void (await journal.commit(() => ({ entries: [late], result: undefined }))),
    step: async () => {},
  });

  await seals.seal(journal);

  const [seal] = (await store.read(workspaceOf(THREAD.team, 1))).entries.map(({ text }) =>
    readLine(WorkspaceBody, text),
  );
  const lines = (await store.read(runId())).entries.map(({ text }) => hashLine(text));
  expect(lines).toHaveLength(6);
  expect(seal?.entry).toMatchObject({ type: 'run-sealed', version: 4, head: lines[3] });
});
