import { describe, expect, it } from 'vitest';
import { readRedisUrl } from '../../../../app/store/redis/address.ts';

describe('REDIS_URL', () => {
  it.each([
    ['redis://localhost', { type: 'single', url: 'redis://localhost', database: 0 }],
    [
      'rediss://u:p%40@redis.example:6380/4',
      { type: 'single', url: 'rediss://u:p%40@redis.example:6380/4', database: 4 },
    ],
    [
      'redis+sentinel://:se:cr%2Fet@s1,s2:1234/main/2',
      {
        type: 'sentinel',
        tls: false,
        password: 'se:cr/et',
        hosts: [
          { host: 's1', port: 26379 },
          { host: 's2', port: 1234 },
        ],
        name: 'main',
        database: 2,
      },
    ],
    [
      'rediss+cluster://ann:secret@n1:7000,[::1]:7001',
      {
        type: 'cluster',
        tls: true,
        username: 'ann',
        password: 'secret',
        hosts: [
          { host: 'n1', port: 7000 },
          { host: '::1', port: 7001 },
        ],
        database: 0,
      },
    ],
  ])('%s is understood', (url, place) => {
    expect(readRedisUrl(url)).toEqual(place);
  });

  it.each([
    '',
    'localhost:6379',
    'http://localhost',
    'redis://',
    'redis://host/name',
    'redis+sentinel://:secret@host',
    'redis+cluster://a:b:c:d',
    'redis://:p',
    'redis://:p#ss@localhost:6379',
    'redis://default:#abc@localhost',
    'redis://default:12#x@localhost/0',
    'redis://default:?abc@localhost',
    'redis://:p?ss@localhost:6379',
    'redis://:p/ss@localhost:6379',
    'redis://:p%ss@localhost:6379',
    'redis+sentinel://:p%ss@s1/main',
  ])("'%s' is refused without repeating a possible password", (url) => {
    expect(() => readRedisUrl(url)).toThrow(
      /^REDIS_URL is not an address this version knows\. Write redis:.* In a login, write # as %23, \/ as %2F, \? as %3F, @ as %40 and % as %25\.$/,
    );
    expect(() => readRedisUrl(url)).not.toThrow(/p.?ss/);
  });

  it.each(['3', 'main', '0/1'])(
    'a Cluster with /%s behind its hosts is refused, because it has database 0 alone (MF-15)',
    (path) => {
      expect(() => readRedisUrl(`redis+cluster://:secret@n1:7000,n2:7001/${path}`)).toThrow(
        /^REDIS_URL names a database, and a Redis Cluster has none but 0\. End REDIS_URL behind its last host\.$/,
      );
    },
  );

  it.each(['', '/', '/0'])("a Cluster may end in '%s'", (end) => {
    expect(readRedisUrl(`redis+cluster://n1:7000${end}`)).toMatchObject({ type: 'cluster', database: 0 });
  });
});
