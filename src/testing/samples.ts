/** Sample inputs for all events, to try hooks without an agent. */

import type { z } from 'zod';
import { rowOf } from '../events/registry.js';
import type { AnyEvent, FireInput } from '../events/types.js';
import { completeInput } from '../runner/input.js';
import { toolSample } from './tool-samples.js';

const bash = { tool_name: 'Bash', tool_input: { command: 'ls -la', description: 'List the files' } };
const modelSwitch = {
  from_model: 'sample-model',
  to_model: 'sample-model-large',
  requested_model: 'large',
  source: 'command',
  context_tokens: 12_000,
  prompt_cache_warm: true,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.05,
  pricing: 'catalog',
};
const subagent = { agent_id: 'agent-1', agent_type: 'explorer' };

/** Sample fields for every event: all required ones, and those that hooks commonly use. */
export const SAMPLES: { readonly [E in AnyEvent]: FireInput<E> } = {
  PreToolUse: { ...bash, tool_use_id: 'call-1' },
  PostToolUse: {
    ...bash,
    tool_response: { stdout: 'README.md\nsrc\n', stderr: '', interrupted: false },
    tool_use_id: 'call-1',
    duration_ms: 12,
  },
  PostToolUseFailure: {
    ...bash,
    tool_use_id: 'call-1',
    error: 'Command exited with code 1',
    is_interrupt: false,
    duration_ms: 12,
  },
  Notification: {
    message: 'The agent waits for you',
    title: 'hookline',
    notification_type: 'idle_prompt',
  },
  UserPromptSubmit: { prompt: 'Add a test for the parser' },
  SessionStart: { source: 'startup', model: 'sample-model' },
  SessionEnd: { reason: 'other' },
  Stop: { stop_hook_active: false, last_assistant_message: 'The test is written and passes.' },
  StopFailure: { error: 'rate_limit', error_details: 'Too many requests' },
  Elicitation: {
    mcp_server_name: 'tickets',
    message: 'Which project is it about?',
    mode: 'form',
    requested_schema: { type: 'object', properties: { project: { type: 'string' } } },
  },
  ElicitationResult: { mcp_server_name: 'tickets', action: 'accept', content: { project: 'bridge' } },
  PostToolBatch: {
    tool_calls: [{ ...bash, tool_use_id: 'call-1', tool_response: 'README.md\nsrc\n' }],
  },
  PermissionDenied: { ...bash, tool_use_id: 'call-1', reason: 'The rule Bash(ls:*) denies it.' },
  UserPromptExpansion: {
    expansion_type: 'slash_command',
    command_name: 'review',
    command_args: 'src',
    prompt: 'Review the code in src',
  },
  MessageDisplay: {
    turn_id: 'turn-1',
    message_id: 'message-1',
    index: 0,
    final: true,
    delta: 'The test is written and passes.',
  },
  TaskCreated: {
    task_id: 'task-1',
    task_subject: 'Test the parser',
    task_description: 'Write a test for every kind of token',
  },
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  ConfigChange: { source: 'project_settings', file_path: '/project/.claude/settings.json' },
  InstructionsLoaded: {
    file_path: '/project/CLAUDE.md',
    memory_type: 'Project',
    load_reason: 'session_start',
  },
  CwdChanged: { old_cwd: '/project', new_cwd: '/project/src' },
  FileChanged: { file_path: '/project/.env', event: 'change' },
  DirectoryAdded: { directory: '/other', source: 'slash_command' },
  WorktreeCreate: { name: 'sample' },
  WorktreeRemove: { worktree_path: '/worktrees/sample' },
  SubagentStart: subagent,
  SubagentStop: {
    ...subagent,
    stop_hook_active: false,
    agent_transcript_path: '',
    last_assistant_message: 'The parser is in src/parser.ts.',
  },
  PreCompact: { trigger: 'manual', custom_instructions: 'Keep the open questions' },
  PostCompact: { trigger: 'manual', compact_summary: 'The parser is tested; the printer is next.' },
  PermissionRequest: bash,
  Setup: { trigger: 'init' },
  TeammateIdle: { teammate_name: 'ada', team_name: 'engine' },
  TaskCompleted: {
    task_id: 'task-1',
    task_subject: 'Test the parser',
    task_description: 'Write a test for every kind of token',
  },
};

/** For events that the application defines, generates values that match their fields. */
function samplesOf(event: AnyEvent): Readonly<Record<string, unknown>> {
  return Object.hasOwn(SAMPLES, event) ? SAMPLES[event] : sampleOfShape(rowOf(event).input);
}

/** The session of the sample inputs. */
export const SAMPLE_SESSION = {
  session_id: 'sample-session',
  transcript_path: '',
  permission_mode: 'default',
} as const;

/**
 * The event's own fields. If the event is about a tool call, uses the given tool, with paths below `cwd`. Never
 * throws: an unknown tool gets an empty input.
 */
export function sampleFields(
  event: AnyEvent,
  cwd: string,
  tool?: unknown,
): Readonly<Record<string, unknown>> {
  const fields = samplesOf(event);
  if (typeof tool !== 'string' || tool === fields['tool_name'] || !('tool_input' in fields)) return fields;
  const { tool_input, tool_response } = toolSample(tool, cwd);
  return {
    ...fields,
    tool_name: tool,
    tool_input,
    ...('tool_response' in fields && { tool_response }),
    ...('error' in fields && { error: `${tool} failed` }),
  };
}

/**
 * The complete input that a hook reads, including the session. `own` are the event's own fields; they default to the
 * sample. Throws a `HookError` if they do not match the event.
 */
export function sampleInput(
  event: AnyEvent,
  cwd: string,
  own: object = samplesOf(event),
): Readonly<Record<string, unknown>> {
  return completeInput(
    event,
    own,
    { ...SAMPLE_SESSION, cwd },
    { agent_id: undefined, tool_use_id: undefined },
  ).record;
}

interface Definition {
  readonly type: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly defaultValue?: unknown;
}

const BY_TYPE: Readonly<Record<string, (definition: Definition) => unknown>> = {
  string: () => 'sample',
  number: () => 1,
  boolean: () => false,
  null: () => null,
  enum: ({ entries = {} }) => Object.values(entries)[0],
  literal: ({ values = [] }) => values[0],
  array: () => [],
  record: () => ({}),
  object: ({ shape = {} }) => sampleOfShape(shape),
  union: ({ options: [first] = [] }) => first && sampleOf(first),
  nullable: () => null,
  default: ({ defaultValue }) => defaultValue,
};

/** Optional fields are omitted. */
function sampleOfShape(shape: z.core.$ZodLooseShape): Readonly<Record<string, unknown>> {
  const required = Object.entries(shape as Readonly<Record<string, z.core.$ZodType>>).filter(
    ([, schema]) => schema._zod.optin !== 'optional',
  );
  return Object.fromEntries(required.map(([name, schema]) => [name, sampleOf(schema)]));
}

function sampleOf(schema: z.core.$ZodType): unknown {
  const definition = schema._zod.def as Definition;
  return Object.hasOwn(BY_TYPE, definition.type) ? BY_TYPE[definition.type]?.(definition) : null;
}
