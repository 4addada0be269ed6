/** Scripts that add items to an agent, import log entries, and register or remove the agent. Each call is atomic. */
import { AGENT, FINISH, LONG, LOOK_AT_TIME, READ_TTL, SHORT } from './agent.js';
import { makeScript, reasonOf } from './script.js';

/** Reads the fields of an item from the arguments, and adds an item to the queue. */
const ENTER_ITEM = `
local function given(from)
  return {
    id = ARGV[from], h = ARGV[from + 1], r = ARGV[from + 2], p = ARGV[from + 3], m = ARGV[from + 4],
    x = ARGV[from + 5], o = ARGV[from + 6] or whole(micros), n = ARGV[from + 7] or '',
  }
end

-- It is ordered by the time it was put, even if it comes from the log.
local function enter(f)
  redis.call('HSET', ITEMS, f.id, table.concat({ f.o, f.p, f.m, f.x, f.n, f.h, f.r }, '\\n'))
  wrote = true
  if redis.call('HLEN', ITEMS) == 1 then new(ITEMS) end
  if f.x ~= '' then
    redis.call('ZADD', EXPIRY, f.x, f.id)
    if not meta.soon or tonumber(meta.soon) > tonumber(f.x) then set('soon', f.x) end
    new(EXPIRY)
  end
  if f.n ~= '' then
    redis.call('ZADD', SHARED, f.n, f.id)
    if not meta.shared then set('shared', '1') end
    new(SHARED)
  end
  wait(f)
end
`;

/** Arguments: the maximum number of items, a reason to report, the item's fields. */
export const PLACE = makeScript([
  SHORT,
  `
local id, size, next = ARGV[6], redis.call('HLEN', ITEMS), redis.call('HGET', META, 'next')
if ARGV[10] == '' and ARGV[11] == '' and next and micros < tonumber(next) and size < tonumber(ARGV[4]) then
  if redis.call('ZSCORE', SEEN, id) then return { now, '', '', 'known' } end
  local order = clock[1] .. string.sub('00000' .. clock[2], -6)
  local text = order .. '\\n' .. ARGV[9] .. '\\n\\n\\n\\n' .. ARGV[7] .. '\\n' .. ARGV[8]
  if redis.call('HSETNX', ITEMS, id, text) == 0 then return { now, '', '', 'known' } end
  redis.call('ZADD', LANE, ARGV[9], order .. ' ' .. id)
  if size == 0 then
    ${READ_TTL}
    redis.call('PEXPIRE', ITEMS, ttl)
    redis.call('PEXPIRE', LANE, ttl)
  elseif redis.call('ZCARD', LANE) == 1 then
    ${READ_TTL}
    redis.call('PEXPIRE', LANE, ttl)
  end
  local line = id .. ' queued ' .. ARGV[5] .. '  ' .. ARGV[7]
  if ARGV[1] ~= '' then
    redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' ' .. clock[1] .. ' ' .. clock[2] .. '\\n' .. line)
  end
  return { now, line, '', 'placed' }
end
`,
  LONG,
  LOOK_AT_TIME,
  ENTER_ITEM,
  `
if not lookAtTime() then return reply('again') end
local f = given(6)
if isKnown(f.id) then return reply('known') end
size = redis.call('HLEN', ITEMS)
if size >= tonumber(ARGV[4]) then return reply('full', whole(size)) end
note(f.id, 'queued', ARGV[5], f.h)
if meta.left or (f.x ~= '' and tonumber(f.x) <= now) then
  ${FINISH}
  record({ f }, meta.left and 'failed' or 'expired', meta.left and gone() or ${reasonOf('it has expired')})
else
  enter(f)
end
return reply('placed')
`,
]);

/**
 * Imports log entries, if they were read from the agent's current position: of several concurrent readers, one imports
 * them. Arguments: the two cursors and whether the agent has left, as they were read; the new cursors; then every item
 * with `all` or `named`.
 */
export const IMPORT = makeScript([
  AGENT,
  FINISH,
  ENTER_ITEM,
  `
local named, all, left = meta.named or '0', meta.all or '', meta.left and '1' or ''
if named ~= ARGV[4] or all ~= ARGV[5] or left ~= ARGV[6] then return reply('moved', named, all, left) end
for i = 9, #ARGV, 9 do
  local f = given(i + 1)
  local late = ARGV[i] == 'all' and tonumber(f.n) <= tonumber(meta.joinedAt or 0)
  if isKnown(f.id) then
    -- It was imported before.
  elseif meta.left then
    record({ f }, 'failed', gone())
  elseif f.x ~= '' and tonumber(f.x) <= now then
    if not late then record({ f }, 'expired', ${reasonOf('it has expired')}) end
  else
    enter(f)
    -- The others were reported when they were put.
    if late then note(f.id, 'queued', '', f.h, f.n) end
  end
end
set('named', ARGV[7])
if ARGV[8] ~= '' then set('all', ARGV[8]) end
return reply('imported')
`,
]);

/** Registers the agent. Argument: the end of the log when it joined. */
export const ENTER = makeScript([
  AGENT,
  `
if meta.left then redis.call('DEL', LEFT) end
unset('left')
if not meta.all then set('all', '0') end
set('joinedAt', ARGV[4])
return reply('entered', meta.named or '0', meta.all)
`,
]);

/** Returns the agent's position in the log. */
export const POSITION = makeScript(
  [
    AGENT,
    `
moved = true
return reply('position', meta.named or '0', meta.all or '', meta.left and '1' or '')
`,
  ],
  { frees: true },
);

/** Removes the agent. Argument: the reason. */
export const LEAVE = makeScript(
  [
    AGENT,
    FINISH,
    LOOK_AT_TIME,
    `
if not lookAtTime() then return reply('again') end
local lanes = redis.call('SMEMBERS', LANES)
lanes[#lanes + 1] = ''
for _, lane in ipairs(lanes) do
  for _, member in ipairs(redis.call('ZRANGE', LANE .. lane, 0, budget)) do
    local id = string.match(member, ' (.*)$')
    local f = parse(id, redis.call('HGET', ITEMS, id))
    redis.call('ZREM', LANE .. lane, member)
    finish({ f }, 'failed', ARGV[4])
    if budget <= 0 then return reply('again') end
  end
  closeLane(lane)
end
set('left', '1')
redis.call('SET', LEFT, '1')
new(LEFT)
return reply('left')
`,
  ],
  { frees: true },
);
