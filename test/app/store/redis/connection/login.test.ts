import { expect, it } from 'vitest';
import { createFirstLogin } from '../../../../../app/store/redis/connection/login.ts';

/** What a Cluster says when none of its nodes took the connection, with the error of the last one. */
const cluster = (lastNodeError: unknown) =>
  Object.assign(new Error('Failed to refresh slots cache.'), { lastNodeError });

it.each([
  ['one server', new Error('WRONGPASS invalid username-password pair')],
  ['the last node of a Cluster', cluster(new Error('NOAUTH Authentication required.'))],
])('a start ends as soon as %s refuses the login (MF-15)', async (_who, error) => {
  const login = createFirstLogin('cache:6379');
  const start = login.orRefused(new Promise(() => {}));

  expect(login.onError(error)).toBe(true);

  await expect(start).rejects.toThrow('Redis at cache:6379 refuses the login that REDIS_URL gives');
});

it.each([
  ['one server that does not answer', new Error('connect ECONNREFUSED')],
  ['a Cluster of which no node answers', cluster(undefined)],
])('a start waits for %s', async (_who, error) => {
  const login = createFirstLogin('cache:6379');

  expect(login.onError(error)).toBe(false);

  expect(await login.orRefused(Promise.resolve('started'))).toBe('started');
});

it('a password that is changed while the bot runs causes an outage like any other', async () => {
  const login = createFirstLogin('cache:6379');
  await login.orRefused(Promise.resolve('started'));

  expect(login.onError(new Error('NOAUTH Authentication required.'))).toBe(false);
});
