/** Scripts for the registered ids: the fingerprint and the target agents of an item. One key per id, which expires. */
import { makeScript } from './script.js';

/** Arguments: the item's fingerprint, its target agents, how long to keep it. Returns `new`, `same` or `other`. */
export const REGISTER = makeScript([
  `
local known = redis.call('GET', KEYS[1])
if not known then
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
  return 'new'
end
return known == ARGV[1] .. ' ' .. ARGV[2] and 'same' or 'other'
`,
]);

/** Returns the target agents; empty if the id is unknown. */
export const LOOK_UP = makeScript(
  [
    `
local known = redis.call('GET', KEYS[1])
return known and string.match(known, ' (.*)$') or ''
`,
  ],
  { frees: true },
);

/** Marks an item as ended. Argument: how long to keep it from now on. */
export const SETTLE = makeScript([`return redis.call('PEXPIRE', KEYS[1], ARGV[1], 'LT')`], { frees: true });

/** Removes an id, because its item was not put. */
export const UNREGISTER = makeScript([`return redis.call('DEL', KEYS[1])`], { frees: true });
