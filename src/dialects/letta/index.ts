/** Letta Code, as its source has its hooks: Claude Code's files, with fields of its own, and exit codes as answers. Not tried. */
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { compilePattern, isObject, objectIn, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { readExit, writeExit } from '../host/exit-answers.js';
import type { Answer, Host, ReadContext, Spelling, Written } from '../host/host.js';
import { inputToHost } from '../host/translate.js';

const events = eventTable({
  PreToolUse: {
    can: ['refuse', 'rewrite'],
    matches: 'pattern',
    form: 'before-tool',
    mergesRewrite: true,
  },
  PermissionRequest: {
    can: ['refuse', 'allow'],
    matches: 'pattern',
    form: 'permission',
    notInstalled: 'a hook without an opinion allows the call',
  },
  PostToolUse: { can: ['context'], matches: 'pattern', fields: { tool_response: 'tool_result' } },
  PostToolUseFailure: { can: ['context'], matches: 'pattern', fields: { error: 'error_message' } },
  UserPromptSubmit: { can: ['refuse', 'context'] },
  Stop: { can: ['refuse'], fields: { last_assistant_message: 'assistant_message' } },
  SubagentStop: { can: [], fields: { agent_id: 'subagent_id', agent_type: 'subagent_type' } },
  SessionStart: { can: ['context'] },
  SessionEnd: { can: [] },
  PreCompact: { can: [] },
  Notification: { can: [], fields: { notification_type: 'level' } },
});

/** Around tools it reads JSON, elsewhere the text itself. */
const readsJson = ({ own }: ReadContext): boolean => own.matches === 'pattern';

function read(exit: Exit, context: ReadContext): Answer {
  const answer = exit.exitCode === 0 && readsJson(context) ? objectIn(exit.stdout.trim()) : undefined;
  if (!readsJson(context) || exit.exitCode === 2) return readExit(exit, context);
  if (context.own.form === 'permission') return exit.exitCode === 0 ? { allow: true } : {};
  if (answer === undefined) return {};
  const specific = specificOf(answer);
  const rewrite = specific['updatedInput'];
  const added = text(specific['additionalContext']) ?? text(answer['additionalContext']);
  return {
    ...(isObject(rewrite) && { rewrite }),
    ...(added !== undefined && { context: added }),
  };
}

function write(answer: Answer, context: ReadContext): Written {
  const { refuse, rewrite, context: added } = answer;
  if (!readsJson(context) || refuse !== undefined) return writeExit(answer);
  const { own, input } = context;
  const specific = {
    ...(rewrite !== undefined && {
      updatedInput: inputToHost(spelling, input['tool_name'], rewrite),
    }),
    ...(added !== undefined && { additionalContext: added }),
  };
  if (Object.keys(specific).length === 0) return { exit: 0 };
  return { exit: 0, stdout: { hookSpecificOutput: { hookEventName: own.name, ...specific } } };
}

const spelling: Spelling = {
  id: 'letta',
  events,
  otherEvents: [],
  fields: {
    hook_event_name: 'event_type',
    cwd: 'working_directory',
    tool_use_id: 'tool_call_id',
    transcript_path: null,
    permission_mode: null,
  },
  tools: [
    { ours: 'Bash', theirs: 'Bash' },
    { ours: 'Read', theirs: 'Read' },
    { ours: 'Write', theirs: 'Write' },
    { ours: 'Edit', theirs: 'Edit' },
    // The tools that it gives to models of other makers.
    { ours: 'Bash', theirs: 'exec_command', fields: { command: 'cmd' }, folder: 'workdir' },
    { ours: 'Bash', theirs: 'ShellCommand' },
    { ours: 'Bash', theirs: 'RunShellCommand' },
    { ours: 'Read', theirs: 'ReadFileGemini' },
    { ours: 'Write', theirs: 'WriteFileGemini' },
    { ours: 'Edit', theirs: 'Replace' },
  ],
  response: {
    fromHost: (value) => (isObject(value) ? (value['output'] ?? value) : value),
    toHost: (value) => ({
      status: 'success',
      output: typeof value === 'string' ? value : JSON.stringify(value),
    }),
  },
  partsOf: (input) => {
    const { tool_name, tool_input } = input;
    if (tool_name !== 'ApplyPatch' || !isObject(tool_input)) return [];
    return patchedFiles({ ...input, tool_name: 'apply_patch', tool_input: { command: tool_input['input'] } });
  },
  compileMatcher: (pattern) => {
    try {
      return compilePattern(`^(?:${pattern})$`, pattern);
    } catch {
      return (subject) => subject === pattern;
    }
  },
  read,
  write,
};

export const letta: Host = {
  name: 'letta',
  title: 'Letta Code',
  verified: null,
  program: 'letta',
  spellings: [spelling],
  order: 'sequential',
  firstRefusalEnds: true,
  timeout: { unitMs: 1, keys: ['timeout'], seconds: 60 },
  environment: (folder) => ({
    LETTA_WORKING_DIR: folder,
    USER_CWD: folder,
    CLAUDE_PROJECT_DIR: folder,
  }),
  home: { folder: '.letta' },
  files: [
    { layer: 'project', path: '.letta/settings.local.json', format: 'json', isPersonal: true },
    { layer: 'project', path: '.letta/settings.json', format: 'json' },
    { layer: 'user', path: 'settings.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  refusesByExit: true,
  json: { comments: false, trailingCommas: false },
  newFile: {},
  trust:
    'Letta Code runs no hooks at all if `hooks.disabled` is true in its settings: those of the user, or of the project unless the user says false.',
  cannot: [
    'Nothing about Letta Code was tried: it is known from its source alone.',
    'A question is refused, the run cannot be ended, and the output of a tool cannot be replaced.',
    'Tools that run on the server of Letta, such as its memory, have begun when their hooks run.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
