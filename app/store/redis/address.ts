import { StoreSetupError } from '../errors.ts';

/** Where Redis is. The address gives the kind: one server, a server that sentinels find, or a cluster. */
export type RedisAddress =
  | { readonly type: 'single'; readonly url: string; readonly database: number }
  | (Several & { readonly type: 'sentinel'; readonly name: string; readonly database: number })
  | (Several & { readonly type: 'cluster'; readonly database: 0 });

interface Several {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/**
 * - `redis://user:password@host:6379/0`, or `rediss://` for TLS
 * - `redis+sentinel://user:password@host:26379,host:26379/name-of-the-primary/0`
 *   (the login is that of Redis; sentinels have none)
 * - `redis+cluster://user:password@host:6379,host:6379`
 */
export function readRedisUrl(url: string): RedisAddress {
  const [, secure, kind, login, hosts = '', path = ''] =
    /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?]*)\/?([^?]*)/.exec(url) ?? refuse();
  const parts = path.split('/').filter((part) => part !== '');
  if (hosts === '' || /%(?![\da-f]{2})/i.test(url)) refuse();
  if (kind === undefined && (!URL.canParse(url) || /[?#]/.test(login ?? ''))) refuse();
  if (kind === undefined) return { type: 'single', url, database: readDatabase(parts[0]) };

  const several: Several = { ...readLogin(login), tls: secure === 's', hosts: hosts.split(',').map(readHost(kind)) };
  if (kind === 'cluster') {
    if (!['', '0'].includes(parts.join('/'))) throw new StoreSetupError(ONE_DATABASE);
    return { type: 'cluster', ...several, database: 0 };
  }
  const [name = refuse(), database] = parts;
  return { type: 'sentinel', ...several, name: decodeURIComponent(name), database: readDatabase(database) };
}

const ONE_DATABASE =
  'REDIS_URL names a database, and a Redis Cluster has none but 0. End REDIS_URL behind its last host.';

/** The address without its login, for people. */
export function nameOf(place: RedisAddress): string {
  // All up to the last @, because a password may hold one. Options behind the ? may hold a password too.
  if (place.type === 'single') return place.url.replace(/^[^/]*\/\/(.*@)?/, '').replace(/\?.*/s, '');
  const hosts = place.hosts.map(({ host, port }) => `${host}:${port}`).join(',');
  return place.type === 'sentinel' ? `${hosts}/${place.name}` : hosts;
}

function readHost(kind: string) {
  const usualPort = kind === 'sentinel' ? '26379' : '6379';
  return (text: string) => {
    const [, host = refuse(), port = usualPort] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? refuse();
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  };
}

function readLogin(login = ''): { readonly username?: string; readonly password?: string } {
  if (login === '') return {};
  const [username = '', ...password] = login.split(':').map(decodeURIComponent);
  return { ...(username === '' ? {} : { username }), password: password.join(':') };
}

function readDatabase(text = '0'): number {
  return /^\d+$/.test(text) ? Number(text) : refuse();
}

/** The address itself stays out of the message: it may hold a password. */
function refuse(): never {
  throw new StoreSetupError(
    'REDIS_URL is not an address this version knows. Write redis://host:6379/0, ' +
      'redis+sentinel://host:26379,host:26379/name/0 or redis+cluster://host:6379,host:6379 (rediss for TLS). ' +
      'In a login, write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.',
  );
}
