import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { connectForCommands } from '../../../../../app/store/redis/connection/clients.ts';
import { readRedisUrl } from '../../../../../app/store/redis/place.ts';

/** What the client of this address shows to each Redis that it connects to. */
function shownTo(url: string) {
  const client = connectForCommands(readRedisUrl(url), silentLog);
  client.disconnect();
  const { username, password, tls } = (client instanceof Cluster ? client.options.redisOptions : client.options) ?? {};
  return { username: username ?? undefined, password: password ?? undefined, tls: tls !== undefined };
}

it.each([
  'rediss://ann:secret@h:1',
  'rediss+sentinel://ann:secret@h:1,i:2/main',
  'rediss+cluster://ann:secret@h:1,i:2',
])('every Redis of the address %s is shown the login of that address, over TLS', (url) => {
  expect(shownTo(url)).toEqual({ username: 'ann', password: 'secret', tls: true });
});

it.each(['redis://h:1', 'redis+sentinel://h:1/main', 'redis+cluster://h:1'])(
  'a Redis of the address %s is shown no login, and no TLS',
  (url) => {
    expect(shownTo(url)).toEqual({ tls: false });
  },
);
