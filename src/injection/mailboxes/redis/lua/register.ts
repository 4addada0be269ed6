/** The register of ids: what an item with this id is, and for whom. One key per id, which vanishes by itself. */
import { makeScript } from './script.js';

/** Arguments: the item's fingerprint, whom it is for, how long to know it. Answers `new`, `same` or `other`. */
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

/** Whom it is for; empty where the id is not known. */
export const LOOK_UP = makeScript(
  [
    `
local known = redis.call('GET', KEYS[1])
return known and string.match(known, ' (.*)$') or ''
`,
  ],
  { frees: true },
);

/** It has ended. Argument: how long to know it from now on. */
export const SETTLE = makeScript([`return redis.call('PEXPIRE', KEYS[1], ARGV[1], 'LT')`], { frees: true });

/** It was not put after all. */
export const UNREGISTER = makeScript([`return redis.call('DEL', KEYS[1])`], { frees: true });
