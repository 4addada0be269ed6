/** Windsurf, as its documentation describes the hooks of Cascade: an event for each kind of tool. Not tried. */
import { compilePattern, isObject } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { readExit, writeExit } from '../host/exit-answers.js';
import type { Host, HostEvent, HostTool, Json, Spelling } from '../host/host.js';

const before = (name: string): Omit<HostEvent, 'matches'> => ({
  name,
  can: ['refuse'],
  form: 'before-tool',
});
const after = (name: string): Omit<HostEvent, 'matches'> => ({ name, can: [] });

const shared: Pick<Spelling, 'otherEvents' | 'fields' | 'compileMatcher' | 'read' | 'write' | 'installed'> = {
  otherEvents: [],
  fields: {
    session_id: 'trajectory_id',
    hook_event_name: 'agent_action_name',
    tool_input: 'tool_info',
    tool_use_id: null,
    transcript_path: null,
    permission_mode: null,
  },
  compileMatcher: (pattern) => compilePattern(pattern, pattern),
  read: readExit,
  write: writeExit,
  installed: true,
};

/** The events before and after one kind of tool. */
function aboutTool(id: string, [pre, post]: readonly [string, string], tools: readonly HostTool[]): Spelling {
  return {
    ...shared,
    id,
    events: eventTable({ PreToolUse: before(pre), PostToolUse: after(post) }),
    tools,
    covers: (tool) => tools.some(({ ours }) => ours === tool),
    fixed: { tool_name: tools[0]?.theirs },
  };
}

const shell = aboutTool(
  'windsurf',
  ['pre_run_command', 'post_run_command'],
  [{ ours: 'Bash', theirs: 'run_command', fields: { command: 'command_line' } }],
);

const read = aboutTool(
  'windsurf-read',
  ['pre_read_code', 'post_read_code'],
  [{ ours: 'Read', theirs: 'read_code' }],
);

const write: Spelling = {
  ...aboutTool(
    'windsurf-write',
    ['pre_write_code', 'post_write_code'],
    [
      {
        ours: 'Write',
        theirs: 'write_code',
        fields: { content: 'edits.0.new_string' },
        when: { 'edits.0.old_string': '' },
      },
      {
        ours: 'Edit',
        theirs: 'write_code',
        fields: { old_string: 'edits.0.old_string', new_string: 'edits.0.new_string' },
      },
    ],
  ),
  partsOf: furtherEdits,
};

/** The first edit is the call itself. */
function furtherEdits(input: Json): readonly Json[] {
  const given = isObject(input['tool_input']) ? input['tool_input'] : {};
  const { file_path, edits } = given;
  return (Array.isArray(edits) ? edits.slice(1) : []).filter(isObject).map((edit) => ({
    ...input,
    tool_name: 'Edit',
    tool_input: { file_path, old_string: edit['old_string'], new_string: edit['new_string'] },
  }));
}

const MCP_NAME = /^mcp__(.+?)__(.+)$/;

const mcp: Spelling = {
  ...shared,
  id: 'windsurf-mcp',
  events: eventTable({
    PreToolUse: before('pre_mcp_tool_use'),
    PostToolUse: {
      ...after('post_mcp_tool_use'),
      fields: { tool_response: 'tool_info.mcp_result' },
    },
  }),
  fields: { ...shared.fields, tool_name: null, tool_input: 'tool_info.mcp_tool_arguments' },
  tools: [],
  covers: (tool) => MCP_NAME.test(tool),
  derived({ tool_info: info }) {
    const { mcp_server_name: server, mcp_tool_name: tool } = isObject(info) ? info : {};
    return { tool_name: `mcp__${server}__${tool}` };
  },
  added(_event, { tool_name, tool_input, tool_response }) {
    const [, server, tool] = MCP_NAME.exec(String(tool_name)) ?? [];
    const info = { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: tool_input };
    return {
      tool_info: tool_response === undefined ? info : { ...info, mcp_result: tool_response },
    };
  },
};

export const windsurf: Host = {
  name: 'windsurf',
  title: 'Windsurf',
  verified: null,
  program: 'windsurf',
  spellings: [
    {
      ...shell,
      events: {
        ...shell.events,
        ...eventTable({
          UserPromptSubmit: {
            name: 'pre_user_prompt',
            can: ['refuse'],
            fields: { prompt: 'tool_info.user_prompt' },
          },
          Stop: {
            name: 'post_cascade_response',
            can: [],
            fields: { last_assistant_message: 'tool_info.response' },
          },
        }),
      },
      fields: { ...shared.fields, cwd: 'tool_info.cwd' },
      otherEvents: ['post_cascade_response_with_transcript', 'post_setup_worktree'],
    },
    read,
    write,
    mcp,
  ],
  order: 'sequential',
  // Its documentation knows no timeouts.
  timeout: { unitMs: 1000, keys: [], seconds: 30, max: 30 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.codeium/windsurf' },
  files: [
    { layer: 'user', path: 'hooks.json', format: 'json' },
    { layer: 'project', path: '.windsurf/hooks.json', format: 'json' },
  ],
  shape: 'entries',
  commandKeys: ['command'],
  hasTypes: false,
  refusesByExit: true,
  json: { comments: false, trailingCommas: false },
  newFile: {},
  cannot: [
    'Nothing about Windsurf was tried: it is known from its documentation alone.',
    'It has events for shell commands, for files that are read or written, and for tools of MCP servers. No other tool is guarded, such as a search on the web.',
    'Hooks refuse and no more: questions and rewritten inputs are refused, context and another output are lost, and the end of a turn cannot be delayed.',
    'How long it waits for a hook is not documented; the bridge answers within 27 s.',
  ],
};
