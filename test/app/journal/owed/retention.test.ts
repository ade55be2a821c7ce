import { expect, it } from 'vitest';
import { unheardLists } from '../../../../app/journal/owed/effects.ts';
import { remainsOf } from '../../../../app/journal/owed/retention.ts';
import { approvalId, fold, foldOnto, runId } from '../../../support/journal.ts';
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

it('names the list on which a requester reads of a run that its thread did not hear the end of (SURF-3)', () => {
  const state = foldOnto(fold(...QUESTIONS), { type: 'unheard', cause: 'The channel takes nothing.' });
  const [index] = unheardLists(state);

  expect(index?.what).toBe('unheard');
  expect(remainsOf(state).members).toContainEqual({ index, member: runId() });
});
