/** A Lua script and its SHA-1, by which the server caches it. */
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/**
 * Joins the parts of a script. With the first line `#!lua`, the server rejects a script that cannot run to completion:
 * on a replica, without memory, or with a failing disk. Without it, the server would abort the script halfway and undo
 * nothing. `frees`: the script may run without memory, because it frees some.
 */
export function makeScript(parts: readonly string[], { frees = false } = {}): Script {
  return nameScript(
    [`#!lua${frees ? ' flags=allow-oom' : ''}`, ...parts.map((part) => part.trim())].join('\n'),
  );
}

/** Unchanged, without a first line that servers before 7 do not support. */
export function nameScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** The start of all scripts: the time, and the changes recorded during the call and published at the end. */
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

local function publish(agents)
  if channel == '' or #changes == 0 then return end
  redis.call('PUBLISH', channel, cjson.encode({ by = instance, agents = agents, at = now, changes = changes }))
end

local function fieldsOf(entry)
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  return fields
end
`;
