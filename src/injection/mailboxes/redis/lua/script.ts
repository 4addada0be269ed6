/** A Lua script and its SHA-1, by which the server caches it. */
import { createHash } from 'node:crypto';
import { escapeName } from '../keys.js';

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

/** A reason as a literal of Lua: in a change it contains no space and no line break. */
export function reasonOf(text: string): string {
  return `'${escapeName(text)}'`;
}

/** The key and the time. All that the shortest way through a script needs. */
export const CLOCK = `
local base, clock = KEYS[1], redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)
`;

/**
 * Where all scripts record the changes of a call, and publish them at its end. The first argument is the channel. A
 * change is a line: id, state, reason, number in the log, strategy and source. A message is a line with the caller, the
 * agents and the time, and then its changes. Needs `CLOCK`.
 */
export const CHANGES = `
local changes = {}

local function whole(number) return string.format('%.0f', number) end

local function note(id, state, reason, head, shared)
  changes[#changes + 1] = id .. ' ' .. state .. ' ' .. reason .. ' ' .. (shared or '') .. ' ' .. head
end

local function publish(by)
  if ARGV[1] == '' or #changes == 0 then return end
  redis.call('PUBLISH', ARGV[1], by .. ' ' .. clock[1] .. ' ' .. clock[2] .. '\\n' .. table.concat(changes, '\\n'))
end
`;
