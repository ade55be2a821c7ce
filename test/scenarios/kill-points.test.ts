import { describe, expect, it } from 'vitest';
import { STEPS } from '../../app/step.ts';
import { partOf } from '../support/amount.ts';
import { dyingWalk } from '../support/dying-walk.ts';
import { DYING_AT, PARTS } from '../support/kill-rows/all.ts';
import { RETIRING } from '../support/kill-rows/retiring.ts';
import { titleOf } from '../support/kill-rows/row.ts';

/** `npm test` has every fourth row, others with each commit. */
const PARTS_NOW = PARTS.map(([part, rows]) => [part, partOf(rows, 4)] as const);

describe.concurrent.each(PARTS_NOW)('a bot that dies %s and is started again (P2, P7)', (_, rows) => {
  it.each(rows.map((row) => [titleOf(row), row] as const))('%s', async (_, { walk, seen }) => {
    seen(await dyingWalk(walk));
  });
});

it('each step named in the code has a test', () => {
  const dying = [...DYING_AT, ...RETIRING];
  expect(STEPS.map(({ name }) => name).filter((name) => !dying.includes(name))).toEqual([]);
});
