/** iFlow CLI, as its documentation describes its hooks: Claude Code's files, and exit codes as answers. Not tried. */
import type { Exit } from '../fault.js';
import { compilePattern, NO_REASON, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { writeExit } from '../host/exit-answers.js';
import type { Answer, Host, HostTool, ReadContext } from '../host/host.js';

const events = eventTable({
  PreToolUse: { can: ['refuse'], matches: 'pattern', form: 'before-tool' },
  PostToolUse: { can: [], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse'], matches: 'other' },
  Stop: { can: [], fields: { last_assistant_message: null } },
  SubagentStop: { can: [], fields: { last_assistant_message: null } },
  SessionStart: { can: [], matches: 'pattern' },
  SessionEnd: { can: [] },
  Notification: { can: [], matches: 'other' },
});

/** Any exit code but 0 refuses. What a hook prints is for people. */
function read({ exitCode, stderr, stdout }: Exit, { own }: ReadContext): Answer {
  if (exitCode === 0 || exitCode === undefined || !own.can.includes('refuse')) return {};
  return { refuse: text(stderr.trim()) ?? text(stdout.trim()) ?? NO_REASON };
}

/** A matcher sees a tool under each of these names; a hook, under its own. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  run_shell_command: ['shell', 'Shell', 'bash', 'Bash'],
  read_file: ['read'],
  write_file: ['write', 'create', 'save'],
  replace: ['Edit', 'edit', 'Write', 'write'],
  multi_edit: ['MultiEdit', 'multiEdit'],
  list_directory: ['ls', 'list'],
  search_file_content: ['grep', 'search'],
};

/** A name, or an expression if it has one of these characters. One that is not valid is a name. */
function compileMatcher(pattern: string) {
  const wanted = pattern.trim();
  const literal = (name: string): boolean => name === wanted;
  let one = literal;
  if (/[|\\^$.*+?()[\]{}]/.test(wanted))
    try {
      one = compilePattern(`^(?:${wanted})$`, pattern);
    } catch {
      // It stays a name.
    }
  return (subject: string): boolean => [subject, ...(ALIASES[subject] ?? [])].some((name) => one(name));
}

// It comes from Gemini CLI, whose older versions have another name for the path of a file to read.
const tools: readonly HostTool[] = [
  { ours: 'Bash', theirs: 'run_shell_command' },
  { ours: 'Read', theirs: 'read_file', fields: { file_path: 'absolute_path' } },
  { ours: 'Write', theirs: 'write_file' },
  { ours: 'Edit', theirs: 'replace' },
  { ours: 'MultiEdit', theirs: 'multi_edit' },
  { ours: 'LS', theirs: 'list_directory' },
  { ours: 'Grep', theirs: 'search_file_content' },
];

export const iflow: Host = {
  name: 'iflow',
  title: 'iFlow CLI',
  verified: null,
  program: 'iflow',
  spellings: [
    {
      id: 'iflow',
      events,
      otherEvents: ['SetUpEnvironment'],
      fields: { tool_use_id: null, permission_mode: null },
      tools,
      compileMatcher,
      read,
      write: writeExit,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 60 },
  environment: (folder, session) => ({
    IFLOW_CWD: folder,
    IFLOW_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: folder,
  }),
  home: { folder: '.iflow' },
  files: [
    { layer: 'user', path: 'settings.json', format: 'json' },
    { layer: 'project', path: '.iflow/settings.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  refusesByExit: true,
  json: { comments: true, trailingCommas: false },
  newFile: {},
  cannot: [
    'Nothing about iFlow CLI was tried: it is known from its documentation alone.',
    'Hooks refuse before a tool and a prompt. A question or a changed input is refused; context and another output are lost, and the end of a turn cannot be delayed.',
    'A hook that takes too long lets the tool run; the bridge answers before that.',
  ],
};
