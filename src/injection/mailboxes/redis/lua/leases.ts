/** Scripts that lease items, end leases, and list items without taking them. Each call is atomic. */
import { AGENT } from './agent.js';
import { makeScript } from './script.js';

/** The entries that a lease still holds. An expired lease holds none, even if it has not been recovered yet. */
const HELD = `
local function held(lease, from)
  local entries = {}
  if redis.call('EXISTS', ITEMS) == 0 then return entries end
  for i = from, #ARGV do
    local pending = redis.call('XPENDING', ITEMS, GROUP, ARGV[i], ARGV[i], 1)[1]
    if pending and pending[4] == lease and pending[3] < LONGEST then
      entries[#entries + 1] = redis.call('XRANGE', ITEMS, ARGV[i], ARGV[i])[1]
    end
  end
  return entries
end
`;

/**
 * Leases queued items. Arguments: lease time, limit, `all` or `some`; then `1` or `0` for every evaluated matcher.
 * Returns the matchers that are missing: the server cannot evaluate them.
 */
export const TAKE = makeScript(
  [
    AGENT,
    `
if meta.left then return reply('left') end
if not lookAtTime() then return reply('again') end
local judged, open, unknown = {}, {}, {}
for i = 10, #ARGV, 2 do judged[ARGV[i]] = ARGV[i + 1] end
for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do
  if lane == '' or ARGV[9] == 'all' or judged[lane] == '1' then
    open[#open + 1] = lane
  elseif not judged[lane] then
    unknown[#unknown + 1] = lane
  end
end
if #unknown > 0 then return reply('judge', unpack(unknown, 1, math.min(#unknown, 1000))) end

local limit, first = tonumber(ARGV[8]), {}
for _, lane in ipairs(open) do
  local waiting = redis.call('ZRANGE', laneKey(lane), 0, limit - 1, 'WITHSCORES')
  for i = 1, #waiting, 2 do first[#first + 1] = { member = waiting[i], rank = tonumber(waiting[i + 1]) } end
end
if #open > 1 then
  table.sort(first, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.member < b.member
  end)
end
if #first == 0 then return reply('taken', '0') end

local lease = redis.call('HINCRBY', META, 'leases', 1)
local length = tonumber(ARGV[7])
local taken = {}
for i = 1, math.min(limit, #first) do
  local entry = string.match(first[i].member, ' (.*)$')
  local claimed = redis.call('XCLAIM', ITEMS, GROUP, instance, 0, entry,
    'IDLE', LONGEST - length, 'RETRYCOUNT', lease, 'FORCE')[1]
  local f = fieldsOf(claimed)
  stopWaiting(entry, f)
  taken[#taken + 1] = { entry, f.id, f.h, f.r }
end
if not meta.due or tonumber(meta.due) > now + length then set('due', whole(now + length)) end
return reply('taken', whole(lease), taken)
`,
  ],
  { frees: true },
);

/** Ends the items of a lease. Arguments: the lease, the state, a reason, the entries. */
export const END = makeScript(
  [
    AGENT,
    HELD,
    `
for _, entry in ipairs(held(tonumber(ARGV[7]), 10)) do
  redis.call('XACK', ITEMS, GROUP, entry[1])
  finish(entry[1], fieldsOf(entry), ARGV[8], ARGV[9])
end
return reply('ended')
`,
  ],
  { frees: true },
);

/** Releases the items of a lease. Arguments: the lease, the entries. */
export const RELEASE = makeScript(
  [
    AGENT,
    HELD,
    `
for _, entry in ipairs(held(tonumber(ARGV[7]), 8)) do giveBack(entry[1], fieldsOf(entry), 'released') end
return reply('released')
`,
  ],
  { frees: true },
);

/** Returns the states of items. Arguments: their ids. */
export const STATES = makeScript(
  [
    AGENT,
    `
if not lookAtTime() then return reply('again') end
local states = {}
for i = 7, #ARGV do states[#states + 1] = redis.call('HGET', COPIES, ARGV[i]) or '' end
return reply('states', unpack(states))
`,
  ],
  { frees: true },
);

/**
 * Lists queued items as ranks and entry ids, unordered, up to a limit. Their contents are read separately, in batches.
 */
export const LIST = makeScript(
  [
    AGENT,
    `
if not lookAtTime() then return reply('again') end
local found = {}
for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do
  for _, value in ipairs(redis.call('ZRANGE', laneKey(lane), 0, -1, 'WITHSCORES')) do found[#found + 1] = value end
end
return reply('waiting', found)
`,
  ],
  { frees: true },
);

/** Returns the contents of entries; entries that no longer exist are omitted. */
export const READ_ENTRIES = makeScript(
  [
    AGENT,
    `
local found = {}
for i = 7, #ARGV do
  local entry = redis.call('XRANGE', ITEMS, ARGV[i], ARGV[i])[1]
  if entry then
    local f = fieldsOf(entry)
    found[#found + 1] = { entry[1], f.id, f.h, f.r }
  end
end
return reply('read', found)
`,
  ],
  { frees: true },
);
