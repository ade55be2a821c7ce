import { NOW, script } from './script.ts';

/* Which thread is due, and which process has it in hand. */

/**
 * Takes due members and moves them forward in one step, so that none is taken and then lost. KEYS: sorted set. ARGV: limit, lease,
 * and how far ahead a member may be; one that is further is due, unless its time never comes. Absent: any distance.
 */
export const CLAIM = script(`${NOW}
  local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
  if ARGV[3] then
    local far = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now + ARGV[3], '(+inf', 'LIMIT', 0, ARGV[1] - #due)
    for _, member in ipairs(far) do table.insert(due, member) end
  end
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

/** A note with a plus says that the process died with other threads in hand as well. */
const IS_OF = `
  local function isOf(hand, process) return hand == process or hand == process .. '+' end
`;

/**
 * Counts deaths in halves: half a death where the process had others in hand, but at first a whole one. A process that claims
 * the same thread again missed the answer. KEYS: todo, hands, thread. ARGV: thread, lease, how early, process, when a suspect
 * is due again (or empty: it is claimed), and anything where another process that has the thread in hand may be alive.
 */
export const TAKE_IN_HAND = script(`${NOW}${IS_OF}
  local at, hand = redis.call('ZSCORE', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[2], ARGV[1])
  if not at or (tonumber(at) > now + ARGV[3] and not isOf(hand, ARGV[4])) then return -1 end
  local halves = tonumber(redis.call('HGET', KEYS[3], 'deaths') or 0)
  if hand and not isOf(hand, ARGV[4]) then
    if ARGV[6] then return -1 end
    redis.call('HDEL', KEYS[2], ARGV[1])
    local shared = string.sub(hand, -1) == '+'
    if not shared then
      local notes = redis.call('HGETALL', KEYS[2])
      for index = 1, #notes, 2 do
        if notes[index + 1] == hand then
          shared = true
          redis.call('HSET', KEYS[2], notes[index], hand .. '+')
        end
      end
    end
    halves = shared and math.max(2, halves + 1) or halves + 2
    redis.call('HSET', KEYS[3], 'deaths', halves)
  end
  if halves > 0 and ARGV[5] ~= '' then
    redis.call('ZADD', KEYS[1], now + ARGV[5], ARGV[1])
    return -1
  end
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  return math.floor(halves / 2)
`);

/** KEYS: todo, hands, thread. ARGV: thread, process, and when the thread is due, or nothing. */
export const LET_GO = script(`${NOW}${IS_OF}
  if not isOf(redis.call('HGET', KEYS[2], ARGV[1]), ARGV[2]) then
    local halves = tonumber(redis.call('HGET', KEYS[3], 'deaths') or 0)
    if halves > 0 then redis.call('HSET', KEYS[3], 'deaths', math.max(0, halves - 2)) end
    return 0
  end
  redis.call('HDEL', KEYS[2], ARGV[1])
  if ARGV[3] then redis.call('ZADD', KEYS[1], 'XX', now + ARGV[3], ARGV[1]) end
  return 1
`);

/**
 * The time of a thread that is set aside never comes. KEYS: todo, hands, thread. ARGV: thread, how, and the process in whose
 * hand it must be, with how many deaths, or nothing.
 */
export const SET_ASIDE = script(`${IS_OF}
  if ARGV[3] and not isOf(redis.call('HGET', KEYS[2], ARGV[1]), ARGV[3]) then return 0 end
  if ARGV[3] and tonumber(redis.call('HGET', KEYS[3], 'deaths') or 0) < 2 * ARGV[4] then return 0 end
  if redis.call('HGET', KEYS[3], 'aside') == 'left' then return 0 end
  redis.call('ZADD', KEYS[1], '+inf', ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], 'deaths')
  redis.call('HSET', KEYS[3], 'aside', ARGV[2])
  return 1
`);

/** KEYS: todo, hands, thread. ARGV: thread, deaths or `told`. */
export const TAKE_UP = script(`${NOW}
  local notes, deaths = redis.call('HMGET', KEYS[3], 'aside', 'deaths'), tonumber(ARGV[2]) or 0
  if (notes[1] == 'left') ~= (ARGV[2] == 'told') then return 0 end
  if not notes[1] and math.floor((notes[2] or 0) / 2) <= deaths then return 0 end
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], 'aside', 'deaths')
  if deaths > 0 then redis.call('HSET', KEYS[3], 'deaths', 2 * deaths) end
  return redis.call('ZADD', KEYS[1], now, ARGV[1])
`);

/** Sent twice, it finds the thread left already. KEYS: todo, hands, thread, inbox. ARGV: thread, its run or empty, how many messages go. */
export const ABANDON = script(`${NOW}
  local notes = redis.call('HMGET', KEYS[3], 'run', 'aside', 'deaths')
  if not notes[1] and notes[2] == 'left' then return 1 end
  if (notes[1] or '') ~= ARGV[2] then return (notes[1] or notes[2] or tonumber(notes[3] or 0) > 0) and 0 or 1 end
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], 'deaths', 'run')
  redis.call('HSET', KEYS[3], 'aside', 'left')
  redis.call('LTRIM', KEYS[4], ARGV[3], -1)
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  return 1
`);

/** A claim that lasts longer than a lease is from before the clock was set back. KEYS: the claim. ARGV: process and a space, state, lease. */
export const CLAIM_PAINTING = script(`
  local there = redis.call('PTTL', KEYS[1]) <= tonumber(ARGV[3]) and redis.call('GET', KEYS[1])
  if there and string.sub(there, 1, #ARGV[1]) ~= ARGV[1] then return string.sub(there, string.find(there, ' ', 1, true) + 1) end
  redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2], 'PX', ARGV[3])
  return false
`);

/** KEYS: the page. ARGV: process and a colon, lease. */
export const CLAIM_HOME = script(`
  local there = redis.call('GET', KEYS[1]) or ':'
  local shows = string.sub(there, string.find(there, ':', 1, true) + 1)
  if shows == '' and there ~= ':' and there ~= ARGV[1] then return false end
  local knownMs = redis.call('PTTL', KEYS[1])
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return { shows, knownMs }
`);

/** KEYS: the page. ARGV: process and a colon, what the page shows or nothing, how long this is kept. */
export const KEEP_HOME = script(`
  local there = redis.call('GET', KEYS[1]) or ''
  if string.sub(there, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2], 'PX', ARGV[3])
  return 1
`);

/** KEYS: todo, hands, thread, inbox, then the journal of the current run if there is one. ARGV: thread, inbox length, run, version. */
export const REST = script(`
  if (redis.call('HGET', KEYS[3], 'run') or '') ~= ARGV[3] then return 0 end
  if redis.call('LLEN', KEYS[4]) ~= tonumber(ARGV[2]) then return 0 end
  if KEYS[5] and redis.call('LLEN', KEYS[5]) ~= tonumber(ARGV[4]) then return 0 end
  if redis.call('HEXISTS', KEYS[3], 'aside') == 1 then return 0 end
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], 'deaths')
  return 1
`);
