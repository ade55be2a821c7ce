import { expect, it } from 'vitest';
import { createFindInList } from '../../../app/approvals/lists.ts';
import { LIMITS } from '../../../app/limits.ts';
import type { RunJournal } from '../../../app/recorder/run-journal.ts';
import type { ApprovalId, RunId } from '../../../app/records/index.ts';
import { approvalId, runId } from '../../support/journal.ts';

const STRANGE = approvalId(100_000);

/** A store that knows every question but one, all of one run. */
function listed() {
  const asked: ApprovalId[] = [];
  const reads: RunId[] = [];
  const findApproval = async (id: ApprovalId) => {
    asked.push(id);
    return id === STRANGE ? undefined : runId();
  };
  const journalOf = (run: RunId) => {
    const parts: Pick<RunJournal, 'run' | 'refreshUnlessOver'> = {
      run,
      refreshUnlessOver: async () => {
        reads.push(run);
        return undefined;
      },
    };
    // A list uses nothing else of a journal.
    return parts as RunJournal;
  };
  return { find: createFindInList({ store: { findApproval }, journalOf }), asked, reads };
}

it('reads the journal of a run once for all of its questions that are looked up at the same moment', async () => {
  const { find, reads } = listed();

  const found = await Promise.all([find(approvalId(1)), find(approvalId(2)), find(approvalId(3))]);

  expect(found.map((journal) => journal?.run)).toEqual([runId(), runId(), runId()]);
  expect(reads).toHaveLength(1);
});

it('reads the journal of a run again when its question is looked up later', async () => {
  const { find, reads } = listed();

  await find(approvalId(1));
  await find(approvalId(1));

  expect(reads).toHaveLength(2);
});

it('asks the store once to which run a question belongs, and again where the store did not know', async () => {
  const { find, asked } = listed();
  for (const id of [approvalId(1), approvalId(1), STRANGE, STRANGE]) await find(id);

  expect(asked).toEqual([approvalId(1), STRANGE, STRANGE]);
  expect(await find(STRANGE)).toBeUndefined();
});

it('forgets the run of the question that was looked up the longest ago when it knows those of too many', async () => {
  const { find, asked } = listed();
  const most = LIMITS.listedKnown;
  for (let n = 1; n <= most; n += 1) await find(approvalId(n));
  await find(approvalId(1));
  expect(asked).toHaveLength(most);

  await find(approvalId(most + 1));
  await find(approvalId(1));
  expect(asked).toHaveLength(most + 1);

  await find(approvalId(2));
  expect(asked.slice(most)).toEqual([approvalId(most + 1), approvalId(2)]);
});
