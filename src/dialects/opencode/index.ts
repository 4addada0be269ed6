/** opencode, whose hooks are code: a plugin of ours calls the bridge, in words of its own. */
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { isObject, NO_REASON, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, Json, ReadContext, Written } from '../host/host.js';
import { inputToHost } from '../host/translate.js';
import { plugin } from './plugin.js';

const events = eventTable({
  PreToolUse: { name: 'tool.execute.before', can: ['refuse', 'rewrite'], form: 'before-tool' },
  PostToolUse: { name: 'tool.execute.after', can: ['replace', 'context'] },
  UserPromptSubmit: { name: 'chat.message', can: ['refuse', 'context'] },
  // What it tells plugins comes when it has happened.
  Stop: { name: 'session.idle', can: [], fields: { last_assistant_message: null } },
  SessionStart: { name: 'session.created', can: [] },
});

function read({ exitCode, stdout, stderr }: Exit, { own }: ReadContext): Answer {
  if (exitCode === 2 && own.can.includes('refuse')) return { refuse: text(stderr.trim()) ?? NO_REASON };
  const answer = objectIn(stdout.trim()) ?? {};
  const { rewrite } = answer;
  const [refuse, replace, context] = ['refuse', 'replace', 'context'].map((key) => text(answer[key]));
  return {
    ...(refuse !== undefined && { refuse }),
    ...(isObject(rewrite) && { rewrite }),
    ...(replace !== undefined && { replace }),
    ...(context !== undefined && { context }),
  };
}

function write({ refuse, rewrite, replace, context }: Answer, { input }: ReadContext): Written {
  if (refuse !== undefined) return { exit: 0, stdout: { refuse } };
  const stdout = {
    ...(rewrite !== undefined && {
      rewrite: inputToHost(opencode.spellings[0], input['tool_name'], rewrite),
    }),
    ...(replace !== undefined && { replace }),
    ...(context !== undefined && { context }),
  };
  return { exit: 0, stdout };
}

const path = { file_path: 'filePath' };

const patched = (input: Json): readonly Json[] =>
  input['tool_name'] === 'apply_patch' ? patchedFiles(input) : [];

export const opencode: Host = {
  name: 'opencode',
  title: 'opencode',
  verified: '1.18.33',
  program: 'opencode',
  spellings: [
    {
      id: 'opencode',
      events,
      otherEvents: [],
      fields: { transcript_path: null, permission_mode: null },
      tools: [
        { ours: 'Bash', theirs: 'bash', folder: 'workdir' },
        { ours: 'Read', theirs: 'read', fields: path },
        { ours: 'Write', theirs: 'write', fields: path },
        {
          ours: 'Edit',
          theirs: 'edit',
          fields: { ...path, old_string: 'oldString', new_string: 'newString', replace_all: 'replaceAll' },
        },
        { ours: 'Glob', theirs: 'glob' },
        { ours: 'Grep', theirs: 'grep', fields: { glob: 'include' } },
        { ours: 'WebFetch', theirs: 'webfetch' },
        { ours: 'WebSearch', theirs: 'websearch' },
      ],
      partsOf: patched,
      compileMatcher: () => () => true,
      read,
      write,
    },
  ],
  order: 'sequential',
  timeout: { unitMs: 1000, keys: [], seconds: 660 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { variable: 'XDG_CONFIG_HOME', folder: '.config', below: 'opencode' },
  files: [
    { layer: 'user', path: 'plugins/hookline.js', format: 'module' },
    { layer: 'project', path: '.opencode/plugins/hookline.js', format: 'module' },
  ],
  shape: 'own',
  own: plugin,
  commandKeys: ['command'],
  hasTypes: false,
  json: { comments: false, trailingCommas: false },
  newFile: {},
  trust:
    'opencode loads its plugins when it starts: restart it after install. With OPENCODE_PURE or --pure it loads none.',
  cannot: [
    'Its hooks are code: a plugin of ours calls hookline, and hookline runs no other plugins.',
    'A question is refused, the end of a turn cannot be delayed, and the end of the run cannot be asked for.',
    'A command that you type yourself, behind an exclamation mark, fires no hook.',
    'Tools of MCP servers have the name of their server before an underscore; a matcher such as mcp__github__* does not match them.',
  ],
};
