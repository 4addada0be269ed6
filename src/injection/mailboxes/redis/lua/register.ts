/** A script that registers an id: the fingerprint and the target agents of an item. One key per id, which expires. */
import { makeScript } from './script.js';

/** Arguments: the value, how long to keep it. Returns the value that it had, or an empty string. */
export const REGISTER = makeScript([
  `
local known = redis.call('GET', KEYS[1])
if not known then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return known or ''
`,
]);
