/** Cursor, as its documentation describes its hooks. Not tried: every claim here waits for a recording. */
import type { Exit } from '../fault.js';
import { compilePattern, NO_REASON, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, ReadContext, Written } from '../host/host.js';

const events = eventTable({
  PreToolUse: {
    name: 'preToolUse',
    can: ['refuse', 'ask', 'allow'],
    matches: 'pattern',
    form: 'before-tool',
  },
  PostToolUse: { name: 'postToolUse', can: [], matches: 'pattern' },
  UserPromptSubmit: { name: 'beforeSubmitPrompt', can: ['refuse'] },
  Stop: { name: 'stop', can: ['refuse'] },
  SessionStart: { name: 'sessionStart', can: [] },
  SessionEnd: { name: 'sessionEnd', can: [] },
  PreCompact: { name: 'preCompact', can: [], fields: { custom_instructions: null } },
});

function read(exit: Exit, { own }: ReadContext): Answer {
  if (exit.exitCode === 2) return { refuse: text(exit.stderr.trim()) ?? NO_REASON };
  const answer = exit.exitCode === 0 ? objectIn(exit.stdout) : undefined;
  if (answer === undefined) return {};
  const reason = text(answer['agent_message']) ?? text(answer['user_message']) ?? NO_REASON;
  if (own.form !== 'before-tool') {
    const further = text(answer['followup_message']);
    if (further !== undefined) return { refuse: further };
    return answer['continue'] === false ? { refuse: reason } : {};
  }
  const { permission } = answer;
  if (permission === 'deny') return { refuse: reason };
  if (permission === 'ask') return { ask: reason };
  return permission === 'allow' ? { allow: true } : {};
}

function write({ refuse, ask, allow }: Answer, { own }: ReadContext): Written {
  if (own.form === 'before-tool') {
    const reason = refuse ?? ask;
    const permission =
      refuse !== undefined ? 'deny' : ask !== undefined ? 'ask' : allow ? 'allow' : undefined;
    const words = reason === undefined ? {} : { user_message: reason, agent_message: reason };
    return { exit: 0, stdout: permission === undefined ? {} : { permission, ...words } };
  }
  if (refuse === undefined) return { exit: 0 };
  const ends = own === events.Stop;
  return { exit: 0, stdout: ends ? { followup_message: refuse } : { continue: false, user_message: refuse } };
}

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  verified: null,
  program: 'cursor-agent',
  spellings: [
    {
      id: 'cursor',
      events,
      otherEvents: [
        'beforeShellExecution',
        'beforeMCPExecution',
        'beforeReadFile',
        'afterFileEdit',
        'afterShellExecution',
        'afterMCPExecution',
        'afterAgentResponse',
        'afterAgentThought',
      ],
      fields: { session_id: 'conversation_id', transcript_path: null, permission_mode: null },
      tools: [
        { ours: 'Bash', theirs: 'Shell' },
        { ours: 'Read', theirs: 'Read' },
        { ours: 'Write', theirs: 'Write' },
      ],
      compileMatcher: (pattern) => compilePattern(pattern, pattern),
      read,
      write,
    },
  ],
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
    'Nothing about Cursor was tried: it is known from its documentation alone.',
    'A rewritten input, context and another output are not known to work, so a rewrite is refused.',
    'Its unit of timeouts and what it does after one are not known.',
  ],
};
