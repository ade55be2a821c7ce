import { afterAll, beforeAll, describe, it } from 'vitest';
import { dyingWalk, type Walk } from '../support/dying-walk.ts';
import { PARTS } from '../support/kill-rows/all.ts';
import { titleOf } from '../support/kill-rows/row.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.remove());

type Way = readonly [way: string, Pick<Walk, 'alsoRestarts'>];
const TAKEN_OVER: Way = ['another replica is there', {}];
const BOTH: Way = ['another replica is there, and it is started again', { alsoRestarts: true }];
/** `npm run soak` has every row in both ways. A build restarts at every row elsewhere, and takes over at a few of each part. */
const SOAK = process.env.SOAK !== undefined;
const WAYS = SOAK ? [TAKEN_OVER, BOTH] : [TAKEN_OVER];
const EVERY = SOAK ? 1 : 4;
const PARTS_NOW = PARTS.map(([part, rows]) => [part, rows.filter((_, at) => at % EVERY === 0)] as const);

describe.each(WAYS)('when a bot dies and %s', (_, way) => {
  describe.concurrent.each(PARTS_NOW)('%s', (_part, rows) => {
    it.each(rows.map((row) => [titleOf(row), row] as const))('%s', async (_title, { walk, seen }) => {
      seen(await dyingWalk({ ...walk, ...way, freshDatabase: redis.freshDatabase }));
    });
  });
});
