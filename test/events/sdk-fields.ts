/** Every field of every event's input and `hookSpecificOutput`, copied out by hand from what they are compatible with. */
import type { ExtendedEvent, HookEvent } from '../../src/index.js';

interface Fields {
  /** Required by the Agent SDK's types 0.2.37. */
  readonly required: readonly string[];
  /** Optional there. */
  readonly optional: readonly string[];
  /** Added by Claude Code 2.1.325; optional. */
  readonly added: readonly string[];
  /** Of `hookSpecificOutput` in the Agent SDK's types, beside `hookEventName`. */
  readonly specific: readonly string[];
  /** Of `hookSpecificOutput` in Claude Code 2.1.325. */
  readonly specificAdded: readonly string[];
}

export const BASE_REQUIRED: readonly string[] = ['session_id', 'transcript_path', 'cwd', 'hook_event_name'];
export const BASE_OPTIONAL: readonly string[] = ['permission_mode'];
export const BASE_ADDED: readonly string[] = ['prompt_id', 'effort'];

export const SDK_FIELDS: Readonly<Record<HookEvent, Fields>> = {
  PreToolUse: {
    required: ['tool_name', 'tool_input', 'tool_use_id'],
    optional: [],
    added: ['mcp_server', 'agent_id', 'agent_type'],
    specific: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
    specificAdded: [],
  },
  PostToolUse: {
    required: ['tool_name', 'tool_input', 'tool_response', 'tool_use_id'],
    optional: [],
    added: ['duration_ms', 'mcp_server', 'agent_id', 'agent_type'],
    specific: ['additionalContext', 'updatedMCPToolOutput'],
    specificAdded: ['updatedToolOutput', 'classifierContext'],
  },
  PostToolUseFailure: {
    required: ['tool_name', 'tool_input', 'tool_use_id', 'error'],
    optional: ['is_interrupt'],
    added: ['duration_ms', 'mcp_server'],
    specific: ['additionalContext'],
    specificAdded: [],
  },
  Notification: {
    required: ['message', 'notification_type'],
    optional: ['title'],
    added: [],
    specific: ['additionalContext'],
    specificAdded: [],
  },
  UserPromptSubmit: {
    required: ['prompt'],
    optional: [],
    added: ['source', 'session_title'],
    specific: ['additionalContext'],
    specificAdded: ['sessionTitle', 'suppressOriginalPrompt'],
  },
  SessionStart: {
    required: ['source'],
    optional: ['agent_type', 'model'],
    added: [
      'session_title',
      'seconds_since_last_response',
      'context_tokens',
      'prompt_cache_likely_expired',
      'estimated_cache_write_usd',
    ],
    specific: ['additionalContext'],
    specificAdded: ['initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  },
  SessionEnd: { required: ['reason'], optional: [], added: [], specific: [], specificAdded: [] },
  Stop: {
    required: ['stop_hook_active'],
    optional: [],
    added: ['last_assistant_message', 'background_tasks', 'session_crons'],
    specific: [],
    specificAdded: ['additionalContext'],
  },
  SubagentStart: {
    required: ['agent_id', 'agent_type'],
    optional: [],
    added: [],
    specific: ['additionalContext'],
    specificAdded: [],
  },
  SubagentStop: {
    required: ['stop_hook_active', 'agent_id', 'agent_transcript_path', 'agent_type'],
    optional: [],
    added: ['last_assistant_message', 'background_tasks', 'session_crons'],
    specific: [],
    specificAdded: ['additionalContext'],
  },
  PreCompact: {
    required: ['trigger', 'custom_instructions'],
    optional: [],
    added: [],
    specific: [],
    specificAdded: [],
  },
  PermissionRequest: {
    required: ['tool_name', 'tool_input'],
    optional: ['permission_suggestions'],
    added: ['mcp_server'],
    specific: ['decision'],
    specificAdded: [],
  },
  Setup: {
    required: ['trigger'],
    optional: [],
    added: [],
    specific: ['additionalContext'],
    specificAdded: [],
  },
  TeammateIdle: {
    required: ['teammate_name', 'team_name'],
    optional: [],
    added: [],
    specific: [],
    specificAdded: [],
  },
  TaskCompleted: {
    required: ['task_id', 'task_subject'],
    optional: ['task_description', 'teammate_name', 'team_name'],
    added: [],
    specific: [],
    specificAdded: [],
  },
};

const MODEL_SWITCH = [
  ...['from_model', 'to_model', 'requested_model', 'source', 'context_tokens', 'prompt_cache_warm'],
  ...['cache_ttl', 'estimated_cache_write_usd', 'pricing'],
];
const TASK = {
  required: ['task_id', 'task_subject'],
  optional: ['task_description', 'teammate_name', 'team_name'],
};

/** The further events of the Agent SDK's types 0.3.325. */
export const NEWER_FIELDS: Readonly<
  Record<ExtendedEvent, Pick<Fields, 'required' | 'optional' | 'specific'>>
> = {
  PostToolBatch: { required: ['tool_calls'], optional: [], specific: ['additionalContext'] },
  PermissionDenied: {
    required: ['tool_name', 'tool_input', 'tool_use_id', 'reason'],
    optional: ['mcp_server'],
    specific: ['retry'],
  },
  UserPromptExpansion: {
    required: ['expansion_type', 'command_name', 'command_args', 'prompt'],
    optional: ['command_source'],
    specific: ['additionalContext', 'suppressOriginalPrompt'],
  },
  MessageDisplay: {
    required: ['turn_id', 'message_id', 'index', 'final', 'delta'],
    optional: [],
    specific: ['displayContent'],
  },
  StopFailure: { required: ['error'], optional: ['error_details', 'last_assistant_message'], specific: [] },
  TaskCreated: { ...TASK, specific: [] },
  PostCompact: { required: ['trigger', 'compact_summary'], optional: [], specific: [] },
  PreModelSwitch: {
    required: MODEL_SWITCH,
    optional: [],
    specific: ['permissionDecision', 'permissionDecisionReason'],
  },
  PostModelSwitch: { required: MODEL_SWITCH, optional: [], specific: ['additionalContext'] },
  Elicitation: {
    required: ['mcp_server_name', 'message'],
    optional: ['mode', 'url', 'elicitation_id', 'requested_schema'],
    specific: ['action', 'content'],
  },
  ElicitationResult: {
    required: ['mcp_server_name', 'action'],
    optional: ['content', 'mode', 'elicitation_id'],
    specific: ['action', 'content'],
  },
  ConfigChange: { required: ['source'], optional: ['file_path'], specific: [] },
  InstructionsLoaded: {
    required: ['file_path', 'memory_type', 'load_reason'],
    optional: ['globs', 'trigger_file_path', 'parent_file_path'],
    specific: [],
  },
  CwdChanged: { required: ['old_cwd', 'new_cwd'], optional: [], specific: ['watchPaths'] },
  FileChanged: { required: ['file_path', 'event'], optional: [], specific: ['watchPaths'] },
  DirectoryAdded: { required: ['directory', 'source'], optional: [], specific: [] },
  WorktreeCreate: { required: ['name'], optional: [], specific: ['worktreePath'] },
  WorktreeRemove: { required: ['worktree_path'], optional: [], specific: [] },
};
