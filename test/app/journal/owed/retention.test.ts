import { expect, it } from 'vitest';
import { remainsOf } from '../../../../app/journal/owed/retention.ts';
import { approvalId, fold, runId } from '../../../support/journal.ts';
import { QUESTIONS } from '../../../support/questions.ts';

it('names each question of a run and each of its times, so that a removed run leaves nothing', () => {
  const state = fold(...QUESTIONS);
  const ids = [approvalId(1), approvalId(2), approvalId(3)];

  const { run, version, approvals, due } = remainsOf(state);

  expect({ run, version }).toEqual({ run: runId(), version: state.version });
  expect(approvals.toSorted()).toEqual(ids);
  expect(due[0]).toEqual({ what: 'retention', subject: runId() });
  for (const subject of ids)
    expect(due.filter((item) => item.subject === subject).map(({ what }) => what)).toEqual([
      ...['expiry', 'notice', 'reminder', 'escalation'],
    ]);
});
