import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { recordKey, SHARDS_KEY } from '../../../app/store/keys.ts';
import { configured, KEY, NEWER_KEY, type Servers, type Trouble } from './trouble.ts';

/** Of where facts are kept. */
export const storeTroubles = ({
  redisUrl,
  evictingUrl,
  forgetfulUrl,
  unknownUrl,
  noPort,
}: Servers): readonly Trouble[] => [
  { what: 'another process has the store', beside: {} },
  {
    what: 'a newer version wrote the store',
    prepare: (folder) => withDatabase(folder, (database) => database.exec('PRAGMA user_version = 99')),
  },
  { what: 'the store is encrypted, and no key is set', before: [{ DATA_KEY: KEY }] },
  { what: 'the store is encrypted with another key', before: [{ DATA_KEY: KEY }], env: { DATA_KEY: NEWER_KEY } },
  {
    what: 'the store may have texts under a key that is gone',
    before: [{ DATA_KEY: KEY }, { DATA_KEY: `${NEWER_KEY},${KEY}` }],
    env: { DATA_KEY: NEWER_KEY },
  },
  { what: 'a file has the name of the folder', ofProcess: true, files: { '.data': '' } },
  { what: 'the file of the store is broken', files: { '.data/countersign.sqlite': 'Not a database.' } },
  {
    what: 'the store cannot be locked',
    prepare: (folder) => mkdirSync(join(folder, '.data/countersign.lock'), { recursive: true }),
  },
  { what: 'Redis is away', ofProcess: true, env: { REDIS_URL: `redis://127.0.0.1:${noPort}` } },
  { what: 'a certificate of an authority that is not known', ofProcess: true, env: { REDIS_URL: unknownUrl } },
  { what: 'a database of Redis that is no number', env: { REDIS_URL: `${redisUrl}/main` } },
  { what: 'a database of a Redis Cluster', env: { REDIS_URL: 'redis+cluster://redis-1:6379/3' } },
  {
    what: 'a Redis that was changed by hand',
    prepare: async () => {
      const client = new Redis(`${redisUrl}/1`);
      await client.set(SHARDS_KEY, 'many');
      client.disconnect();
    },
    env: { REDIS_URL: `${redisUrl}/1` },
  },
  {
    what: 'a Redis of another bot',
    prepare: async () => {
      const client = new Redis(`${redisUrl}/2`);
      await client.set(recordKey('owner'), 'U0BOT00001:T0OTHER001');
      client.disconnect();
    },
    env: { REDIS_URL: `${redisUrl}/2` },
  },
  { what: 'a Redis that throws away what it has no room for', env: { REDIS_URL: evictingUrl } },
  { what: 'a Redis that keeps nothing on its disk', env: { REDIS_URL: forgetfulUrl } },
  {
    ...configured('a durability on the disk of such a Redis', "durability: 'disk',"),
    env: { REDIS_URL: forgetfulUrl },
  },
  {
    what: 'Redis refuses the login',
    env: { REDIS_URL: redisUrl.replace('redis://', 'redis://bot:wrong@') },
  },
  {
    what: 'Redis keeps its channels from the user',
    prepare: async () => {
      const client = new Redis(redisUrl);
      await client.call('ACL', 'SETUSER', 'ann', 'on', '>right', '+@all', '~cs:*', 'resetchannels');
      client.disconnect();
    },
    env: { REDIS_URL: redisUrl.replace('redis://', 'redis://ann:right@') },
  },
  {
    ...configured('a durability that one file cannot give', "durability: 'replica',"),
  },
  {
    ...configured('a durability that this Redis cannot give', "durability: 'replica',"),
    env: { REDIS_URL: redisUrl },
  },
];

function withDatabase(folder: string, change: (database: DatabaseSync) => void): void {
  mkdirSync(join(folder, '.data'));
  const database = new DatabaseSync(join(folder, '.data', 'countersign.sqlite'));
  change(database);
  database.close();
}
