/** Scripts that add items to an agent, import log entries, and register or remove the agent. Each call is atomic. */
import { AGENT, FINISH, LOOK_AT_TIME } from './agent.js';
import { makeScript } from './script.js';

/** Reads the fields of an item from the arguments, and adds an item to the queue. */
const ENTER_ITEM = `
local function given(from)
  return {
    id = ARGV[from], h = ARGV[from + 1], r = ARGV[from + 2], p = ARGV[from + 3], m = ARGV[from + 4],
    x = ARGV[from + 5], o = ARGV[from + 6] or '', n = ARGV[from + 7] or '',
  }
end

-- It is ordered by the time it was put, even if it comes from the log.
local function enter(f, size)
  -- Several may come within a microsecond, or the clock may be put back.
  repeat
    f.entry = whole(micros)
    if f.o == '' then f.o = f.entry end
    local text = table.concat({ f.o, f.p, f.m, f.x, f.n, f.id, f.h, f.r }, '\\n')
    micros = micros + 1
  until redis.call('HSETNX', ITEMS, f.entry, text) == 1
  wrote = true
  if size == 0 then
    new(ITEMS)
    if redis.call('HLEN', COPIES) == 1 then new(COPIES) end
  end
  if f.x ~= '' then
    redis.call('ZADD', EXPIRY, f.x, f.entry)
    if not meta.soon or tonumber(meta.soon) > tonumber(f.x) then set('soon', f.x) end
    new(EXPIRY)
  end
  if f.n ~= '' then
    redis.call('ZADD', SHARED, f.n, f.entry)
    if not meta.shared then set('shared', '1') end
    new(SHARED)
  end
  wait(f)
end
`;

/** Arguments: the maximum number of items, a reason to report, the item's fields. */
export const PLACE = makeScript([
  AGENT,
  LOOK_AT_TIME,
  ENTER_ITEM,
  `
if not lookAtTime() then return reply('again') end
local f = given(9)
local size = redis.call('HLEN', ITEMS)
if size >= tonumber(ARGV[7]) then
  if redis.call('HEXISTS', COPIES, f.id) == 1 then return reply('known') end
  return reply('full', whole(size))
end
if redis.call('HSETNX', COPIES, f.id, 'queued') == 0 then return reply('known') end
note(f.id, 'queued', ARGV[8], f.h)
if meta.left or (f.x ~= '' and tonumber(f.x) <= now) then
  ${FINISH}
  record({ f }, meta.left and 'failed' or 'expired', meta.left and gone() or 'it has expired')
else
  enter(f, size)
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
if named ~= ARGV[7] or all ~= ARGV[8] or left ~= ARGV[9] then return reply('moved', named, all, left) end
for i = 12, #ARGV, 9 do
  local f = given(i + 1)
  local late = ARGV[i] == 'all' and tonumber(f.n) <= tonumber(meta.joinedAt or 0)
  if redis.call('HEXISTS', COPIES, f.id) == 1 then
    -- It was imported before.
  elseif meta.left then
    record({ f }, 'failed', gone())
  elseif f.x ~= '' and tonumber(f.x) <= now then
    if not late then record({ f }, 'expired', 'it has expired') end
  else
    redis.call('HSET', COPIES, f.id, 'queued')
    enter(f, redis.call('HLEN', ITEMS))
    -- The others were reported when they were put.
    if late then note(f.id, 'queued', '', f.h, f.n) end
  end
end
set('named', ARGV[10])
if ARGV[11] ~= '' then set('all', ARGV[11]) end
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
set('joinedAt', ARGV[7])
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
  for _, member in ipairs(redis.call('ZRANGE', laneKey(lane), 0, budget)) do
    local entry = string.match(member, ' (.*)$')
    local f = parse(entry, redis.call('HGET', ITEMS, entry))
    redis.call('ZREM', laneKey(lane), member)
    finish({ f }, 'failed', ARGV[7])
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
