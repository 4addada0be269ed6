/** MassGen's HookEvent, built from our input: what its handlers read, and the variables for its commands. */
import { baseFields } from '../../events/fields.js';
import { fieldsOfEvent, rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { HookRun } from '../../handlers/hook.js';

type Input = Readonly<Record<string, unknown>>;

/** The fields that every MassGen handler can rely on; a JavaScript handler gets exactly this object. */
export interface MassgenEvent {
  readonly hook_type: string;
  readonly session_id: string;
  readonly orchestrator_id: string;
  readonly agent_id: string | null;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_output: string | null;
}

/** The system refuses to start programs with huge variables, and a longer value is not a name. */
const MAX_VALUE = 4096;

/** Contract: depends on the fields that are present, never on the event's name. */
export function encodeHookEvent(
  event: AnyEvent,
  input: Input,
): MassgenEvent & Readonly<Record<string, unknown>> {
  return {
    hook_type: event,
    session_id: textOr(input['session_id'], ''),
    orchestrator_id: textOr(input['orchestrator_id'], ''),
    agent_id: textOr(input['agent_id'], null),
    timestamp: new Date().toISOString().replace('Z', '+00:00'),
    tool_name: subjectOf(event, input),
    tool_input: toolInput(event, input),
    tool_output: toolOutput(input),
  };
}

export function massgenEnvironment(
  run: Pick<HookRun, 'event' | 'input' | 'agentId'>,
): Readonly<Record<string, string>> {
  const { event, input, agentId } = run;
  return {
    MASSGEN_HOOK_TYPE: event,
    MASSGEN_TOOL_NAME: asVariable(subjectOf(event, input)),
    MASSGEN_SESSION_ID: asVariable(input['session_id']),
    MASSGEN_AGENT_ID: asVariable(agentId ?? input['agent_id']),
    MASSGEN_ORCHESTRATOR_ID: asVariable(input['orchestrator_id']),
  };
}

/** The tool's name; on events without a tool, the value of the matcher field. */
function subjectOf(event: AnyEvent, input: Input): string {
  const { matcherField: subject } = rowOf(event);
  return textOr(input[subject ?? 'tool_name'], '');
}

/** Always an object, as handlers expect. For events without a tool, the event's own fields. */
function toolInput(event: AnyEvent, input: Input): Readonly<Record<string, unknown>> {
  if (!('tool_input' in fieldsOfEvent(event).input)) return ownFields(input);
  const given = input['tool_input'];
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Input;
  return given === undefined || given === null ? {} : { raw: given };
}

function ownFields(input: Input): Readonly<Record<string, unknown>> {
  const common = (key: string): boolean => Object.hasOwn(baseFields, key) || key === 'hook_event_name';
  return Object.fromEntries(Object.entries(input).filter(([key]) => !common(key)));
}

/** The tool's result as text: its response, or its error. */
function toolOutput(input: Input): string | null {
  const output = input['tool_response'] ?? input['error'];
  if (output === undefined) return null;
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

/** Always set, so that a variable of the surrounding shell is not mistaken for ours. A NUL would end it. */
function asVariable(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, MAX_VALUE) : '';
}
