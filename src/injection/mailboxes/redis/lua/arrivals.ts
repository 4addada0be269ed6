/** Scripts that add items to an agent, import log entries, and register or remove the agent. Each call is atomic. */
import { AGENT } from './agent.js';
import { makeScript } from './script.js';

/** Reads the fields of an item from the arguments; an empty argument means that the field is absent. */
const READ = `
local function given(from)
  local f = {}
  for i, name in ipairs({ 'id', 'h', 'r', 'p', 'm', 'x', 'o', 'n' }) do
    local value = ARGV[from + i - 1]
    if value and value ~= '' then f[name] = value end
  end
  return f
end
`;

/** Arguments: the maximum number of items, a reason to report, the item's fields. */
export const PLACE = makeScript([
  AGENT,
  READ,
  `
if not lookAtTime() then return reply('again') end
local f = given(9)
if redis.call('HEXISTS', COPIES, f.id) == 1 then return reply('known') end
local size = redis.call('XLEN', ITEMS)
if size >= tonumber(ARGV[7]) then return reply('full', whole(size)) end
local entry = enter(f)
note(f.id, 'queued', ARGV[8], f.h)
if meta.left or (f.x and tonumber(f.x) <= now) then
  stopWaiting(entry, f)
  finish(entry, f, meta.left and 'failed' or 'expired', meta.left and gone() or 'it has expired')
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
  READ,
  `
local named, all, left = meta.named or '0', meta.all or '', meta.left and '1' or ''
if named ~= ARGV[7] or all ~= ARGV[8] or left ~= ARGV[9] then return reply('moved', named, all, left) end
for i = 12, #ARGV, 9 do
  local f = given(i + 1)
  local late = ARGV[i] == 'all' and tonumber(f.n) <= tonumber(meta.joinedAt or 0)
  if redis.call('HEXISTS', COPIES, f.id) == 1 then
    -- It was imported before.
  elseif meta.left then
    record(f.id, 'failed', gone(), f.h, f.n)
  elseif f.x and tonumber(f.x) <= now then
    if not late then record(f.id, 'expired', 'it has expired', f.h, f.n) end
  else
    enter(f)
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
return reply('position', meta.named or '0', meta.all or '', meta.left and '1' or '')
`,
  ],
  { frees: true },
);

/** Removes the agent. Argument: the reason. */
export const LEAVE = makeScript(
  [
    AGENT,
    `
if not lookAtTime() then return reply('again') end
for _, lane in ipairs(redis.call('SMEMBERS', LANES)) do
  for _, member in ipairs(redis.call('ZRANGE', laneKey(lane), 0, budget)) do
    local entry = string.match(member, ' (.*)$')
    local f = fieldsOf(redis.call('XRANGE', ITEMS, entry, entry)[1])
    stopWaiting(entry, f)
    finish(entry, f, 'failed', ARGV[7])
    if budget <= 0 then return reply('again') end
  end
end
set('left', '1')
return reply('left')
`,
  ],
  { frees: true },
);
