import { expect, it } from 'vitest';
import { withUnknown } from '../../../../app/runs/asking/doubt-results.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { approvalId, fold, user } from '../../../support/journal.ts';
import { QUESTIONS } from '../../../support/questions.ts';

const state = fold(...QUESTIONS);

it('tells the model that an outcome is unknown where the end of the question answers the call', () => {
  const answered = { type: 'call-answered', call: '1/b', item: 2 } as const;

  const { items } = withUnknown(state, approvalId(2), { entries: [answered] });

  expect(items.map((item) => JSON.parse(item))).toMatchObject([
    { toolUseId: 'b', status: 'error', content: [{ text: WORDS.unknownResult() }] },
  ]);
});

it('tells the model nothing where the end of a question answers no call', () => {
  const settled = {
    type: 'doubt-settled',
    doubt: approvalId(2),
    how: 'retry',
    retry: '1/b~2',
    by: user('ANN'),
  } as const;

  expect(withUnknown(state, approvalId(2), { entries: [settled] }).items).toEqual([]);
});
