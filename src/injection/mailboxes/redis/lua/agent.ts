/** Shared code of the scripts for one agent: its items, their order, and how each of them ends. */
import { BEGIN } from './script.js';

/** The longest possible lease. */
export const MAX_LEASE_MS = 86_400_000;

/**
 * The keys of an agent, all in one slot:
 * - `items`: every item that has not ended, by its entry number; the value has one field per line, in the order of `FIELDS`.
 *   While it does not exist, there is nothing to take.
 * - `lane:<matcher>`: the queued entries in order; `lanes`: the matchers, without the empty one.
 * - `leases`: the leased entries by the time their lease expires, each with the number of its lease.
 * - `copies`: the state of every known item; `ended`: those that have ended, by time.
 * - `expiry`: entries by expiry time. `shared`: entries from the log, by number.
 * - `left`: exists if the agent has left.
 * - `meta`: `named` and `all` (how far the log was read), `joinedAt`, `left`, `due` and `soon` (before these times no lease and no item expires), `shared` and `lanes` (whether these keys may have entries),
 *   `fresh` (when the expiry of the keys was last renewed).
 */
export const AGENT = `${BEGIN}
local agent, ttl, rememberMs, maxRemembered = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local ITEMS, META, COPIES, ENDED = base .. ':items', base .. ':meta', base .. ':copies', base .. ':ended'
local EXPIRY, SHARED, LANES, LEASES = base .. ':expiry', base .. ':shared', base .. ':lanes', base .. ':leases'
local LEFT = base .. ':left'

local found = redis.call('HMGET', META, 'due', 'soon', 'left', 'fresh', 'named', 'all', 'joinedAt', 'shared', 'lanes')
local meta = {
  due = found[1], soon = found[2], left = found[3], fresh = found[4],
  named = found[5], all = found[6], joinedAt = found[7], shared = found[8], lanes = found[9],
}
local wrote, moved, created = false, false, {}
-- The server is blocked during a call, so a call ends at most this many items; the caller calls again.
local budget = 1000

local function laneKey(matcher) return base .. ':lane:' .. matcher end
local function gone() return 'the agent ' .. agent .. ' has left' end

local function set(name, value)
  meta[name], wrote, moved = value, true, moved or name == 'named' or name == 'all'
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
    created = { ITEMS, META, COPIES, ENDED, EXPIRY, SHARED, LANES, LEASES, LEFT, laneKey('') }
    for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do new(laneKey(lane)) end
  end
  for _, key in ipairs(created) do redis.call('PEXPIRE', key, ttl) end
end

local function parse(entry, text)
  local o, p, m, x, n, id, h, r = string.match(text or '',
    '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n(.*)$')
  if not o then return { entry = entry, o = '0', p = '0', m = '', x = '', n = '', id = entry, h = '', r = '' } end
  return { entry = entry, o = o, p = p, m = m, x = x, n = n, id = id, h = h, r = r }
end

local function wait(f)
  local lane = laneKey(f.m)
  redis.call('ZADD', lane, f.p, f.o .. ' ' .. f.entry)
  if redis.call('ZCARD', lane) > 1 then return end
  new(lane)
  if f.m ~= '' then
    redis.call('SADD', LANES, f.m)
    if not meta.lanes then set('lanes', '1') end
    new(LANES)
  end
end

-- The number up to which this agent no longer needs the log.
local function floor()
  if not meta.named and not meta.all then return '' end
  local named, all = tonumber(meta.named or 0), tonumber(meta.all or meta.named)
  if not meta.shared then return whole(math.min(named, all)) end
  local first = redis.call('ZRANGE', SHARED, 0, 0, 'WITHSCORES')[2]
  if not first then unset('shared') end
  return whole(math.min(named, all, first and first - 1 or named))
end

local function reply(kind, ...)
  keep()
  publish({ agent })
  -- Only an item that has ended, or the log, moves it.
  return { now, changes, moved and floor() or '', kind, ... }
end
`;

/** The fields of an item in `items`, one per line. */
export const FIELDS = ['order', 'rank', 'matcher', 'expiry', 'number', 'id', 'head', 'rest'] as const;

/** Ends items. */
export const FINISH = `
-- Removes it from the lanes that are no longer needed.
local function closeLane(matcher)
  if matcher ~= '' and redis.call('EXISTS', laneKey(matcher)) == 0 then redis.call('SREM', LANES, matcher) end
end

-- Returns true if it was queued.
local function stopWaiting(f)
  if redis.call('ZREM', laneKey(f.m), f.o .. ' ' .. f.entry) == 0 then return false end
  closeLane(f.m)
  return true
end

local function forget(ids)
  if #ids == 0 then return end
  redis.call('ZREM', ENDED, unpack(ids))
  redis.call('HDEL', COPIES, unpack(ids))
end

-- Records the end of items for this agent. Removes the oldest records, and from time to time all expired ones.
local function record(items, state, reason)
  local states, times = {}, {}
  for i, f in ipairs(items) do
    states[2 * i - 1], states[2 * i] = f.id, state
    times[2 * i - 1], times[2 * i] = now, f.id
    note(f.id, state, reason, f.h, f.n)
  end
  wrote, budget = true, budget - #items
  redis.call('HSET', COPIES, unpack(states))
  redis.call('ZADD', ENDED, unpack(times))
  local count = redis.call('ZCARD', ENDED)
  if count <= #items then
    new(COPIES)
    new(ENDED)
  end
  if count > maxRemembered then
    forget(redis.call('ZRANGE', ENDED, 0, math.min(count - maxRemembered, 100 + #items) - 1))
  elseif count % 32 < #items then
    forget(redis.call('ZRANGE', ENDED, '-inf', now - rememberMs, 'BYSCORE', 'LIMIT', 0, 100))
  end
end

local function finish(items, state, reason)
  if #items == 0 then return end
  local entries, expiring, shared = {}, {}, {}
  for i, f in ipairs(items) do
    entries[i] = f.entry
    if f.x ~= '' then expiring[#expiring + 1] = f.entry end
    if f.n ~= '' then shared[#shared + 1] = f.entry end
  end
  redis.call('HDEL', ITEMS, unpack(entries))
  if #expiring > 0 then redis.call('ZREM', EXPIRY, unpack(expiring)) end
  if #shared > 0 then
    redis.call('ZREM', SHARED, unpack(shared))
    moved = true
  end
  record(items, state, reason)
end
`;

/** Puts a leased item back. Needs \`FINISH\`. */
export const GIVE_BACK = `
local function giveBack(f, reason)
  if f.x ~= '' and tonumber(f.x) <= now then
    finish({ f }, 'expired', 'it expired before it was released')
  elseif meta.left then
    finish({ f }, 'failed', gone())
  else
    budget = budget - 1
    wait(f)
    note(f.id, 'queued', reason, f.h, f.n)
  end
end
`;

/** What time has done since the last call. Most calls find nothing to do, and make none of the functions for it. */
export const LOOK_AT_TIME = `
-- Returns false if there is more to do first.
local function lookAtTime()
  local noLease, noItem = not meta.due or tonumber(meta.due) > now, not meta.soon or tonumber(meta.soon) > now
  if noLease and noItem then return true end
  ${FINISH}
  ${GIVE_BACK}
  if not noLease then
    repeat
      local late = redis.call('ZRANGE', LEASES, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
      for _, member in ipairs(late) do
        redis.call('ZREM', LEASES, member)
        local entry = string.match(member, ' (.*)$')
        local text = redis.call('HGET', ITEMS, entry)
        if text then giveBack(parse(entry, text), 'not acknowledged in time') end
      end
    until #late == 0 or budget <= 0
    local next = redis.call('ZRANGE', LEASES, 0, 0, 'WITHSCORES')[2]
    if next then set('due', next) else unset('due') end
  end
  if not noItem and budget > 0 then
    repeat
      local late = redis.call('ZRANGE', EXPIRY, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
      for _, entry in ipairs(late) do
        redis.call('ZREM', EXPIRY, entry)
        local text = redis.call('HGET', ITEMS, entry)
        local f = text and parse(entry, text)
        -- Leased items are handled when their lease ends.
        if f and stopWaiting(f) then finish({ f }, 'expired', 'it has expired') end
      end
    until #late == 0 or budget <= 0
    local next = redis.call('ZRANGE', EXPIRY, 0, 0, 'WITHSCORES')[2]
    if next then set('soon', next) else unset('soon') end
  end
  return budget > 0
end
`;
