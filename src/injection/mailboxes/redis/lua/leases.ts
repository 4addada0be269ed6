/** Scripts that lease items, end leases, and list items without taking them. Each call is atomic. */
import { AGENT, FINISH, GIVE_BACK, LOOK_AT_TIME } from './agent.js';
import { makeScript } from './script.js';

/** Removes a lease, and returns the items that it still held. An expired lease holds none, even if it was not recovered yet. */
const HELD = `
local function held(lease, from)
  local members, entries, items = {}, {}, {}
  for i = from, #ARGV do members[#members + 1] = lease .. ' ' .. ARGV[i] end
  if #members == 0 then return items end
  for i, due in ipairs(redis.call('ZMSCORE', LEASES, unpack(members))) do
    if due and tonumber(due) > now then entries[#entries + 1] = ARGV[from + i - 1] end
  end
  if #entries == 0 then return items end
  redis.call('ZREM', LEASES, unpack(members))
  for i, text in ipairs(redis.call('HMGET', ITEMS, unpack(entries))) do
    if text then items[#items + 1] = parse(entries[i], text) end
  end
  return items
end
`;

/**
 * Leases queued items. Arguments: lease time, limit, `all` or `some`, the name of the lease; then `1` or `0` for every
 * evaluated matcher.
 * Returns the matchers that are missing: the server cannot evaluate them.
 */
export const TAKE = makeScript(
  [
    AGENT,
    LOOK_AT_TIME,
    `
if meta.left then return reply('left') end
if not lookAtTime() then return reply('again') end
local open, limit, first = { '' }, tonumber(ARGV[8]), {}
local lanes = meta.lanes and redis.call('SMEMBERS', LANES) or {}
if #lanes == 0 then
  unset('lanes')
else
  local judged, unknown = {}, {}
  for i = 11, #ARGV, 2 do judged[ARGV[i]] = ARGV[i + 1] end
  for _, lane in ipairs(lanes) do
    if ARGV[9] == 'all' or judged[lane] == '1' then
      open[#open + 1] = lane
    elseif not judged[lane] then
      unknown[#unknown + 1] = lane
    end
  end
  if #unknown > 0 then return reply('judge', unpack(unknown, 1, math.min(#unknown, 1000))) end
end
for _, lane in ipairs(open) do
  -- From a single lane, what is found is what is taken.
  local waiting = #open == 1 and redis.call('ZPOPMIN', laneKey(''), limit)
    or redis.call('ZRANGE', laneKey(lane), 0, limit - 1, 'WITHSCORES')
  for i = 1, #waiting, 2 do
    first[#first + 1] = { lane = lane, member = waiting[i], rank = tonumber(waiting[i + 1]) }
  end
end
if #first == 0 then return reply('taken', {}) end
if #open > 1 then
  table.sort(first, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.member < b.member
  end)
end

local lease, due = ARGV[10], now + tonumber(ARGV[7])
local entries, leased, members, taken = {}, {}, {}, {}
for i = 1, math.min(limit, #first) do
  local each = first[i]
  local entry = string.match(each.member, ' (.*)$')
  entries[i] = entry
  leased[2 * i - 1], leased[2 * i] = due, lease .. ' ' .. entry
  if #open > 1 then
    local list = members[each.lane] or {}
    members[each.lane] = list
    list[#list + 1] = each.member
  end
end
for lane, list in pairs(members) do
  redis.call('ZREM', laneKey(lane), unpack(list))
  if lane ~= '' and redis.call('EXISTS', laneKey(lane)) == 0 then redis.call('SREM', LANES, lane) end
end
for i, text in ipairs(redis.call('HMGET', ITEMS, unpack(entries))) do
  if text then taken[#taken + 1] = { entries[i], text } end
end
redis.call('ZADD', LEASES, unpack(leased))
if redis.call('ZCARD', LEASES) == #entries then new(LEASES) end
wrote = true
if not meta.due or tonumber(meta.due) > due then set('due', whole(due)) end
return reply('taken', taken)
`,
  ],
  { frees: true },
);

/**
 * Ends the items of a lease. Arguments: the lease, the state, a reason; then for every entry what `TAKE` returned of it:
 * its number, expiry, place in the log, id and head. They do not change while it is leased.
 */
export const END = makeScript(
  [
    AGENT,
    FINISH,
    `
local lease, members, items = ARGV[7], {}, {}
for i = 10, #ARGV, 5 do
  members[#members + 1] = lease .. ' ' .. ARGV[i]
  items[#items + 1] = { entry = ARGV[i], x = ARGV[i + 1], n = ARGV[i + 2], id = ARGV[i + 3], h = ARGV[i + 4] }
end
-- An expired lease holds nothing, even if it was not recovered yet.
if #members == 1 and meta.due and tonumber(meta.due) > now then
  if redis.call('ZREM', LEASES, members[1]) == 0 then items = {} end
else
  local still = {}
  for i, due in ipairs(redis.call('ZMSCORE', LEASES, unpack(members))) do
    if due and tonumber(due) > now then still[#still + 1] = items[i] end
  end
  if #still > 0 then redis.call('ZREM', LEASES, unpack(members)) end
  items = still
end
finish(items, ARGV[8], ARGV[9])
return reply('ended')
`,
  ],
  { frees: true },
);

/** Releases the items of a lease. Arguments: the lease, the entries. */
export const RELEASE = makeScript(
  [
    AGENT,
    FINISH,
    GIVE_BACK,
    HELD,
    `
for _, f in ipairs(held(ARGV[7], 8)) do giveBack(f, 'released') end
return reply('released')
`,
  ],
  { frees: true },
);

/** Returns the states of items. Arguments: their ids. */
export const STATES = makeScript(
  [
    AGENT,
    LOOK_AT_TIME,
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
    LOOK_AT_TIME,
    `
if not lookAtTime() then return reply('again') end
local found = redis.call('ZRANGE', laneKey(''), 0, -1, 'WITHSCORES')
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
local read = {}
for i = 7, #ARGV do
  local text = redis.call('HGET', ITEMS, ARGV[i])
  if text then read[#read + 1] = { ARGV[i], text } end
end
return reply('read', read)
`,
  ],
  { frees: true },
);
