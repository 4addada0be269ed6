/** Firebender, as its documentation describes its hooks: Cursor's, of which fewer decide something. Not tried. */
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { compilePattern, NO_REASON, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, HostTool, Json, ReadContext, Written } from '../host/host.js';

const events = eventTable({
  PreToolUse: { name: 'preToolUse', can: ['refuse'], matches: 'pattern', form: 'before-tool' },
  PostToolUse: {
    name: 'postToolUse',
    can: [],
    matches: 'pattern',
    fields: { tool_response: 'tool_output' },
  },
  Stop: { name: 'stop', can: [], fields: { last_assistant_message: null } },
  SubagentStart: { name: 'subagentStart', can: [] },
  SubagentStop: { name: 'subagentStop', can: [], fields: { last_assistant_message: null } },
  SessionStart: { name: 'sessionStart', can: [] },
  SessionEnd: { name: 'sessionEnd', can: [] },
  PreCompact: { name: 'preCompact', can: [], fields: { custom_instructions: null } },
});

/** Exit code 2 is the same as a permission that is denied. */
function read({ exitCode, stdout, stderr }: Exit, { own }: ReadContext): Answer {
  if (!own.can.includes('refuse')) return {};
  const answer = objectIn(stdout) ?? {};
  const denied = exitCode === 2 || (exitCode === 0 && answer['permission'] === 'deny');
  if (!denied) return {};
  const reason = text(answer['agent_message']) ?? text(answer['user_message']);
  return { refuse: reason ?? text(stderr.trim()) ?? NO_REASON };
}

/** Which field carries the reason to the model is not documented; these are Cursor's. */
function write({ refuse }: Answer): Written {
  if (refuse === undefined) return { exit: 0 };
  return { exit: 0, stdout: { permission: 'deny', user_message: refuse, agent_message: refuse } };
}

/** Calls have been seen with either name for the path of a file. */
const path = { file_path: 'path' };

const tools: readonly HostTool[] = [
  { ours: 'Bash', theirs: 'Shell' },
  { ours: 'Read', theirs: 'Read', fields: path },
  { ours: 'Write', theirs: 'Write', fields: path },
  { ours: 'apply_patch', theirs: 'Edit', text: 'command' },
  { ours: 'Edit', theirs: 'Edit', fields: path },
  { ours: 'Write', theirs: 'Delete', fields: path },
];

/** A patch is a text of its own, or a field. */
const patched = (input: Json): readonly Json[] =>
  ['apply_patch', 'Edit'].includes(String(input['tool_name'])) ? patchedFiles(input) : [];

export const firebender: Host = {
  name: 'firebender',
  title: 'Firebender',
  verified: null,
  program: 'firebender',
  spellings: [
    {
      id: 'firebender',
      events,
      otherEvents: [
        'beforeShellExecution',
        'afterShellExecution',
        'beforeMCPExecution',
        'afterMCPExecution',
        'beforeReadFile',
        'afterFileEdit',
      ],
      fields: {
        session_id: 'completion_id',
        cwd: 'repo_working_dir',
        transcript_path: null,
        permission_mode: null,
      },
      derived: ({ repo_working_dir: folder, workspace_roots: roots }) =>
        typeof folder === 'string' || !Array.isArray(roots) ? {} : { cwd: roots[0] as unknown },
      tools,
      partsOf: patched,
      compileMatcher: (pattern) => compilePattern(pattern, pattern),
      read,
      write,
    },
  ],
  order: 'sequential',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 60 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.firebender' },
  files: [
    { layer: 'user', path: 'hooks.json', format: 'json' },
    { layer: 'project', path: '.firebender/hooks.json', format: 'json' },
  ],
  shape: 'entries',
  commandKeys: ['command'],
  // Not documented: what either reading of a file would lose is refused.
  json: { comments: false, trailingCommas: false },
  newFile: { version: 1 },
  trust: 'Firebender reads its hooks when the IDE starts: restart it after install.',
  cannot: [
    'Nothing about Firebender was tried: it is known from its documentation alone.',
    'Hooks refuse before a tool. A question or a changed input is refused; prompts have no event, context and another output are lost, and the end of a turn cannot be delayed.',
    'Tools of MCP servers are not named by their server.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
