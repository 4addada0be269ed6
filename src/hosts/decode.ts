/** Reads what a host sends to a hook: which of our events it is, and the input in our names. */
import { randomUUID } from 'node:crypto';
import { show } from '../base/errors.js';
import { readJsonObject } from '../base/json/read-json.js';
import type { Host, Json, Spelling } from '../dialects/host/host.js';
import { valueAt } from '../dialects/host/path.js';
import { fieldsOf, folderOfCall, fromHost, unclearInput } from '../dialects/host/translate.js';
import { fieldsOfEvent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';

/** An event of a host, as far as it is known before its input is read. */
export interface NamedEvent {
  readonly spelling: Spelling;
  readonly event: AnyEvent;
}

export interface HostCall extends NamedEvent {
  readonly input: Json;
  /** The input as the host sent it. */
  readonly given: Json;
  /** The folder of the session. A call may run in another one, which is the `cwd` of its input. */
  readonly session?: unknown;
}

export type Decoded =
  | { readonly ok: true; readonly call: HostCall }
  /** `named`: what is known of it nevertheless. */
  | { readonly ok: false; readonly problem: string; readonly named?: NamedEvent | undefined };

/** The event that a host calls so; undefined: it has none, or we have no counterpart. */
export function eventCalled(host: Host, name: string): NamedEvent | undefined {
  for (const spelling of host.spellings) {
    const ours = Object.keys(spelling.events).find((event) => spelling.events[event]?.name === name);
    if (ours !== undefined) return { spelling, event: ours as AnyEvent };
  }
  return undefined;
}

/** `name` is the event that the command line names; without it, the input has to. */
export function decodeEvent(host: Host, text: string, name?: string): Decoded {
  const named = name === undefined ? undefined : eventCalled(host, name);
  if (name !== undefined && named === undefined)
    return { ok: false, problem: `${host.title} has no event ${show(name)} that hookline knows` };
  const read = readJsonObject(text);
  if (!read.ok) {
    const problem = text.trim() === '' ? 'it is empty' : read.problem.replace(/^the output/, 'it');
    return { ok: false, problem: `the input on stdin cannot be read: ${problem}`, named };
  }
  const given = read.value;
  const own = nameIn(host, given);
  const called = own === undefined ? undefined : eventCalled(host, own);
  if (own !== undefined && named !== undefined && called?.event !== named.event)
    return { ok: false, problem: `the input is that of ${own}, not of ${name}`, named };
  // Another agent may read the same file and call its entries in another spelling.
  const says = called !== undefined && called.spelling.fields['hook_event_name'] !== null;
  const found = says ? called : (named ?? called);
  if (found === undefined) {
    const what =
      own === undefined ? 'the input does not name its event' : `${host.title} has no event ${show(own)}`;
    return { ok: false, problem: `${what}; name it with --event` };
  }
  return complete(found, given);
}

/** Where the inputs of hosts have the name of the event, beside what the description says. */
const NAMES = ['hook_event_name', 'hookName'];

function nameIn({ spellings }: Host, given: Json): string | undefined {
  const own = spellings.flatMap(({ fields }) => fields['hook_event_name'] ?? []);
  const name = [...own, ...NAMES].map((path) => valueAt(given, path)).find((each) => each !== undefined);
  return typeof name === 'string' ? name : undefined;
}

/** Fields that our inputs have and some hosts do not send. What a tool is called with is not among them. */
const ABSENT: Readonly<Record<string, () => unknown>> = {
  tool_use_id: randomUUID,
  tool_response: () => null,
  error: () => '',
  stop_hook_active: () => false,
  custom_instructions: () => null,
  compact_summary: () => '',
  trigger: () => 'auto',
  source: () => 'startup',
  reason: () => 'other',
  message: () => '',
  notification_type: () => 'other',
  agent_id: () => '',
  agent_type: () => '',
  agent_transcript_path: () => '',
};

/** What is called, and with what. A host may read the one name of a field and hooks the other. */
function saidTwice({ spelling, event }: NamedEvent, given: Json): string | undefined {
  for (const field of ['tool_name', 'tool_input']) {
    const their = fieldsOf(spelling, event)[field];
    if (typeof their !== 'string' || their === field || their.startsWith(`${field}.`)) continue;
    const both = [given[field], valueAt(given, their)].map((value) => JSON.stringify(value));
    if (
      both[0] !== both[1] &&
      both.every((value) => value !== undefined && value !== 'null' && value !== '""')
    )
      return `it has two different values, ${field} and ${their}`;
  }
  return undefined;
}

function complete({ spelling, event }: NamedEvent, given: Json): Decoded {
  const twice = saidTwice({ spelling, event }, given);
  if (twice !== undefined)
    return { ok: false, problem: `the input on stdin cannot be read: ${twice}`, named: { spelling, event } };
  const input = fromHost(spelling, event, given);
  const expected = spelling.events[event]?.form === undefined ? undefined : unclearInput(spelling, input);
  if (expected !== undefined) {
    const problem = `the input of ${show(input['tool_name'])} cannot be read: it is ${show(input['tool_input'])}, ${expected}`;
    return { ok: false, problem, named: { spelling, event } };
  }
  // Codex writes null for what it does not have. A tool without arguments may have null as its input.
  for (const [field, value] of Object.entries(input))
    if (value === null && field !== 'tool_input') delete input[field];
  for (const [field, { isOptional }] of Object.entries(fieldsOfEvent(event).input))
    if (input[field] === undefined && !isOptional && ABSENT[field] !== undefined)
      input[field] = ABSENT[field]();
  const { cwd: session } = input;
  const folder = folderOfCall(spelling, input);
  if (folder !== undefined) input['cwd'] = folder;
  return { ok: true, call: { spelling, event, input, given, session } };
}
