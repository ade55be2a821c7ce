import { expect, it } from 'vitest';
import { placeOf } from '../../../app/store/place.ts';

it('the place of a store never changes, so that a bot still knows its own posts', () => {
  const urls = ['redis://h:1/2', 'redis+sentinel://h:1,i/main/2', 'redis+cluster://h:1,i'];

  expect(placeOf({ dataDir: '/data' })).toMatchInlineSnapshot(`"vUdBO1wD38bktbgU"`);
  expect(urls.map((redisUrl) => placeOf({ redisUrl, dataDir: '/data' }))).toMatchInlineSnapshot(`
    [
      "Yc6PWLNfdhWCOuNM",
      "DLji6kT39Os1LuFM",
      "2Dze5XFMiMFJh9UB",
    ]
  `);
});

it.each([
  ['redis://h:1/2', 'redis://ann:se@cret@h:1/2?password=secret'],
  ['redis+cluster://h:1', 'redis+cluster://ann:secret@h:1'],
])('the place of %s does not depend on the login in its address', (redisUrl, withLogin) => {
  expect(placeOf({ redisUrl: withLogin, dataDir: '' })).toBe(placeOf({ redisUrl, dataDir: '' }));
});
