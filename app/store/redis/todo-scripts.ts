import { NOW, script } from './script.ts';

/* Which thread is due. */

/** Takes due members and moves them forward in one step, so that none is taken and then lost. KEYS: sorted set. ARGV: limit, lease. */
export const CLAIM = script(`${NOW}
  local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
  for _, member in ipairs(due) do redis.call('ZADD', KEYS[1], now + ARGV[2], member) end
  return due
`);

/** KEYS: sorted set. ARGV: member, lease. */
export const CLAIM_ONE = script(`${NOW}
  local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not at or tonumber(at) > now + ARGV[3] then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  return 1
`);

/** Moves a member if it is still there. KEYS: sorted set. ARGV: lease, member. */
export const RENEW = script(`${NOW}
  return redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[2])
`);

/** KEYS: thread, inbox, todo, then the journal of the current run if there is one. ARGV: thread, inbox length, run, version. */
export const REST = script(`
  if (redis.call('HGET', KEYS[1], 'run') or '') ~= ARGV[3] then return 0 end
  if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
  if KEYS[4] and redis.call('LLEN', KEYS[4]) ~= tonumber(ARGV[4]) then return 0 end
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 1
`);
