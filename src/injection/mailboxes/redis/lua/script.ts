/** A Lua script with the name that the server keeps it under. */
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/**
 * Puts parts together. A script with the first line `#!lua` is refused as a whole where it cannot run to its end: on a replica,
 * without memory, with a disk that fails. Without that line the server would stop it half way, and undo nothing. `frees`: it may
 * run without memory, for it makes room.
 */
export function makeScript(parts: readonly string[], { frees = false } = {}): Script {
  return nameScript(
    [`#!lua${frees ? ' flags=allow-oom' : ''}`, ...parts.map((part) => part.trim())].join('\n'),
  );
}

/** As it is, without a first line that servers before 7 do not know. */
export function nameScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** What all scripts begin with: the time, and the changes that are noted on the way and told at the end. */
export const BEGIN = `
local base, channel, instance = KEYS[1], ARGV[1], ARGV[2]
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)
local changes = {}

local function whole(number) return string.format('%.0f', number) end

local function note(id, state, reason, head, shared)
  changes[#changes + 1] = { id, state, reason, head, shared or '' }
end

local function tell(agents)
  if channel == '' or #changes == 0 then return end
  redis.call('PUBLISH', channel, cjson.encode({ by = instance, agents = agents, at = now, changes = changes }))
end

local function fieldsOf(entry)
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  return fields
end
`;
