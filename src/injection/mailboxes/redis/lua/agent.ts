/** Shared code of the scripts for one agent: its items, their order, and how each of them ends. */
import { BEGIN } from './script.js';

/**
 * The longest possible lease. The start of each lease is backdated so that all of them expire at this age; any process
 * can then recover exactly the expired ones, whatever lease time the others use.
 */
export const MAX_LEASE_MS = 86_400_000;

/**
 * The keys of an agent, all in one slot:
 * - `items`: a stream with one entry for every item that has not ended. Fields: `id`, `h` (strategy and source), `r` (the rest),
 *   `p` (rank), `o` (time it was put), and optionally `m` (matcher), `x` (expiry), `n` (number in the log).
 *   Leased entries are pending in the consumer group `leases`; the number of a lease is their delivery count.
 * - `lane:<matcher>`: the queued entries in order; `lanes`: the matchers. Needed because a stream has only its order of insertion,
 *   without priorities and matchers.
 * - `copies`: the state of every known item; `ended`: those that have ended, by time.
 * - `expiry`: entries by expiry time. `shared`: entries from the log, by number.
 * - `meta`: `named` and `all` (how far the log was read), `joinedAt`, `left`, `last` (the latest entry), `leases` (the number of
 *   leases so far), `due` (when the next lease may expire), `fresh` (when the expiry of the keys was last renewed).
 */
export const AGENT = `${BEGIN}
local agent, ttl, rememberMs, maxRemembered = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local LONGEST, GROUP = ${MAX_LEASE_MS}, 'leases'
local ITEMS, META, COPIES, ENDED = base .. ':items', base .. ':meta', base .. ':copies', base .. ':ended'
local EXPIRY, SHARED, LANES = base .. ':expiry', base .. ':shared', base .. ':lanes'

local function laneKey(matcher) return base .. ':lane:' .. matcher end
local function gone() return 'the agent ' .. agent .. ' has left' end

local meta, wrote, created = {}, false, {}
-- The server is blocked during a call, so a call ends at most this many items; the caller calls again.
local budget = 1000
do
  local names = { 'due', 'last', 'left', 'fresh', 'named', 'all', 'joinedAt' }
  for i, value in ipairs(redis.call('HMGET', META, unpack(names))) do meta[names[i]] = value end
end

local function set(name, value)
  meta[name], wrote = value, true
  redis.call('HSET', META, name, value)
end

local function unset(name)
  if not meta[name] then return end
  meta[name] = false
  redis.call('HDEL', META, name)
end

-- Unused keys expire. New keys get their expiry at once; later calls renew all of them.
local function new(key) created[#created + 1] = key end

local function keep()
  if (wrote or meta.fresh) and now - tonumber(meta.fresh or 0) >= ttl / 4 then
    set('fresh', now)
    created = { ITEMS, META, COPIES, ENDED, EXPIRY, SHARED, LANES }
    for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do new(laneKey(lane)) end
  end
  for _, key in ipairs(created) do redis.call('PEXPIRE', key, ttl) end
end

local function wait(entry, f)
  local lane = f.m or ''
  redis.call('ZADD', laneKey(lane), f.p, f.o .. ' ' .. entry)
  if redis.call('SADD', LANES, lane) == 0 then return end
  new(laneKey(lane))
  new(LANES)
end

-- Returns true if it was queued.
local function stopWaiting(entry, f)
  local lane = f.m or ''
  if redis.call('ZREM', laneKey(lane), f.o .. ' ' .. entry) == 0 then return false end
  if redis.call('EXISTS', laneKey(lane)) == 0 then redis.call('SREM', LANES, lane) end
  return true
end

local function forget(ids)
  if #ids == 0 then return end
  redis.call('ZREM', ENDED, unpack(ids))
  redis.call('HDEL', COPIES, unpack(ids))
end

-- Records the end of an item for this agent. Removes the oldest records, and from time to time all expired ones.
local function record(id, state, reason, head, shared)
  wrote = true
  redis.call('HSET', COPIES, id, state)
  redis.call('ZADD', ENDED, now, id)
  local count = redis.call('ZCARD', ENDED)
  if count == 1 then
    new(COPIES)
    new(ENDED)
  end
  if count > maxRemembered then
    forget(redis.call('ZRANGE', ENDED, 0, math.min(count - maxRemembered, 100) - 1))
  elseif count % 32 == 0 then
    forget(redis.call('ZRANGE', ENDED, '-inf', now - rememberMs, 'BYSCORE', 'LIMIT', 0, 100))
  end
  note(id, state, reason, head, shared)
end

local function finish(entry, f, state, reason)
  budget = budget - 1
  redis.call('XDEL', ITEMS, entry)
  if f.x then redis.call('ZREM', EXPIRY, entry) end
  if f.n then redis.call('ZREM', SHARED, entry) end
  record(f.id, state, reason, f.h, f.n)
  if redis.call('XLEN', ITEMS) > 0 then return end
  -- Deleting the stream also deletes its group and consumers.
  redis.call('DEL', ITEMS)
  unset('due')
end

-- Adds an item to the queue. It is ordered by the time it was put, even if it comes from the log.
local function enter(f)
  local number = whole(math.max(micros, tonumber(meta.last or 0) + 1))
  set('last', number)
  local entry = number .. '-0'
  f.o = f.o or number
  -- Entries with the same fields in the same order need less memory.
  local fields = { 'id', f.id, 'h', f.h, 'r', f.r, 'p', f.p, 'o', f.o }
  for _, name in ipairs({ 'm', 'x', 'n' }) do
    if f[name] then
      fields[#fields + 1] = name
      fields[#fields + 1] = f[name]
    end
  end
  if redis.call('EXISTS', ITEMS) == 0 then
    redis.call('XGROUP', 'CREATE', ITEMS, GROUP, '0', 'MKSTREAM')
    new(ITEMS)
    new(COPIES)
  end
  redis.call('XADD', ITEMS, entry, unpack(fields))
  redis.call('HSET', COPIES, f.id, 'queued')
  if f.x then
    redis.call('ZADD', EXPIRY, f.x, entry)
    new(EXPIRY)
  end
  if f.n then
    redis.call('ZADD', SHARED, f.n, entry)
    new(SHARED)
  end
  wait(entry, f)
  return entry
end

local function giveBack(entry, f, reason)
  budget = budget - 1
  redis.call('XACK', ITEMS, GROUP, entry)
  if f.x and tonumber(f.x) <= now then
    finish(entry, f, 'expired', 'it expired before it was released')
  elseif meta.left then
    finish(entry, f, 'failed', gone())
  else
    wait(entry, f)
    note(f.id, 'queued', reason, f.h, f.n)
  end
end

local function endLeases()
  if not meta.due or tonumber(meta.due) > now then return end
  local cursor = '0-0'
  repeat
    local found = redis.call('XAUTOCLAIM', ITEMS, GROUP, 'recovery', LONGEST, cursor, 'COUNT', 100)
    cursor = found[1]
    for _, entry in ipairs(found[2]) do giveBack(entry[1], fieldsOf(entry), 'not acknowledged in time') end
    -- Removing the last entry may have deleted the stream.
  until cursor == '0-0' or not meta.due or budget <= 0
  if budget <= 0 then return end
  local left = meta.due and redis.call('XPENDING', ITEMS, GROUP, '-', '+', 1000) or {}
  if #left == 0 then return unset('due') end
  local oldest = 0
  for _, pending in ipairs(left) do oldest = math.max(oldest, pending[3]) end
  local next = now + math.max(1, LONGEST - oldest)
  set('due', #left == 1000 and math.min(next, now + 1000) or next)
end

-- Leased items are handled when their lease ends.
local function expire()
  repeat
    local late = redis.call('ZRANGE', EXPIRY, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
    for _, entry in ipairs(late) do
      redis.call('ZREM', EXPIRY, entry)
      local found = redis.call('XRANGE', ITEMS, entry, entry)[1]
      local f = found and fieldsOf(found)
      if f and stopWaiting(entry, f) then finish(entry, f, 'expired', 'it has expired') end
    end
  until #late == 0 or budget <= 0
end

-- Returns false if there is more to do first.
local function lookAtTime()
  endLeases()
  expire()
  return budget > 0
end

-- The number up to which this agent no longer needs the log.
local function floor()
  if not meta.named and not meta.all then return '' end
  local named, all = tonumber(meta.named or 0), tonumber(meta.all or meta.named)
  local first = redis.call('ZRANGE', SHARED, 0, 0, 'WITHSCORES')[2]
  return whole(math.min(named, all, first and first - 1 or named))
end

local function reply(kind, ...)
  keep()
  publish({ agent })
  return { whole(now), changes, floor(), kind, ... }
end
`;
