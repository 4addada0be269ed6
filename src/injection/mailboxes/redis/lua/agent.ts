/** Shared code of the scripts for one agent: its items, their order, and how each of them ends. */
import { CHANGES, CLOCK, reasonOf } from './script.js';

/** The longest possible lease. */
export const MAX_LEASE_MS = 86_400_000;

/** The fields of an item in `items`, one per line. */
export const FIELDS = ['order', 'rank', 'matcher', 'expiry', 'number', 'head', 'rest'] as const;

/** How an item ends; its place here is its number. */
export const ENDED_STATES = ['delivered', 'carried', 'expired', 'failed'] as const;

/**
 * The keys of an agent, all in one slot:
 * - `items`: every item that has not ended, by its id; the value has one field per line, in the order of `FIELDS`.
 *   While it does not exist, there is nothing to take.
 * - `lane:<matcher>`: the queued ids in order, each after the time it was put; `lanes`: the matchers, without the empty one.
 * - `seen`: the leased ids, each with the time its lease expires, which identifies the lease; and the ended ids, each
 *   with the negative time it ended, whose last digit is the number of its state. Both times are in microseconds.
 * - `expiry`: ids by expiry time. `shared`: ids from the log, by number.
 * - `left`: exists if the agent has left.
 * - `meta`: `named` and `all` (how far the log was read), `joinedAt`, `left`, `due` and `soon` (before these times no lease and no item expires; in microseconds and milliseconds), `shared` and `lanes` (whether these keys may have
 *   entries), `fresh` (when the expiry of the keys was last renewed), `next` (before this time in microseconds, a call need not look at the other times).
 *
 * The arguments of every script begin with the channel, the caller with the agent, and the limits: how long the keys are kept, how long ended items, and how many of those.
 */
const KEYS = `
local ITEMS, META, SEEN, LANE = base .. ':items', base .. ':meta', base .. ':seen', base .. ':lane:'
`;

/**
 * Begins a script that has a short way: for the items that most are, without the functions below. Creating these takes
 * as long as the work itself. The short way returns early, before it has changed anything or with everything done.
 */
export const SHORT = `${CLOCK}${KEYS}`;

/** Defines `ttl`, for the short way. */
export const READ_TTL = `local ttl = string.match(ARGV[3], '^%d+')`;

/** A time of an end in `seen`. Needs a number of a state. */
export const endTime = (state: string): string =>
  `'-' .. clock[1] .. string.sub('00000' .. clock[2], -6, -2) .. ${state}`;

/** Of the ended items, forgets the oldest and the expired: at most a thousand. */
export const FORGET = `
local before = string.match(ARGV[3], ' (%d+) ') * 1000 - micros
local ended = redis.call('ZCOUNT', SEEN, '-inf', '(0')
local kept = math.min(redis.call('ZCOUNT', SEEN, '-inf', before), tonumber(string.match(ARGV[3], '%d+$')))
if ended > kept then redis.call('ZREMRANGEBYRANK', SEEN, math.max(kept, ended - 1000), ended - 1) end
`;

/** Begins a script, or the long way of one that begins with `SHORT`. */
export const LONG = `${CHANGES}
local agent, ttl, rememberMs, maxRemembered = string.match(ARGV[2], '%S+$'), string.match(ARGV[3], '(%d+) (%d+) (%d+)')
ttl, rememberMs, maxRemembered = tonumber(ttl), tonumber(rememberMs), tonumber(maxRemembered)
local EXPIRY, SHARED, LANES, LEFT = base .. ':expiry', base .. ':shared', base .. ':lanes', base .. ':left'
local NUMBERS = { ${ENDED_STATES.map((state, i) => `${state} = ${i}`).join(', ')} }

local found = redis.call('HMGET', META, 'due', 'soon', 'left', 'fresh', 'named', 'all', 'joinedAt', 'shared', 'lanes', 'next')
local meta = {
  due = found[1], soon = found[2], left = found[3], fresh = found[4], named = found[5],
  all = found[6], joinedAt = found[7], shared = found[8], lanes = found[9], next = found[10],
}
local wrote, moved, created = false, false, {}
-- The server is blocked during a call, so a call ends at most this many items; the caller calls again.
local budget = 1000

local function gone() return ${reasonOf('the agent ')} .. agent .. ${reasonOf(' has left')} end

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
    created = { ITEMS, META, SEEN, EXPIRY, SHARED, LANES, LEFT, LANE }
    for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do new(LANE .. lane) end
  end
  for _, key in ipairs(created) do redis.call('PEXPIRE', key, ttl) end
  if not meta.fresh then return end
  local next = meta.left and 0 or math.min(
    (meta.fresh + ttl / 4) * 1000, tonumber(meta.due) or math.huge, meta.soon and meta.soon * 1000 or math.huge)
  if not meta.next or next ~= tonumber(meta.next) then redis.call('HSET', META, 'next', whole(next)) end
end

local function parse(id, text)
  local o, p, m, x, n, h, r = string.match(text or '',
    '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n(.*)$')
  if not o then return { id = id, o = '0', p = '0', m = '', x = '', n = '', h = '', r = '' } end
  return { id = id, o = o, p = p, m = m, x = x, n = n, h = h, r = r }
end

local function wait(f)
  local lane = LANE .. f.m
  redis.call('ZADD', lane, f.p, f.o .. ' ' .. f.id)
  if redis.call('ZCARD', lane) > 1 then return end
  new(lane)
  if f.m ~= '' then
    redis.call('SADD', LANES, f.m)
    if not meta.lanes then set('lanes', '1') end
    new(LANES)
  end
end

-- Whether it has ended, or has not.
local function isKnown(id) return redis.call('HEXISTS', ITEMS, id) == 1 or redis.call('ZSCORE', SEEN, id) end

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
  publish(ARGV[2])
  -- Only an item that has ended, or the log, moves it.
  return { now, table.concat(changes, '\\n'), moved and floor() or '', kind, ... }
end
`;

/** Begins a script without a short way. */
export const AGENT = `${SHORT}${LONG}`;

/** Ends items. */
export const FINISH = `
-- Removes it from the lanes that are no longer needed.
local function closeLane(matcher)
  if matcher ~= '' and redis.call('EXISTS', LANE .. matcher) == 0 then redis.call('SREM', LANES, matcher) end
end

-- Returns true if it was queued.
local function stopWaiting(f)
  if redis.call('ZREM', LANE .. f.m, f.o .. ' ' .. f.id) == 0 then return false end
  closeLane(f.m)
  return true
end

-- Records the end of items for this agent, and from time to time forgets others.
local function record(items, state, reason)
  local scores, score = {}, ${endTime('NUMBERS[state]')}
  for i, f in ipairs(items) do
    scores[2 * i - 1], scores[2 * i] = score, f.id
    note(f.id, state, reason, f.h, f.n)
  end
  wrote, budget = true, budget - #items
  redis.call('ZADD', SEEN, unpack(scores))
  local count = redis.call('ZCARD', SEEN)
  if count <= #items then new(SEEN) end
  if count > maxRemembered or count % 32 < #items then
    ${FORGET}
  end
end

local function finish(items, state, reason)
  if #items == 0 then return end
  local ids, expiring, shared = {}, {}, {}
  for i, f in ipairs(items) do
    ids[i] = f.id
    if f.x ~= '' then expiring[#expiring + 1] = f.id end
    if f.n ~= '' then shared[#shared + 1] = f.id end
  end
  redis.call('HDEL', ITEMS, unpack(ids))
  if #expiring > 0 then redis.call('ZREM', EXPIRY, unpack(expiring)) end
  if #shared > 0 then
    redis.call('ZREM', SHARED, unpack(shared))
    moved = true
  end
  record(items, state, reason)
end
`;

/** Puts a leased item back. Needs `FINISH`. */
export const GIVE_BACK = `
local function giveBack(f, reason)
  if f.x ~= '' and tonumber(f.x) <= now then
    finish({ f }, 'expired', ${reasonOf('it expired before it was released')})
  elseif meta.left then
    finish({ f }, 'failed', gone())
  else
    budget = budget - 1
    redis.call('ZREM', SEEN, f.id)
    wait(f)
    note(f.id, 'queued', reason, f.h, f.n)
  end
end
`;

/** What time has done since the last call. Most calls find nothing to do, and make none of the functions for it. */
export const LOOK_AT_TIME = `
-- Returns false if there is more to do first.
local function lookAtTime()
  local noLease, noItem = not meta.due or tonumber(meta.due) > micros, not meta.soon or tonumber(meta.soon) > now
  if noLease and noItem then return true end
  ${FINISH}
  ${GIVE_BACK}
  if not noLease then
    repeat
      local late = redis.call('ZRANGE', SEEN, '(0', micros, 'BYSCORE', 'LIMIT', 0, 100)
      for _, id in ipairs(late) do
        local text = redis.call('HGET', ITEMS, id)
        if text then giveBack(parse(id, text), ${reasonOf('not acknowledged in time')}) else redis.call('ZREM', SEEN, id) end
      end
    until #late == 0 or budget <= 0
    local next = redis.call('ZRANGE', SEEN, '(0', '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    if next then set('due', whole(tonumber(next))) else unset('due') end
  end
  if not noItem and budget > 0 then
    repeat
      local late = redis.call('ZRANGE', EXPIRY, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)
      for _, id in ipairs(late) do
        redis.call('ZREM', EXPIRY, id)
        local text = redis.call('HGET', ITEMS, id)
        local f = text and parse(id, text)
        -- Leased items are handled when their lease ends.
        if f and stopWaiting(f) then finish({ f }, 'expired', ${reasonOf('it has expired')}) end
      end
    until #late == 0 or budget <= 0
    local next = redis.call('ZRANGE', EXPIRY, 0, 0, 'WITHSCORES')[2]
    if next then set('soon', next) else unset('soon') end
  end
  return budget > 0
end
`;
