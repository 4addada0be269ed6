/** Translates inputs between our names and a host's: fields, tools and their inputs. */
import type { AnyEvent } from '../../events/types.js';
import { isObject, objectIn } from './answers.js';
import type { FieldNames, HostTool, Json, Spelling } from './host.js';

/** The input of an event as the host's hooks read it. */
export function toHost(spelling: Spelling, event: AnyEvent, input: Json): Json {
  const names = fieldsOf(spelling, event);
  const tool = toolNamed(spelling, 'ours', input['tool_name']);
  const renamed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input)) {
    const name = Object.hasOwn(names, field) ? names[field] : field;
    if (name === null || name === undefined) continue;
    renamed[name] = valueToHost(spelling, tool, field, value);
  }
  return { ...renamed, ...spelling.added?.(event, input) };
}

function valueToHost(spelling: Spelling, tool: HostTool | undefined, field: string, value: unknown): unknown {
  if (field === 'tool_name') return tool?.theirs ?? value;
  if (field === 'tool_input') return renameKeys(value, tool?.fields ?? {});
  if (field === 'tool_response') return spelling.response?.toHost(value) ?? value;
  return value;
}

/**
 * The other way round. Fields that the table does not name stay as they are. The input of a tool may be JSON in a text, as
 * the documentation of some hosts has it: guards read its fields.
 */
export function fromHost(spelling: Spelling, event: AnyEvent, given: Json): Record<string, unknown> {
  const names = fieldsOf(spelling, event);
  const ours = new Map(
    Object.entries(names).flatMap(([our, their]) => (their === null ? [] : [[their, our]])),
  );
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) input[ours.get(name) ?? name] = value;
  if (typeof input['tool_input'] === 'string')
    input['tool_input'] = objectIn(input['tool_input']) ?? input['tool_input'];
  const tool = toolNamed(spelling, 'theirs', input['tool_name']);
  if (tool !== undefined) {
    input['tool_name'] = tool.ours;
    input['tool_input'] = renameKeys(input['tool_input'], inverted(tool.fields ?? {}));
  }
  if ('tool_response' in input && spelling.response !== undefined)
    input['tool_response'] = spelling.response.fromHost(input['tool_response']);
  return { ...input, hook_event_name: event };
}

/** A rewritten tool input in the host's names. */
export function inputToHost(spelling: Spelling, toolName: unknown, toolInput: Json): Json {
  return renameKeys(toolInput, toolNamed(spelling, 'ours', toolName)?.fields ?? {}) as Json;
}

/** The host's name for a tool of ours; the same name if it has none. */
export function hostName(spelling: Spelling, tool: string): string {
  return toolNamed(spelling, 'ours', tool)?.theirs ?? tool;
}

/** Whether a tool that we know has an input without fields: what it does cannot be judged. */
export function isUnclearCall(spelling: Spelling, { tool_name, tool_input }: Json): boolean {
  return toolNamed(spelling, 'ours', tool_name) !== undefined && !isObject(tool_input);
}

function toolNamed(spelling: Spelling, side: 'ours' | 'theirs', name: unknown): HostTool | undefined {
  return spelling.tools.find((tool) => tool[side] === name);
}

/** Whether the host sends a field of ours on an event. */
export function sends(spelling: Spelling, event: AnyEvent, field: string): boolean {
  return fieldsOf(spelling, event)[field] !== null;
}

function fieldsOf(spelling: Spelling, event: AnyEvent): FieldNames {
  return { ...spelling.fields, ...spelling.events[event]?.fields };
}

function renameKeys(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [names[key] ?? key, each]));
}

function inverted(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]));
}
