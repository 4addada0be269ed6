/** What the scripts for one agent share: its items, what waits in which order, and the one way in which each of them ends. */
import { BEGIN } from './script.js';

/**
 * No lease is longer. Each is entered as if it had begun so much earlier that all of them run out at this age; so whoever
 * comes by recovers exactly those that have run out, whatever length others lease for.
 */
export const LONGEST_LEASE_MS = 86_400_000;

/**
 * The keys of an agent, all in one slot:
 * - `items`: a stream, one entry for every item that has not ended, with the fields `id`, `h` (strategy and source), `r` (the rest),
 *   `p` (its rank), `o` (when it was put), and where it has one `m` (matcher), `x` (expiry), `n` (its number in the log).
 *   The consumer group `leases` has those pending that somebody is about to send; a lease's number is their delivery count.
 * - `lane:<matcher>`: what waits, in order; `lanes`: the matchers there are. A stream is read in the order in which it was written;
 *   importance and matchers need another one.
 * - `copies`: the state of every item that is known; `ended`: those that have ended, by time.
 * - `expiry`: entries by the time they expire. `shared`: entries that came out of the log, by number.
 * - `meta`: `named` and `all` (how far the log was read), `joinedAt`, `left`, `last` (the latest entry), `leases` (how many there
 *   were), `due` (when the next one may run out), `fresh` (when the keys were last kept from vanishing).
 */
export const AGENT = `${BEGIN}
local agent, ttl, rememberMs, maxRemembered = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local LONGEST, GROUP = ${LONGEST_LEASE_MS}, 'leases'
local ITEMS, META, COPIES, ENDED = base .. ':items', base .. ':meta', base .. ':copies', base .. ':ended'
local EXPIRY, SHARED, LANES = base .. ':expiry', base .. ':shared', base .. ':lanes'

local function laneKey(matcher) return base .. ':lane:' .. matcher end
local function gone() return 'the agent ' .. agent .. ' has left' end

-- Keys vanish when nobody has used them for long. What is written is kept by itself, the rest by whoever comes by.
local function keep(...)
  for _, key in ipairs({ ... }) do redis.call('PEXPIRE', key, ttl) end
end

local function keepAll()
  if now - tonumber(redis.call('HGET', META, 'fresh') or 0) < ttl / 4 then return end
  redis.call('HSET', META, 'fresh', now)
  keep(ITEMS, META, COPIES, ENDED, EXPIRY, SHARED, LANES)
  for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do keep(laneKey(lane)) end
end

local function wait(entry, f)
  local lane = f.m or ''
  redis.call('ZADD', laneKey(lane), f.p, f.o .. ' ' .. entry)
  redis.call('SADD', LANES, lane)
  keep(laneKey(lane), LANES)
end

-- True where it waited.
local function stopWaiting(entry, f)
  local lane = f.m or ''
  if redis.call('ZREM', laneKey(lane), f.o .. ' ' .. entry) == 0 then return false end
  if redis.call('EXISTS', laneKey(lane)) == 0 then redis.call('SREM', LANES, lane) end
  return true
end

-- Notes the end of an item for this agent. What ended long ago is forgotten, then the oldest.
local function record(id, state, reason, head, shared)
  redis.call('HSET', COPIES, id, state)
  redis.call('ZADD', ENDED, now, id)
  local old = redis.call('ZRANGE', ENDED, '-inf', now - rememberMs, 'BYSCORE', 'LIMIT', 0, 100)
  local over = redis.call('ZCARD', ENDED) - maxRemembered
  if over > #old then old = redis.call('ZRANGE', ENDED, 0, math.min(over, 100) - 1) end
  if #old > 0 then
    redis.call('ZREM', ENDED, unpack(old))
    redis.call('HDEL', COPIES, unpack(old))
  end
  keep(COPIES, ENDED)
  note(id, state, reason, head, shared)
end

local function finish(entry, f, state, reason)
  redis.call('XDEL', ITEMS, entry)
  if f.x then redis.call('ZREM', EXPIRY, entry) end
  if f.n then redis.call('ZREM', SHARED, entry) end
  record(f.id, state, reason, f.h, f.n)
  if redis.call('XLEN', ITEMS) > 0 then return end
  -- With the stream go the group and the names of all who ever read from it.
  redis.call('DEL', ITEMS)
  redis.call('HDEL', META, 'due')
end

-- Enters an item and lets it wait. Its place is that of the time it was put, also when it comes out of the log.
local function enter(f)
  local number = math.max(micros, tonumber(redis.call('HGET', META, 'last') or 0) + 1)
  redis.call('HSET', META, 'last', whole(number))
  local entry = whole(number) .. '-0'
  f.o = f.o or whole(number)
  -- Entries with the same fields in the same order take less room.
  local fields = { 'id', f.id, 'h', f.h, 'r', f.r, 'p', f.p, 'o', f.o }
  for _, name in ipairs({ 'm', 'x', 'n' }) do
    if f[name] then
      fields[#fields + 1] = name
      fields[#fields + 1] = f[name]
    end
  end
  if redis.call('EXISTS', ITEMS) == 0 then redis.call('XGROUP', 'CREATE', ITEMS, GROUP, '0', 'MKSTREAM') end
  redis.call('XADD', ITEMS, entry, unpack(fields))
  redis.call('HSET', COPIES, f.id, 'queued')
  keep(ITEMS, META, COPIES)
  if f.x then
    redis.call('ZADD', EXPIRY, f.x, entry)
    keep(EXPIRY)
  end
  if f.n then
    redis.call('ZADD', SHARED, f.n, entry)
    keep(SHARED)
  end
  wait(entry, f)
  return entry
end

local function giveBack(entry, f, reason)
  redis.call('XACK', ITEMS, GROUP, entry)
  if f.x and tonumber(f.x) <= now then
    finish(entry, f, 'expired', 'its time had passed when it came back')
  elseif redis.call('HEXISTS', META, 'left') == 1 then
    finish(entry, f, 'failed', gone())
  else
    wait(entry, f)
    note(f.id, 'queued', reason, f.h, f.n)
  end
end

local function endLeases()
  local due = redis.call('HGET', META, 'due')
  if not due or tonumber(due) > now then return end
  local cursor = '0-0'
  repeat
    local found = redis.call('XAUTOCLAIM', ITEMS, GROUP, 'recovery', LONGEST, cursor, 'COUNT', 100)
    cursor = found[1]
    for _, entry in ipairs(found[2]) do giveBack(entry[1], fieldsOf(entry), 'not acknowledged in time') end
  until cursor == '0-0' or redis.call('EXISTS', ITEMS) == 0
  local left = redis.call('EXISTS', ITEMS) == 1 and redis.call('XPENDING', ITEMS, GROUP, '-', '+', 1000) or {}
  if #left == 0 then return redis.call('HDEL', META, 'due') end
  local oldest = 0
  for _, pending in ipairs(left) do oldest = math.max(oldest, pending[3]) end
  local next = now + math.max(1, LONGEST - oldest)
  redis.call('HSET', META, 'due', #left == 1000 and math.min(next, now + 1000) or next)
end

-- What is being sent is left to those who send it.
local function expire()
  repeat
    local late = redis.call('ZRANGE', EXPIRY, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
    for _, entry in ipairs(late) do
      redis.call('ZREM', EXPIRY, entry)
      local found = redis.call('XRANGE', ITEMS, entry, entry)[1]
      local f = found and fieldsOf(found)
      if f and stopWaiting(entry, f) then finish(entry, f, 'expired', 'its time has passed') end
    end
  until #late == 0
end

local function lookAtTime()
  endLeases()
  expire()
end

-- Up to which number the log holds nothing any more that this agent needs.
local function floor()
  local cursors = redis.call('HMGET', META, 'named', 'all')
  if not cursors[1] and not cursors[2] then return '' end
  local named, all = tonumber(cursors[1] or 0), tonumber(cursors[2] or cursors[1] or 0)
  local first = redis.call('ZRANGE', SHARED, 0, 0, 'WITHSCORES')[2]
  return whole(math.min(named, all, first and first - 1 or named))
end

local function reply(kind, ...)
  tell({ agent })
  return { whole(now), changes, floor(), kind, ... }
end
`;
