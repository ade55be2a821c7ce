import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import { silentLog } from '../../../../../app/log.ts';
import { readRedisUrl } from '../../../../../app/store/redis/address.ts';
import { connectForCommands } from '../../../../../app/store/redis/connection/clients.ts';

const opened = (url: string) => {
  const client = connectForCommands(readRedisUrl(url), silentLog);
  client.disconnect();
  return (client instanceof Cluster ? client.options.redisOptions : client.options) ?? {};
};

/** What the client of this address shows to each Redis that it connects to. */
function shownTo(url: string) {
  const { username, password, tls } = opened(url);
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

it.each(['redis://h:1', 'redis+sentinel://h:1/main', 'redis+cluster://h:1'])(
  'a connection of the address %s is made anew after its primary became a replica, and after no other refusal (FR11)',
  (url) => {
    const { reconnectOnError } = opened(url);

    expect(reconnectOnError?.(new Error("READONLY You can't write against a read only replica."))).toBe(true);
    expect(reconnectOnError?.(new Error('OOM command not allowed'))).toBe(false);
  },
);
