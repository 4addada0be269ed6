/**
 * Scripts for the data that all agents share: the log of items for several agents, the agents, and how far each needs
 * the log.
 */
import { CHANGES, CLOCK, makeScript, reasonOf } from './script.js';

/**
 * The keys, all in one slot:
 * - `log`: a stream with one entry for every item for several agents or all; the number of an entry is the time it was put.
 * - `index`: the number of every item in the log.
 * - `joined`: the agents that have joined, with the end of the log at that time; `gone`: those that have left, by time.
 * - `floors`: for every agent that the log is kept for, the number up to which it no longer needs the log.
 * - `known`: all agents ever used; `last`: the end of the log.
 * - `unmet`: items for all in the log that expired before any agent joined.
 */
const COMMON = `${CLOCK}${CHANGES}
local ttl, maxItems, maxRemembered = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local LOG, INDEX, LAST = base .. ':log', base .. ':index', base .. ':last'
local JOINED, GONE, FLOORS, KNOWN = base .. ':joined', base .. ':gone', base .. ':floors', base .. ':known'
local UNMET = base .. ':unmet'
local dropped = {}

local function fieldsOf(entry)
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  return fields
end

local function keep()
  for _, key in ipairs({ LOG, INDEX, LAST, JOINED, GONE, FLOORS, KNOWN, UNMET }) do redis.call('PEXPIRE', key, ttl) end
end

local function last() return redis.call('GET', LAST) or '0' end

local function drop(entry)
  local id = fieldsOf(entry).id
  redis.call('XDEL', LOG, entry[1])
  redis.call('HDEL', INDEX, id)
  redis.call('SREM', UNMET, id)
  dropped[#dropped + 1] = id
end

-- The agent that is furthest behind, and its position.
local function lowest()
  local holder, least = '', math.huge
  local floors = redis.call('HGETALL', FLOORS)
  for i = 1, #floors, 2 do
    if tonumber(floors[i + 1]) < least then holder, least = floors[i], tonumber(floors[i + 1]) end
  end
  return holder, least
end

-- While no agent has joined, items for all wait for the first one; those that expire meanwhile are reported.
local function expireWithoutAgents()
  if redis.call('HLEN', JOINED) > 0 then return end
  local from = '-'
  repeat
    local page = redis.call('XRANGE', LOG, from, '+', 'COUNT', 100)
    for _, entry in ipairs(page) do
      local f = fieldsOf(entry)
      from = '(' .. entry[1]
      if f.t == 'all' and f.x and tonumber(f.x) <= now and redis.call('SADD', UNMET, f.id) == 1 then
        note(f.id, 'expired', ${reasonOf('it has expired')}, f.h, f.o)
      end
    end
  until #page < 100
end

-- Removes entries that no agent needs, except the latest ones, and entries that were not fetched within the retention
-- time.
local function trim(kept)
  local holder, least = lowest()
  local noAgents = redis.call('HLEN', JOINED) == 0
  repeat
    local entry = redis.call('XRANGE', LOG, '-', '+', 'COUNT', 1)[1]
    if not entry then break end
    local at, f = tonumber(string.match(entry[1], '^%d+')), fieldsOf(entry)
    local needed = at > least or (noAgents and f.t == 'all' and redis.call('SISMEMBER', UNMET, f.id) == 0)
    local tooOld = at <= micros - ttl * 1000
    if needed and tooOld then
      note(f.id, 'expired', ${reasonOf('no agent fetched it within the retention time')}, f.h, f.o)
    end
    local remove = tooOld or (not needed and redis.call('XLEN', LOG) > kept)
    if remove then drop(entry) end
  until not remove
  return holder
end

local function reply(kind, ...)
  publish(ARGV[2] .. ' *')
  return { now, table.concat(changes, '\\n'), dropped, kind, ... }
end
`;

/** Arguments: a reason to report, `all` or `list`, the item's fields, then the agents it names. */
export const ADD = makeScript([
  COMMON,
  `
local id = ARGV[8]
if redis.call('HEXISTS', INDEX, id) == 1 then return reply('known') end
local size = redis.call('XLEN', LOG)
if size >= maxItems then
  expireWithoutAgents()
  local holder = trim(maxItems - 1)
  size = redis.call('XLEN', LOG)
  if size >= maxItems then return reply('full', whole(size), holder) end
elseif size >= maxRemembered + 64 and size % 64 == 0 then
  trim(maxRemembered)
end
local at = whole(math.max(micros, tonumber(last()) + 1))
redis.call('SET', LAST, at)
local fields = { 'id', id, 'h', ARGV[9], 'r', ARGV[10], 'p', ARGV[11], 'o', at, 't', ARGV[7] }
for i, name in ipairs({ 'm', 'x' }) do
  if ARGV[11 + i] ~= '' then
    fields[#fields + 1] = name
    fields[#fields + 1] = ARGV[11 + i]
  end
end
redis.call('XADD', LOG, at .. '-0', unpack(fields))
redis.call('HSET', INDEX, id, at)

local agents, left = {}, {}
if ARGV[7] == 'all' then agents = redis.call('HKEYS', JOINED) end
for i = 14, #ARGV do
  agents[#agents + 1] = ARGV[i]
  redis.call('SADD', KNOWN, ARGV[i])
  if redis.call('ZSCORE', GONE, ARGV[i]) then
    left[#left + 1] = ARGV[i]
  else
    redis.call('HSETNX', FLOORS, ARGV[i], whole(tonumber(at) - 1))
  end
end
keep()
local earlier = changes
changes = {}
note(id, 'queued', ARGV[6], ARGV[9], at)
publish(ARGV[2] .. ' ' .. (#agents == 0 and '*' or table.concat(agents, ',')))
changes = earlier
return reply('added', #agents == 0 and { '*' } or agents, left)
`,
]);

/** Returns the log entries after a number. Arguments: the number, the maximum count. */
export const READ_LOG = makeScript(
  [
    COMMON,
    `
local rest = redis.call('PTTL', LAST)
if rest >= 0 and rest < ttl * 3 / 4 then keep() end
local found = {}
for _, entry in ipairs(redis.call('XRANGE', LOG, '(' .. ARGV[6] .. '-0', '+', 'COUNT', ARGV[7])) do
  local f = fieldsOf(entry)
  found[#found + 1] = { f.o, f.t, f.id, f.h, f.r, f.p, f.m or '', f.x or '' }
end
return reply('read', found)
`,
  ],
  { frees: true },
);

/** Argument: the agent. Returns the end of the log at the time of joining. */
export const JOIN = makeScript([
  COMMON,
  `
local agent = ARGV[6]
local at = redis.call('HGET', JOINED, agent)
if at then return reply('joined', at) end
expireWithoutAgents()
at = last()
redis.call('HSET', JOINED, agent, at)
redis.call('HSETNX', FLOORS, agent, '0')
redis.call('ZREM', GONE, agent)
redis.call('SADD', KNOWN, agent)
keep()
return reply('joined', at)
`,
]);

/** Argument: the agent. The latest thousand agents that left are kept. */
export const DEPART = makeScript(
  [
    COMMON,
    `
redis.call('HDEL', JOINED, ARGV[6])
redis.call('HDEL', FLOORS, ARGV[6])
redis.call('ZADD', GONE, now, ARGV[6])
redis.call('ZREMRANGEBYRANK', GONE, 0, -1001)
redis.call('SADD', KNOWN, ARGV[6])
keep()
return reply('departed')
`,
  ],
  { frees: true },
);

/** Arguments: the agent, and the number up to which it no longer needs the log. */
export const RAISE = makeScript(
  [
    COMMON,
    `
if redis.call('HEXISTS', FLOORS, ARGV[6]) == 1 then redis.call('HSET', FLOORS, ARGV[6], ARGV[7]) end
return reply('raised')
`,
  ],
  { frees: true },
);

/** Argument: an agent that has a new item. */
export const KNOW = makeScript([
  COMMON,
  `
redis.call('SADD', KNOWN, ARGV[6])
keep()
return reply('known')
`,
]);

/** Returns the agents that have joined, those that have left, and all known ones. */
export const AGENTS = makeScript(
  [
    COMMON,
    `
return reply('agents', redis.call('HKEYS', JOINED), redis.call('ZRANGE', GONE, 0, -1), redis.call('SMEMBERS', KNOWN))
`,
  ],
  { frees: true },
);

/** Whether an item in the log is queued for agents that join later, or expired before any joined. Argument: its id. */
export const FIND = makeScript(
  [
    COMMON,
    `
expireWithoutAgents()
local at = redis.call('HGET', INDEX, ARGV[6])
local entry = at and redis.call('XRANGE', LOG, at .. '-0', at .. '-0')[1]
if not entry then return reply('absent') end
if redis.call('SISMEMBER', UNMET, ARGV[6]) == 1 then return reply('expired') end
return reply(redis.call('HLEN', JOINED) == 0 and 'queued' or 'absent')
`,
  ],
  { frees: true },
);
