/** Cursor, as its documentation describes its hooks. Not tried: every claim here waits for a recording. */
import type { Exit } from '../fault.js';
import { compilePattern, isObject, NO_REASON, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, ReadContext, Spelling, Written } from '../host/host.js';
import { inputToHost } from '../host/translate.js';

const events = eventTable({
  // It reads `ask` here too, but does not ask.
  PreToolUse: {
    name: 'preToolUse',
    can: ['refuse', 'allow', 'rewrite'],
    matches: 'pattern',
    form: 'before-tool',
  },
  PostToolUse: {
    name: 'postToolUse',
    can: ['context'],
    matches: 'pattern',
    fields: { tool_response: 'tool_output' },
  },
  PostToolUseFailure: {
    name: 'postToolUseFailure',
    can: [],
    matches: 'pattern',
    fields: { error: 'error_message' },
  },
  UserPromptSubmit: { name: 'beforeSubmitPrompt', can: ['refuse'] },
  Stop: { name: 'stop', can: ['refuse'] },
  SubagentStart: {
    name: 'subagentStart',
    can: [],
    fields: { agent_id: 'subagent_id', agent_type: 'subagent_type' },
  },
  SubagentStop: { name: 'subagentStop', can: ['refuse'], fields: { agent_type: 'subagent_type' } },
  SessionStart: { name: 'sessionStart', can: ['context'] },
  SessionEnd: { name: 'sessionEnd', can: [] },
  PreCompact: { name: 'preCompact', can: [], fields: { custom_instructions: null } },
});

function read(exit: Exit, { own }: ReadContext): Answer {
  if (exit.exitCode === 2) return { refuse: text(exit.stderr.trim()) ?? NO_REASON };
  const answer = exit.exitCode === 0 ? objectIn(exit.stdout) : undefined;
  if (answer === undefined) return {};
  const reason = text(answer['user_message']) ?? text(answer['agent_message']) ?? NO_REASON;
  if (own.form !== 'before-tool') {
    const further = text(answer['followup_message']);
    const context = text(answer['additional_context']);
    if (further !== undefined) return { refuse: further };
    if (answer['continue'] === false) return { refuse: reason };
    return context === undefined ? {} : { context };
  }
  const { permission, updated_input: rewrite } = answer;
  return {
    ...(permission === 'deny' && { refuse: reason }),
    ...(permission === 'ask' && { ask: reason }),
    ...(permission === 'allow' && { allow: true }),
    ...(isObject(rewrite) && { rewrite }),
  };
}

function write({ refuse, ask, allow, rewrite, context }: Answer, { own, input }: ReadContext): Written {
  if (own.form === 'before-tool') {
    const reason = refuse ?? ask;
    const permission =
      refuse !== undefined ? 'deny' : ask !== undefined ? 'ask' : allow || rewrite ? 'allow' : undefined;
    const stdout = {
      ...(permission !== undefined && { permission }),
      ...(reason !== undefined && { user_message: reason, agent_message: reason }),
      ...(rewrite !== undefined && {
        updated_input: inputToHost(generic, input['tool_name'], rewrite),
      }),
    };
    return { exit: 0, stdout };
  }
  if (refuse === undefined)
    return { exit: 0, stdout: context === undefined ? {} : { additional_context: context } };
  const ends = own === events.Stop || own === events.SubagentStop;
  return { exit: 0, stdout: ends ? { followup_message: refuse } : { continue: false, user_message: refuse } };
}

/** It names the tool of an MCP server, not the server. */
const mcp: NonNullable<Spelling['mcp']> = {
  fromHost: (name) => (name.startsWith('MCP:') ? `mcp__cursor__${name.slice('MCP:'.length)}` : undefined),
  toHost: (name) => {
    const tool = toolOfMcp(name);
    return tool === undefined ? undefined : `MCP:${tool}`;
  },
};

const toolOfMcp = (name: string): string | undefined =>
  name === 'mcp__*' ? '*' : /^mcp__.+?__(.+)$/.exec(name)?.[1];

const response: NonNullable<Spelling['response']> = {
  fromHost: (value) => value,
  toHost: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
};

const shared: Pick<Spelling, 'otherEvents' | 'fields' | 'response' | 'compileMatcher' | 'read' | 'write'> = {
  otherEvents: [],
  fields: { session_id: 'conversation_id', cwd: 'workspace_roots.0', permission_mode: null },
  response,
  compileMatcher: (pattern) => compilePattern(pattern, pattern),
  read,
  write,
};

const generic: Spelling = {
  ...shared,
  id: 'cursor',
  events,
  otherEvents: [
    'afterAgentResponse',
    'afterAgentThought',
    'beforeTabFileRead',
    'afterTabFileEdit',
    'workspaceOpen',
  ],
  tools: [
    { ours: 'Bash', theirs: 'Shell', folder: 'working_directory' },
    { ours: 'Read', theirs: 'Read' },
    { ours: 'Write', theirs: 'Write' },
    { ours: 'Edit', theirs: 'Write' },
    { ours: 'Write', theirs: 'Delete', fields: { file_path: 'path' } },
  ],
  mcp,
};

/** The events for one kind of tool fire beside the general ones, so the installer leaves them out: a hook decides once. */
const shell: Spelling = {
  ...shared,
  id: 'cursor-shell',
  events: eventTable({
    PreToolUse: {
      name: 'beforeShellExecution',
      can: ['refuse', 'ask', 'allow'],
      matches: 'other',
      form: 'before-tool',
    },
    PostToolUse: {
      name: 'afterShellExecution',
      can: [],
      matches: 'other',
      fields: { tool_response: 'output' },
    },
  }),
  fields: { ...shared.fields, cwd: 'cwd', 'tool_input.command': 'command' },
  tools: [{ ours: 'Bash', theirs: 'Shell' }],
  covers: (tool) => tool === 'Bash',
  fixed: { tool_name: 'Shell' },
};

const file: Spelling = {
  ...shared,
  id: 'cursor-read',
  events: eventTable({
    PreToolUse: {
      name: 'beforeReadFile',
      can: ['refuse', 'allow'],
      matches: 'pattern',
      form: 'before-tool',
    },
  }),
  fields: { ...shared.fields, 'tool_input.file_path': 'file_path' },
  tools: [{ ours: 'Read', theirs: 'Read' }],
  covers: (tool) => tool === 'Read',
  fixed: { tool_name: 'Read' },
};

const edit: Spelling = {
  ...shared,
  id: 'cursor-edit',
  events: eventTable({ PostToolUse: { name: 'afterFileEdit', can: [], matches: 'pattern' } }),
  fields: {
    ...shared.fields,
    'tool_input.file_path': 'file_path',
    'tool_input.old_string': 'edits.0.old_string',
    'tool_input.new_string': 'edits.0.new_string',
  },
  tools: [
    { ours: 'Edit', theirs: 'Write' },
    { ours: 'Write', theirs: 'Write' },
  ],
  covers: (tool) => tool === 'Edit' || tool === 'Write',
  fixed: { tool_name: 'Write' },
};

const server: Spelling = {
  ...shared,
  id: 'cursor-mcp',
  events: eventTable({
    PreToolUse: {
      name: 'beforeMCPExecution',
      can: ['refuse', 'ask', 'allow'],
      matches: 'pattern',
      form: 'before-tool',
    },
    PostToolUse: {
      name: 'afterMCPExecution',
      can: [],
      matches: 'pattern',
      fields: { tool_response: 'result_json' },
    },
  }),
  tools: [],
  mcp: { fromHost: (name) => `mcp__cursor__${name}`, toHost: toolOfMcp },
  covers: (tool) => toolOfMcp(tool) !== undefined,
  added: (_event, { tool_input }) => ({ tool_input: JSON.stringify(tool_input ?? {}) }),
};

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  verified: null,
  program: 'cursor-agent',
  spellings: [generic, shell, server, file, edit],
  order: 'sequential',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 60 },
  environment: (folder) => ({ CURSOR_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.cursor' },
  files: [
    { layer: 'user', path: 'hooks.json', format: 'json' },
    { layer: 'project', path: '.cursor/hooks.json', format: 'json' },
  ],
  shape: 'entries',
  commandKeys: ['command'],
  json: { comments: true, trailingCommas: true },
  newFile: { version: 1 },
  runsClaudeSettings: true,
  cannot: [
    'Nothing about Cursor was tried: it is known from documentation alone.',
    'preToolUse guards every tool; a version of Cursor without it ignores the entry without a word.',
    'preToolUse asks nobody: a question is refused. Another output cannot be given.',
    'What completes lines while you type (Tab) reads files unguarded.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
