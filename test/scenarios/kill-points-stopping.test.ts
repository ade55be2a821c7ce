import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STEPS } from '../../app/step.ts';
import { dyingWalk } from '../support/dying-walk.ts';
import { stepsOf } from '../support/kill-rows/all.ts';
import { RETIRING } from '../support/kill-rows/retiring.ts';
import { type Row, titleOf } from '../support/kill-rows/row.ts';
import { STOPPING } from '../support/kill-rows/stopping.ts';
import { NEVER_WHILE_STOPPING, WHILE_STOPPING, WORST } from '../support/kill-rows/while-stopping.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

/** `npm run soak` has every row, started again and taken over; a build has a few, started again. */
const SOAK = process.env.SOAK !== undefined;
const PARTS: typeof WHILE_STOPPING = SOAK ? WHILE_STOPPING : [['at the worst moments', WORST]];

const titled = (rows: readonly Row[]) => rows.map((row) => [titleOf(row), row] as const);

describe.concurrent.each(PARTS)('a bot that dies while it stops, %s, and is started again', (_, rows) => {
  it.each(titled(rows))('%s', async (_, { walk, seen }) => {
    seen(await dyingWalk(walk));
  });
});

describe.runIf(SOAK)('with another replica there', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());

  describe.concurrent.each(PARTS)('a bot that dies while it stops, %s', (_, rows) => {
    it.each(titled(rows))('%s', async (_, { walk, seen }) => {
      seen(await dyingWalk({ ...walk, freshDatabase: redis.freshDatabase }));
    });
  });
});

it('each step named in the code has a row in which a bot dies there while it stops, or a reason why it cannot (FK24)', () => {
  const rows = [...WHILE_STOPPING.flatMap(([, part]) => part), ...STOPPING];
  const dying = [...rows.flatMap(({ walk }) => stepsOf(walk)), ...RETIRING];
  const never = Object.keys(NEVER_WHILE_STOPPING);

  expect(STEPS.map(({ name }) => name).filter((name) => !dying.includes(name) && !never.includes(name))).toEqual([]);
  expect(never.filter((name) => dying.includes(name))).toEqual([]);
});
