import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { nameOf, readRedisUrl } from './redis/index.ts';

export interface PlaceOptions {
  readonly redisUrl?: string | undefined;
  readonly dataDir: string;
}

/**
 * Where the facts are kept, as a digest without a login. Each post carries it, so that a bot whose store was emptied
 * tells its own posts from those of another deployment on the same app.
 */
export function placeOf({ redisUrl, dataDir }: PlaceOptions): string {
  const place = redisUrl === undefined ? undefined : readRedisUrl(redisUrl);
  const name = place === undefined ? resolve(dataDir) : `${place.type} ${nameOf(place)} ${place.database}`;
  return createHash('sha256').update(name).digest('base64url').slice(0, 16);
}
