/** The input of a command: the sample of the event, with the fields of `--input` and the changes of `--set`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileErrorOf, HookError, messageOf, show } from '../../base/errors.js';
import { readJsonObject } from '../../base/json/read-json.js';
import { setPath } from '../../base/json/set-path.js';
import { didYouMean } from '../../base/text/suggest.js';
import { unknownEvent } from '../../config/unknown-event.js';
import type { Host } from '../../dialects/host/host.js';
import { HOSTS } from '../../dialects/hosts.js';
import { baseFields } from '../../events/fields.js';
import { fieldsOfEvent, isEvent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { eventCalled } from '../../hosts/decode.js';
import { sampleFields, sampleInput } from '../../testing/samples.js';
import type { Options, Values } from '../command.js';
import type { Io } from '../io.js';

export const INPUT_OPTIONS = {
  input: {
    type: 'string',
    value: 'FILE|-',
    help: 'A JSON object, from a file or from stdin, whose fields replace those of the sample.',
  },
  set: {
    type: 'string',
    short: 's',
    multiple: true,
    value: 'PATH=VALUE',
    help: 'Set one field, such as tool_input.command=ls. The value is parsed as JSON if it is valid JSON, otherwise it is a string. tool_name=Write takes a sample call of that tool.',
  },
} as const satisfies Options;

export type Input = Readonly<Record<string, unknown>>;

/** Throws a HookError for an input that cannot be read or does not fit the event. */
export async function readInput(
  event: AnyEvent,
  options: Values<typeof INPUT_OPTIONS>,
  cwd: string,
  io: Io,
): Promise<Input> {
  const given: Input = options.input === undefined ? {} : await readGiven(options.input, cwd, io);
  const { tool_name: tool } = options.set.reduce(setOne, given);
  const own = options.set.reduce(setOne, { ...sampleFields(event, cwd, tool), ...given });
  for (const name of Object.keys(own)) noteUnknown(event, name, io);
  try {
    return sampleInput(event, cwd, own);
  } catch (error) {
    throw new HookError('invalid_input', `${messageOf(error)}${quoteHint(options.set)}`);
  }
}

/** `--set tool_use_id=5` is a number; if the schema refuses it, a string was probably meant. */
function quoteHint(set: readonly string[]): string {
  const example = set.find((assignment) => typeof readValue(valueText(assignment)) !== 'string');
  if (example === undefined) return '';
  const path = example.slice(0, example.indexOf('='));
  return ` Values that are valid JSON are parsed; for a string write --set '${path}=${JSON.stringify(valueText(example))}'.`;
}

const valueText = (assignment: string): string => assignment.slice(assignment.indexOf('=') + 1);

/** `a.b.0=value` in a copy of the input; missing parts are created. Throws a HookError. */
function setOne(input: Input, assignment: string): Input {
  const at = assignment.indexOf('=');
  const path = at < 0 ? [''] : assignment.slice(0, at).split('.');
  if (path.some((part) => part === '' || part === '__proto__')) {
    throw new HookError(
      'invalid_option',
      `--set is given ${show(assignment)}; write PATH=VALUE, such as tool_input.command=ls.`,
    );
  }
  return setPath(input, path, readValue(valueText(assignment))) as Input;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readGiven(name: string, cwd: string, io: Io): Promise<Input> {
  const what = name === '-' ? 'standard input' : show(name);
  let text: string;
  try {
    text = name === '-' ? await io.readStdin() : await readFile(resolve(cwd, name), 'utf8');
  } catch (error) {
    throw new HookError('invalid_option', `--input: ${what} cannot be read: ${fileErrorOf(error)}.`);
  }
  const read = readJsonObject(text);
  if (read.ok) return read.value;
  const problem =
    text.trim() === ''
      ? 'is empty; give one JSON object'
      : `cannot be used: ${read.problem.replace(/^the output/, 'it')}`;
  throw new HookError('invalid_input', `--input: ${what} ${problem}.`);
}

/** Any field may be sent, but one that the event does not know is probably a typo. */
function noteUnknown(event: AnyEvent, name: string, { printer }: Io): void {
  const known = ['hook_event_name', ...Object.keys(baseFields), ...Object.keys(fieldsOfEvent(event).input)];
  if (known.includes(name)) return;
  printer.note(`Note: ${event} has no field ${show(name)}; it is sent anyway.${didYouMean(name, known)}`);
}

/** Throws a HookError, code `unknown_event`, that suggests the event that was probably meant. */
export function readEvent(name: string | undefined): AnyEvent {
  if (isEvent(name)) return name;
  const [host, ours] = eventOfHost(name) ?? [];
  if (host === undefined) throw unknownEvent(name ?? '');
  throw new HookError(
    'unknown_event',
    `${show(name)} is an event of ${host.title}. Here it is called ${ours}: write that.`,
  );
}

/** The first host that has an event of that name, and our name of it. */
function eventOfHost(name: string | undefined): readonly [Host, AnyEvent] | undefined {
  for (const host of HOSTS) {
    const called = name === undefined ? undefined : eventCalled(host, name);
    if (called !== undefined) return [host, called.event];
  }
  return undefined;
}
