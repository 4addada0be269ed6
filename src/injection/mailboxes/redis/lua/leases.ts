/** Scripts that lease items, end leases, and list items without taking them. Each call is atomic. */
import { AGENT, endTime, FINISH, FORGET, GIVE_BACK, LONG, LOOK_AT_TIME, READ_TTL, SHORT } from './agent.js';
import { makeScript } from './script.js';

/**
 * Leases queued items. Arguments: lease time, limit, `all` or `some`; then `1` or `0` for every evaluated matcher.
 * Returns the time in microseconds at which the lease expires, and each item after its id; or the matchers that are
 * missing: the server cannot evaluate them.
 */
export const TAKE = makeScript(
  [
    SHORT,
    `
-- An item may be leased anew within a microsecond only if the clock was put back.
local due = string.format('%.0f', micros + ARGV[4] * 1000)
local known = redis.call('HMGET', META, 'next', 'lanes', 'due')
if known[1] and known[3] and not known[2] and micros < tonumber(known[1]) and tonumber(known[3]) <= tonumber(due) then
  local taken = redis.call('ZPOPMIN', LANE, ARGV[5])
  if #taken == 0 then return { now, '', '', 'taken', due, taken } end
  local ids, leased = {}, {}
  for i = 1, #taken, 2 do
    local id = string.match(taken[i], ' (.*)$')
    ids[#ids + 1], leased[i], leased[i + 1] = id, due, id
  end
  for i, text in ipairs(redis.call('HMGET', ITEMS, unpack(ids))) do taken[2 * i - 1], taken[2 * i] = ids[i], text end
  redis.call('ZADD', SEEN, unpack(leased))
  if redis.call('ZCARD', SEEN) == #ids then
    ${READ_TTL}
    redis.call('PEXPIRE', SEEN, ttl)
  end
  return { now, '', '', 'taken', due, taken }
end
`,
    LONG,
    LOOK_AT_TIME,
    `
if meta.left then return reply('left') end
if not lookAtTime() then return reply('again') end
local open, limit, first = { '' }, tonumber(ARGV[5]), {}
local lanes = meta.lanes and redis.call('SMEMBERS', LANES) or {}
if #lanes == 0 then
  unset('lanes')
else
  local judged, unknown = {}, {}
  for i = 7, #ARGV, 2 do judged[ARGV[i]] = ARGV[i + 1] end
  for _, lane in ipairs(lanes) do
    if ARGV[6] == 'all' or judged[lane] == '1' then
      open[#open + 1] = lane
    elseif not judged[lane] then
      unknown[#unknown + 1] = lane
    end
  end
  if #unknown > 0 then return reply('judge', unpack(unknown, 1, math.min(#unknown, 1000))) end
end
for _, lane in ipairs(open) do
  local waiting = redis.call('ZRANGE', LANE .. lane, 0, limit - 1, 'WITHSCORES')
  for i = 1, #waiting, 2 do
    first[#first + 1] = { lane = lane, member = waiting[i], rank = tonumber(waiting[i + 1]) }
  end
end
if #first == 0 then return reply('taken', due, {}) end
if #open > 1 then
  table.sort(first, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.member < b.member
  end)
end

local ids, leased, members, taken = {}, {}, {}, {}
for i = 1, math.min(limit, #first) do
  local each = first[i]
  ids[i] = string.match(each.member, ' (.*)$')
  leased[2 * i - 1], leased[2 * i] = due, ids[i]
  local list = members[each.lane] or {}
  members[each.lane] = list
  list[#list + 1] = each.member
end
for lane, list in pairs(members) do
  redis.call('ZREM', LANE .. lane, unpack(list))
  if lane ~= '' and redis.call('EXISTS', LANE .. lane) == 0 then redis.call('SREM', LANES, lane) end
end
for i, text in ipairs(redis.call('HMGET', ITEMS, unpack(ids))) do taken[2 * i - 1], taken[2 * i] = ids[i], text end
redis.call('ZADD', SEEN, unpack(leased))
if redis.call('ZCARD', SEEN) == #ids then new(SEEN) end
wrote = true
if not meta.due or tonumber(meta.due) > tonumber(due) then set('due', due) end
return reply('taken', due, taken)
`,
  ],
  { frees: true },
);

/**
 * Ends the items of a lease. Arguments: the time at which it expires, the state, a reason, `plain` if no item expires or
 * comes from the log, how many ended items may be kept for now; then for every item what `TAKE` returned of it: id and head, and unless `plain`, expiry and place in the
 * log. They do not change while it is leased.
 */
export const END = makeScript(
  [
    SHORT,
    `
-- An expired lease holds nothing, even if it was not recovered yet.
local due = tonumber(ARGV[4])
if due <= micros then return { now, '', '', 'ended' } end
if ARGV[7] == 'plain' and ARGV[5] == 'delivered' then
  local ids, scores, lines, score = {}, {}, {}, ${endTime("'0'")}
  for i = 9, #ARGV, 2 do
    local id = ARGV[i]
    if tonumber(redis.call('ZSCORE', SEEN, id) or 0) == due then
      local n = #ids + 1
      ids[n], scores[2 * n - 1], scores[2 * n] = id, score, id
      lines[n] = id .. ' delivered   ' .. ARGV[i + 1]
    end
  end
  if #ids == 0 then return { now, '', '', 'ended' } end
  redis.call('ZADD', SEEN, unpack(scores))
  redis.call('HDEL', ITEMS, unpack(ids))
  local count = redis.call('ZCARD', SEEN)
  if count > tonumber(ARGV[8]) or count % 32 < #ids then
    ${FORGET}
  end
  local text = table.concat(lines, '\\n')
  if ARGV[1] ~= '' then
    redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' ' .. clock[1] .. ' ' .. clock[2] .. '\\n' .. text)
  end
  return { now, text, '', 'ended' }
end
`,
    LONG,
    FINISH,
    `
local ids, items = {}, {}
for i = 9, #ARGV, ARGV[7] == 'plain' and 2 or 4 do
  ids[#ids + 1] = ARGV[i]
  local isPlain = ARGV[7] == 'plain'
  items[#items + 1] =
    { id = ARGV[i], h = ARGV[i + 1], x = isPlain and '' or ARGV[i + 2], n = isPlain and '' or ARGV[i + 3] }
end
local still = {}
for i, score in ipairs(redis.call('ZMSCORE', SEEN, unpack(ids))) do
  if score and tonumber(score) == due then still[#still + 1] = items[i] end
end
finish(still, ARGV[5], ARGV[6])
return reply('ended')
`,
  ],
  { frees: true },
);

/** Releases the items of a lease. Arguments: the time at which it expires, the ids. An expired lease holds nothing. */
export const RELEASE = makeScript(
  [
    AGENT,
    FINISH,
    GIVE_BACK,
    `
local due = tonumber(ARGV[4])
for i = 5, #ARGV do
  local id = ARGV[i]
  if due > micros and tonumber(redis.call('ZSCORE', SEEN, id) or 0) == due then
    local text = redis.call('HGET', ITEMS, id)
    if text then giveBack(parse(id, text), 'released') end
  end
end
return reply('released')
`,
  ],
  { frees: true },
);

/** Returns `queued`, or the number of the state in which it ended, for items. Arguments: their ids. */
export const STATES = makeScript(
  [
    AGENT,
    LOOK_AT_TIME,
    `
if not lookAtTime() then return reply('again') end
local states = {}
for i = 4, #ARGV do
  local score = redis.call('ZSCORE', SEEN, ARGV[i])
  states[#states + 1] = redis.call('HEXISTS', ITEMS, ARGV[i]) == 1 and 'queued'
    or (score and tonumber(score) < 0 and string.sub(whole(tonumber(score)), -1) or '')
end
return reply('states', unpack(states))
`,
  ],
  { frees: true },
);

/**
 * Lists queued items as ranks and ids, unordered, up to a limit. Their contents are read separately, in batches.
 */
export const LIST = makeScript(
  [
    AGENT,
    LOOK_AT_TIME,
    `
if not lookAtTime() then return reply('again') end
local found = redis.call('ZRANGE', LANE, 0, -1, 'WITHSCORES')
for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do
  for _, value in ipairs(redis.call('ZRANGE', LANE .. lane, 0, -1, 'WITHSCORES')) do found[#found + 1] = value end
end
return reply('waiting', found)
`,
  ],
  { frees: true },
);

/** Returns each item after its id; those that no longer exist are omitted. */
export const READ_ENTRIES = makeScript(
  [
    AGENT,
    `
local read = {}
for i = 4, #ARGV do
  local text = redis.call('HGET', ITEMS, ARGV[i])
  if text then
    read[#read + 1] = ARGV[i]
    read[#read + 1] = text
  end
end
return reply('read', read)
`,
  ],
  { frees: true },
);
