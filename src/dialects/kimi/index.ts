/** Kimi Code CLI, as its source has its hooks: one list in its TOML file, and exit codes as answers. Not tried. */
import type { Exit } from '../fault.js';
import { compilePattern, isObject, NO_REASON, objectIn, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { readExit, writeExit } from '../host/exit-answers.js';
import type { Answer, Host, Json, ReadContext } from '../host/host.js';

const agent = { agent_type: 'agent_name' };

const events = eventTable({
  PreToolUse: { can: ['refuse'], matches: 'pattern', form: 'before-tool' },
  PostToolUse: { can: [], matches: 'pattern', fields: { tool_response: 'tool_output' } },
  PostToolUseFailure: { can: [], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse', 'context'], matches: 'other' },
  Stop: { can: ['refuse'], fields: { last_assistant_message: null } },
  StopFailure: {
    can: [],
    matches: 'other',
    fields: { error: 'error_type', error_details: 'error_message', last_assistant_message: null },
  },
  SubagentStart: { can: [], matches: 'pattern', fields: agent },
  SubagentStop: { can: [], matches: 'pattern', fields: { ...agent, last_assistant_message: 'response' } },
  SessionStart: { can: [], matches: 'pattern' },
  SessionEnd: { can: [], matches: 'pattern' },
  PreCompact: { can: [], matches: 'pattern', fields: { custom_instructions: null } },
  PostCompact: { can: [], matches: 'pattern' },
  Notification: { can: [], matches: 'other' },
  PermissionRequest: { can: [], matches: 'pattern', notInstalled: 'a hook decides nothing there' },
});

function read(exit: Exit, context: ReadContext): Answer {
  const answer = exit.exitCode === 0 ? objectIn(exit.stdout.trim()) : undefined;
  if (answer === undefined) return readExit(exit, context);
  const { permissionDecision, permissionDecisionReason, message } = specificOf(answer);
  if (permissionDecision === 'deny') return { refuse: text(permissionDecisionReason) ?? NO_REASON };
  return { context: text(answer['message']) ?? text(message) ?? text(exit.stdout.trim()) };
}

const path = { file_path: 'path' };

/** The prompt may be a list of parts. */
function promptOf({ prompt }: Json): Json {
  if (!Array.isArray(prompt)) return {};
  const parts = prompt.flatMap((part: unknown) => (isObject(part) ? (text(part['text']) ?? []) : []));
  return { prompt: parts.join(' ') };
}

export const kimi: Host = {
  name: 'kimi',
  title: 'Kimi Code CLI',
  verified: null,
  program: 'kimi',
  spellings: [
    {
      id: 'kimi',
      events,
      otherEvents: [
        'UserPromptQueued',
        'TurnStarted',
        'PermissionResult',
        'SessionHeartbeat',
        'TaskStarted',
        'Interrupt',
      ],
      fields: { tool_use_id: 'tool_call_id', transcript_path: null, permission_mode: null },
      tools: [
        { ours: 'Bash', theirs: 'Bash' },
        { ours: 'Read', theirs: 'Read', fields: path },
        { ours: 'Write', theirs: 'Write', fields: path },
        { ours: 'Edit', theirs: 'Edit', fields: path },
        // Those of Kimi CLI, which came before.
        { ours: 'Bash', theirs: 'Shell' },
        { ours: 'Read', theirs: 'ReadFile', fields: path },
        { ours: 'Write', theirs: 'WriteFile', fields: path },
        {
          ours: 'Edit',
          theirs: 'StrReplaceFile',
          fields: { ...path, old_string: 'edit.old', new_string: 'edit.new' },
        },
      ],
      derived: promptOf,
      compileMatcher: (pattern) => compilePattern(pattern, pattern),
      read,
      write: writeExit,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 30, min: 1, max: 600 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { variable: 'KIMI_CODE_HOME', folder: '.kimi-code' },
  files: [{ layer: 'user', path: 'config.toml', format: 'toml' }],
  shape: 'list',
  commandKeys: ['command'],
  hasTypes: false,
  refusesByExit: true,
  json: { comments: true, trailingCommas: true },
  newFile: {},
  cannot: [
    'Nothing about Kimi Code CLI was tried: it is known from its source alone.',
    'It reads hooks from the file of the user alone, so an entry applies in every folder.',
    'Hooks refuse before a tool, a prompt and the end of a turn, and add context to a prompt. A question or a changed input is refused; context after a tool and another output are lost.',
    'A Stop hook makes it go on once.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
