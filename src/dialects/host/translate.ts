/** Translates inputs between our names and a host's: fields, tools and their inputs. */
import { resolve } from 'node:path';
import type { AnyEvent } from '../../events/types.js';
import { isObject, objectIn } from './answers.js';
import type { FieldNames, Host, HostTool, Json, Spelling } from './host.js';
import { setAt, topOf, valueAt } from './path.js';

/**
 * The spelling in which a host has an event; where it has one for each kind of tool, that of the tool. Undefined: it has no
 * such event.
 */
export function spellingFor(host: Host, event: AnyEvent, tool: unknown): Spelling | undefined {
  return host.spellings.find(
    ({ events, covers }) =>
      events[event] !== undefined && (covers === undefined || typeof tool !== 'string' || covers(tool)),
  );
}

/** The input of an event as the host's hooks read it. */
export function toHost(spelling: Spelling, event: AnyEvent, input: Json): Json {
  const names = fieldsOf(spelling, event);
  const values = withHostsTool(spelling, input);
  const inner: [path: string, value: unknown][] = [];
  const renamed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (spelling.fixed !== undefined && Object.hasOwn(spelling.fixed, field)) continue;
    const parts = Object.entries(names).filter(([our]) => our.startsWith(`${field}.`));
    for (const [our, their] of parts) {
      const part = valueAt(value, our.slice(field.length + 1));
      if (their !== null && part !== undefined) inner.push([their, part]);
    }
    const name = Object.hasOwn(names, field) ? names[field] : field;
    if (parts.length > 0 || name === null || name === undefined) continue;
    if (name.includes('.')) inner.push([name, value]);
    else renamed[name] = value;
  }
  for (const [path, value] of inner) setAt(renamed, path, value);
  return { ...renamed, ...spelling.added?.(event, input) };
}

function withHostsTool(spelling: Spelling, input: Json): Json {
  const { tool_name, tool_input, tool_response } = input;
  const tool = toolOfOurs(spelling, tool_name);
  return {
    ...input,
    ...(tool_name !== undefined && { tool_name: hostName(spelling, tool_name) }),
    ...(tool_input !== undefined && { tool_input: hostsInput(tool, tool_input) }),
    ...(tool_response !== undefined && {
      tool_response: spelling.response?.toHost(tool_response) ?? tool_response,
    }),
  };
}

/**
 * The other way round. Fields that the table does not name stay as they are. The input of a tool may be JSON in a text, as
 * the documentation of some hosts has it: guards read its fields.
 */
export function fromHost(spelling: Spelling, event: AnyEvent, given: Json): Record<string, unknown> {
  const names = Object.entries(fieldsOf(spelling, event)).flatMap(([our, their]) =>
    their === null ? [] : [[our, their] as const],
  );
  const moved = new Set(names.map(([, their]) => their));
  const input: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !moved.has(name)),
  );
  for (const [our, their] of names) {
    const value = valueAt(given, their);
    const known = input[topOf(our)];
    // What the host sends under our name counts, unless it is empty.
    if (value === undefined || (our !== their && !our.includes('.') && known !== undefined && known !== ''))
      continue;
    setAt(input, our, value);
  }
  Object.assign(input, spelling.fixed, spelling.derived?.(given));
  if (typeof input['tool_input'] === 'string')
    input['tool_input'] = objectIn(input['tool_input']) ?? input['tool_input'];
  withOurTool(spelling, input);
  if ('tool_response' in input && spelling.response !== undefined)
    input['tool_response'] = spelling.response.fromHost(input['tool_response']);
  return { ...input, hook_event_name: event };
}

function withOurTool(spelling: Spelling, input: Record<string, unknown>): void {
  const { tool_name: name, tool_input: given } = input;
  const tool = toolOfTheirs(spelling, name, given);
  const mcp = typeof name === 'string' ? spelling.mcp?.fromHost(name) : undefined;
  if (mcp !== undefined) input['tool_name'] = mcp;
  if (tool === undefined) return;
  input['tool_name'] = tool.ours;
  input['tool_input'] = ourInput(tool, given);
}

/** Names that differ in case or by spaces around them are the same: a host may read them so. */
function toolOfTheirs({ tools }: Spelling, name: unknown, given: unknown): HostTool | undefined {
  const fitting = tools.filter(
    ({ when = {}, text }) => isAt(given, when) && (text === undefined || typeof given === 'string'),
  );
  const exact = fitting.find(({ theirs }) => theirs === name);
  if (exact !== undefined || typeof name !== 'string' || tools.some(({ ours }) => ours === name))
    return exact;
  return fitting.find(({ theirs, ours }) => [theirs, ours].some((each) => plain(each) === plain(name)));
}

const plain = (name: string): string => name.trim().toLowerCase();

/** The folder that a call of a tool runs in, where its input names one; relative to that of the session. */
export function folderOfCall(spelling: Spelling, { tool_name, tool_input, cwd }: Json): string | undefined {
  const fields = spelling.tools
    .filter(({ ours }) => ours === tool_name)
    .flatMap(({ folder }) => folder ?? []);
  const named = isObject(tool_input) ? fields.map((field) => tool_input[field]) : [];
  const folder = named.find((each) => typeof each === 'string' && each !== '');
  return folder === undefined ? undefined : resolve(typeof cwd === 'string' ? cwd : '.', String(folder));
}

const isAt = (value: unknown, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([path, each]) => valueAt(value, path) === each);

/** A rewritten tool input in the host's names. */
export function inputToHost(spelling: Spelling, toolName: unknown, toolInput: Json): Json {
  return hostsInput(toolOfOurs(spelling, toolName), toolInput) as Json;
}

/** The host's name for a tool of ours; the same name if it has none. */
export function hostName(spelling: Spelling, tool: unknown): string {
  const name = String(tool);
  return toolOfOurs(spelling, tool)?.theirs ?? spelling.mcp?.toHost(name) ?? name;
}

/** All names that the host has for a tool of ours. */
export function hostNames(spelling: Spelling, tool: string): readonly string[] {
  const names = spelling.tools.filter(({ ours }) => ours === tool).map(({ theirs }) => theirs);
  return names.length > 0 ? [...new Set(names)] : [hostName(spelling, tool)];
}

/** All names by which a matcher may know a call: ours, the host's, and those of ours that the host has the same tool for. */
export function namesOf(spelling: Spelling, tool: unknown): readonly string[] {
  if (typeof tool !== 'string') return [];
  const own = toolOfOurs(spelling, tool);
  const same = spelling.tools.filter(
    ({ theirs, when, text }) =>
      theirs === own?.theirs && text === own.text && JSON.stringify(when) === JSON.stringify(own.when),
  );
  return [...new Set([tool, ...same.map(({ ours }) => ours), ...hostNames(spelling, tool)])];
}

/** What a call cannot do without, so that an input without it was not understood: its guards would see nothing. */
const NEEDED: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
};

/** Why the input of a tool that we know cannot be judged. */
export function unclearInput(spelling: Spelling, { tool_name, tool_input }: Json): string | undefined {
  const tool = toolOfOurs(spelling, tool_name);
  if (tool === undefined) return undefined;
  if (!isObject(tool_input)) return 'expected an object';
  const needed = NEEDED[tool.ours];
  if (needed === undefined || typeof tool_input[needed] === 'string') return undefined;
  // A list of words is a command too.
  if (needed === 'command' && Array.isArray(tool_input[needed])) return undefined;
  return `expected one with ${tool.fields?.[needed] ?? needed}`;
}

function toolOfOurs(spelling: Spelling, name: unknown): HostTool | undefined {
  return spelling.tools.find(({ ours }) => ours === name);
}

/** Whether the host sends a field of ours on an event. */
export function sends(spelling: Spelling, event: AnyEvent, field: string): boolean {
  return fieldsOf(spelling, event)[field] !== null;
}

/** Of an event, with those of every event. */
export function fieldsOf(spelling: Spelling, event: AnyEvent): FieldNames {
  return { ...spelling.fields, ...spelling.events[event]?.fields };
}

function hostsInput(tool: HostTool | undefined, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { fields = {}, when = {}, text } = tool ?? {};
  if (text !== undefined) return value[text];
  const renamed = Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(fields, key)));
  for (const [our, their] of Object.entries(fields))
    if (Object.hasOwn(value, our)) setAt(renamed, their, value[our]);
  for (const [path, each] of Object.entries(when)) setAt(renamed, path, each);
  return renamed;
}

function ourInput({ fields = {}, when = {}, text }: HostTool, value: unknown): unknown {
  if (text !== undefined) return { [text]: value };
  if (!isObject(value)) return value;
  const moved = new Set([...Object.values(fields), ...Object.keys(when)]);
  // Several values where we have one stay where they are: a host has to say what parts the call has.
  const kept = Object.entries(value).filter(
    ([key, each]) => !moved.has(key) || (Array.isArray(each) && Object.values(fields).includes(key)),
  );
  const named = Object.entries(fields).map(([our, their]) => [our, valueAt(value, their)] as const);
  return Object.fromEntries([
    ...kept,
    ...named.filter(([, each]) => each !== undefined && !Array.isArray(each)),
  ]);
}
