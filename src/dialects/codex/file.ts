/** What makes Codex ignore a whole file: one value in it has another type than it expects. */
import type { JsonNode } from '../../config/json-file.js';
import type { Voided } from '../host/host.js';

const TYPES = ['command', 'prompt', 'agent', 'mcp_tool'];

/** The first value that it cannot read. Keys that it does not know count for nothing. */
export function voidedByCodex(root: JsonNode, events: readonly string[]): Voided | undefined {
  for (const { key, node } of root.get('hooks')?.entries() ?? []) {
    if (!events.includes(key)) continue;
    if (!Array.isArray(node.value)) return { what: `${key} is no list`, source: node.source };
    for (const group of node.items()) {
      const found = inGroup(group);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function inGroup(group: JsonNode): Voided | undefined {
  const [matcher, hooks] = [group.get('matcher'), group.get('hooks')];
  if (!isTable(group.value)) return { what: 'a group is no object', source: group.source };
  if (!isNullOr('string', matcher?.value)) return { what: 'a matcher is no string', source: group.source };
  if (hooks !== undefined && !Array.isArray(hooks.value))
    return { what: '`hooks` of a group is no list', source: hooks.source };
  for (const hook of hooks?.items() ?? []) {
    const what = inHook(hook.value);
    if (what !== undefined) return { what, source: hook.source };
  }
  return undefined;
}

function inHook(value: unknown): string | undefined {
  if (!isTable(value)) return 'a hook is no object';
  const { type, command, timeout = null, async: background = false, statusMessage } = value;
  if (!TYPES.includes(String(type))) return 'a hook has no type that it knows';
  if (type !== 'command') return undefined;
  if (typeof command !== 'string') return 'a hook has no command';
  if (timeout !== null && !(Number.isInteger(timeout) && Number(timeout) >= 0))
    return 'a timeout is no whole number of seconds';
  if (typeof background !== 'boolean') return '`async` is not true or false';
  return isNullOr('string', statusMessage) ? undefined : '`statusMessage` is no string';
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNullOr = (type: string, value: unknown): boolean =>
  value === undefined || value === null || typeof value === type;
