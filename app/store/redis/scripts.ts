import { NOW, script } from './script.ts';

/*
 * Scripts for positions, times and lists. None of them knows what an approval is. Each is safe to send again, because the
 * first reply may have been lost. The keys of one call all carry one hash tag.
 */

/** KEYS: journal. ARGV: the first and the last position. */
export const READ = script(`${NOW}
  return { now, redis.call('LLEN', KEYS[1]), redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2]) }
`);

/**
 * The caller names each take. A caller that lost the reply sends the same name again, and hears again that it took the delivery.
 * KEYS: seen, inbox, todo, thread. ARGV: name of the take, lifetime of seen, thread, then the inbox element or nothing.
 */
export const TAKE = script(`${NOW}
  local answer = redis.call('HEXISTS', KEYS[4], 'run') == 1 and 'added' or 'taken'
  if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
    return redis.call('GET', KEYS[1]) == ARGV[1] and answer or 'seen'
  end
  if ARGV[4] then
    redis.call('RPUSH', KEYS[2], ARGV[4])
    -- A process at work on the thread keeps its lease, and finds the message in the inbox.
    redis.call('ZADD', KEYS[3], 'NX', now, ARGV[3])
  end
  return answer
`);

/** KEYS: thread, inbox. ARGV: how many messages are wanted, or 0 for all. */
export const THREAD = script(`${NOW}
  local about = redis.call('HMGET', KEYS[1], 'run', 'aside', 'deaths')
  local deaths = math.floor((about[3] or 0) / 2)
  local inbox = redis.call('LRANGE', KEYS[2], 0, ARGV[1] - 1)
  return { now, about[1] or '', inbox, redis.call('LLEN', KEYS[2]), about[2] or '', deaths }
`);

/** KEYS: a text. ARGV: what to write, and what it must be now (empty: it is absent). */
export const REPLACE = script(`
  local there = redis.call('GET', KEYS[1]) or ''
  if there == ARGV[1] then return 1 end
  if there ~= ARGV[2] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1])
  return 1
`);

/**
 * Replaces the text at a position, if it still is the one before. KEYS: list. ARGV: position, text before, text after, and
 * anything where an id and a space stand before the text.
 */
export const RESEAL_AT = script(`
  local there = redis.call('LINDEX', KEYS[1], ARGV[1])
  if not there then return 0 end
  local begins = ARGV[4] and string.find(there, ' ', 1, true) + 1 or 1
  local text = string.sub(there, begins)
  if text == ARGV[3] then return 1 end
  if text ~= ARGV[2] then return 0 end
  redis.call('LSET', KEYS[1], ARGV[1], string.sub(there, 1, begins - 1) .. ARGV[3])
  return 1
`);

/** Replaces an element wherever it stands. KEYS: list. ARGV: element before, element after. */
export const RESEAL_ELEMENT = script(`
  for index, element in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    if element == ARGV[2] then return 1 end
    if element == ARGV[1] then
      redis.call('LSET', KEYS[1], index - 1, ARGV[2])
      return 1
    end
  end
  return 0
`);

/** KEYS: set. ARGV: member before, member after. */
export const RESEAL_MEMBER = script(`
  if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 1 then return 1 end
  if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return 0 end
  redis.call('SADD', KEYS[1], ARGV[2])
  return 1
`);

/** Counts and takes in one step. KEYS: a list of places. ARGV: member, number of places, lifetime of the list. */
export const TAKE_PLACE = script(`
  if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 1 end
  if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('SADD', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1
`);

/** Moves a member if it is still there. KEYS: sorted set. ARGV: member, then a delay, or nothing to remove it. */
export const MOVE = script(`${NOW}
  if not ARGV[2] then return redis.call('ZREM', KEYS[1], ARGV[1]) end
  return redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
`);

/**
 * KEYS: journal, items, thread, due, then those of the approvals and those of the lists. ARGV: version, run, number of
 * approvals, of words in due, these words, and for each list the member to remove.
 */
export const REMOVE = script(`
  local version = redis.call('LLEN', KEYS[1])
  if version ~= 0 and version ~= tonumber(ARGV[1]) then return 0 end
  local approvals, words = tonumber(ARGV[3]), tonumber(ARGV[4])
  redis.call('DEL', KEYS[1], KEYS[2])
  if redis.call('HGET', KEYS[3], 'run') == ARGV[2] then redis.call('HDEL', KEYS[3], 'run') end
  for index = 1, words do redis.call('ZREM', KEYS[4], ARGV[4 + index]) end
  for index = 1, approvals do redis.call('DEL', KEYS[4 + index]) end
  for index = 4 + approvals + 1, #KEYS do
    redis.call('SREM', KEYS[index], ARGV[4 + words + index - 4 - approvals])
  end
  return 1
`);

/**
 * Writes a mark, and answers which entries stand where they were written. KEYS: mark, then a journal for each entry.
 * ARGV: lifetime of the mark, then for each entry its position, its id and a space.
 */
export const MARK = script(`
  redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
  local stand = {}
  for index = 2, #KEYS do
    local there, id = redis.call('LINDEX', KEYS[index], ARGV[2 * index - 2]), ARGV[2 * index - 1]
    stand[index - 1] = there and string.sub(there, 1, #id) == id and 1 or 0
  end
  return stand
`);

/**
 * Uses a key of its own with each command that scripts of the store or of the queue need, and takes the changes back: a script
 * would fail in its middle where a command is denied. Answers the first error with the name of its command, which Redis leaves out.
 */
export const TRY = script(`${NOW}
  local commands = {
    { 'SET', 1 }, { 'INCR' }, { 'GET' }, { 'PEXPIRE', 60000 }, { 'PTTL' }, { 'EXISTS' }, { 'DEL' },
    { 'RPUSH', 'x' }, { 'LLEN' }, { 'LINDEX', 0 }, { 'LRANGE', 0, -1 }, { 'LSET', 0, 'x' }, { 'LREM', 1, 'x' }, { 'LPOP' },
    { 'LPUSH', 'x' }, { 'RPOPLPUSH', KEYS[1] }, { 'LPOP' }, { 'XADD', '*', 'x', 'x' }, { 'DEL' },
    { 'ZADD', 1, 'x' }, { 'ZSCORE', 'x' }, { 'ZRANGEBYSCORE', 1, 1 }, { 'ZREM', 'x' },
    { 'HSET', 'x', 'x' }, { 'HGET', 'x' }, { 'HMGET', 'x' }, { 'HGETALL' }, { 'HEXISTS', 'x' }, { 'HDEL', 'x' },
    { 'HMSET', 'x', 'x' }, { 'HINCRBY', 'y', 1 }, { 'HDEL', 'x', 'y' },
    { 'SADD', 'x' }, { 'SISMEMBER', 'x' }, { 'SCARD' }, { 'SMEMBERS' }, { 'SREM', 'x' },
  }
  for _, command in ipairs(commands) do
    local answer = redis.pcall(command[1], KEYS[1], unpack(command, 2))
    if type(answer) == 'table' and answer.err then return redis.error_reply(answer.err .. ' (' .. command[1] .. ')') end
  end
  return 1
`);

/**
 * Every promise rests on this script. KEYS: journal, items, then those of the effects. ARGV: expected version, not after
 * (or empty), number of entries, of items, the position of the first item (or empty), the first entry's id and a space, the
 * id of the entry that they follow and a space (or empty), the entries, the items, and for each effect its name, the number of
 * its key, the number of its values, and these values.
 */
export const APPEND = script(`${NOW}
  local expected, count, itemCount = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local version = redis.call('LLEN', KEYS[1])
  if version ~= expected then
    local there = redis.call('LINDEX', KEYS[1], expected)
    if there and string.sub(there, 1, #ARGV[6]) == ARGV[6] then return { 'already', expected + count } end
    return { 'conflict', version }
  end
  if ARGV[7] ~= '' then
    local last = redis.call('LINDEX', KEYS[1], -1)
    if not last or string.sub(last, 1, #ARGV[7]) ~= ARGV[7] then return { 'conflict', version } end
  end
  if ARGV[2] ~= '' and now > tonumber(ARGV[2]) then return { 'late', now } end

  local effects, at = {}, 7 + count + itemCount
  while at < #ARGV do
    local size = tonumber(ARGV[at + 3])
    local values = {}
    for index = 1, size do values[index] = ARGV[at + 3 + index] end
    table.insert(effects, { name = ARGV[at + 1], key = KEYS[tonumber(ARGV[at + 2])], values = values })
    at = at + 3 + size
  end
  local function areThere(elements, starts)
    for _, start in ipairs(starts) do
      local found = false
      for _, element in ipairs(elements) do found = found or string.sub(element, 1, #start) == start end
      if not found then return false end
    end
    return true
  end
  for _, effect in ipairs(effects) do
    if effect.name == 'drop' and not areThere(redis.call('LRANGE', effect.key, 0, #effect.values - 1), effect.values)
      and not areThere(redis.call('LRANGE', effect.key, 0, -1), effect.values) then return { 'late', now } end
    if effect.name == 'is' and redis.call('HGET', effect.key, effect.values[1]) ~= effect.values[2] then return { 'late', now } end
  end
  if itemCount > 0 and ARGV[5] ~= '' then
    local items = redis.call('LLEN', KEYS[2])
    if items ~= tonumber(ARGV[5]) then return { 'items', items } end
  end

  for index = 8, 7 + count do redis.call('RPUSH', KEYS[1], ARGV[index]) end
  for index = 8 + count, 7 + count + itemCount do redis.call('RPUSH', KEYS[2], ARGV[index]) end

  local receivers = 0
  local apply = {
    ['at'] = function(key, values) redis.call('ZADD', key, values[1], values[2]) end,
    ['unless'] = function(key, values) redis.call('ZADD', key, 'NX', now + values[1], values[2]) end,
    ['not-at'] = function(key, values) redis.call('ZREM', key, values[1]) end,
    ['put'] = function(key, values) redis.call('SET', key, values[1]) end,
    ['field'] = function(key, values) redis.call('HSET', key, values[1], values[2]) end,
    ['is'] = function() end,
    ['no-field'] = function(key, values) redis.call('HDEL', key, values[1]) end,
    ['member'] = function(key, values) redis.call('SADD', key, values[1]) end,
    ['not-member'] = function(key, values) redis.call('SREM', key, values[1]) end,
    ['run-over'] = function(key, values)
      local run = redis.call('HGET', KEYS[tonumber(values[3])], 'run')
      if not run or run == values[2] then redis.call('SREM', key, values[1]) end
    end,
    ['drop'] = function(key, values)
      for _, start in ipairs(values) do
        local oldest = redis.call('LINDEX', key, 0)
        if oldest and string.sub(oldest, 1, #start) == start then
          redis.call('LPOP', key)
        else
          for _, element in ipairs(redis.call('LRANGE', key, 0, -1)) do
            if string.sub(element, 1, #start) == start then redis.call('LREM', key, 1, element) end
          end
        end
      end
    end,
    -- A hint that Redis refuses is a lost hint. The entries stand by now, so the append must not answer that it failed.
    ['publish'] = function(key, values)
      local heard = redis.pcall(values[1], key, values[2])
      if type(heard) == 'number' then receivers = receivers + heard end
    end,
  }
  for _, effect in ipairs(effects) do apply[effect.name](effect.key, effect.values) end
  return { 'ok', version + count, receivers }
`);
