/** Gemini CLI: its events, matchers, answers and files. */
import type { Exit } from '../fault.js';
import { isObject, NO_REASON, parsed, patternOrLiteral, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, HostEvent, Json, ReadContext, Spelling, Written } from '../host/host.js';
import { llmText } from '../host/llm-content.js';
import { inputToHost } from '../host/translate.js';
import { plansFolder } from './plans.js';

const AFTER_TOOL: Partial<HostEvent> & Pick<HostEvent, 'can'> = {
  name: 'AfterTool',
  can: ['replace', 'context', 'stop', 'message'],
  matches: 'pattern',
};

const events = eventTable({
  PreToolUse: {
    name: 'BeforeTool',
    can: ['refuse', 'ask', 'allow', 'rewrite', 'stop', 'message'],
    matches: 'pattern',
    form: 'before-tool',
    mergesForNext: true,
  },
  PostToolUse: AFTER_TOOL,
  // A failed tool is AfterTool too: only the text says so.
  PostToolUseFailure: { ...AFTER_TOOL, fields: { error: 'tool_response' } },
  UserPromptSubmit: { name: 'BeforeAgent', can: ['refuse', 'context', 'stop', 'message'] },
  Stop: {
    name: 'AfterAgent',
    can: ['refuse', 'stop', 'message'],
    fields: { last_assistant_message: 'prompt_response' },
  },
  SessionStart: { can: ['context', 'message'], matches: 'text' },
  SessionEnd: { can: ['message'], matches: 'text' },
  PreCompact: {
    name: 'PreCompress',
    can: ['message'],
    matches: 'text',
    fields: { custom_instructions: null },
    notInstalled: 'Gemini CLI fires PreCompress before every call of the model, whether or not it compresses',
  },
  Notification: { can: ['message'] },
});

/** stderr is the answer if stdout is empty. Text is an answer too: a refusal, unless the exit code is 0 or 1. */
function read(exit: Exit, { own }: ReadContext): Answer {
  const said = exit.stdout.trim() || exit.stderr.trim();
  if (said === '') return {};
  const once = parsed(said);
  const answer = typeof once === 'string' ? parsed(once) : once;
  if (answer === undefined) return readText(said, exit.exitCode ?? 0, own);
  return isObject(answer) ? readObject(answer, own) : {};
}

function readText(said: string, exitCode: number, own: HostEvent): Answer {
  const refuses = exitCode !== 0 && exitCode !== 1;
  return refuses ? refusal(text(said), own) : { message: text(said) };
}

/** After a tool, a refusal hides its output. */
function refusal(reason = NO_REASON, { can }: HostEvent): Answer {
  return can.includes('replace') ? { replace: reason } : { refuse: reason };
}

/** Gemini CLI fails on anything but an object there, and forgets the answers of all hooks of the fire. */
const NO_SPECIFIC = '`hookSpecificOutput` is not an object, so Gemini CLI ignores the whole answer';

function readObject(answer: Json, own: HostEvent): Answer {
  const { decision, hookSpecificOutput = null } = answer;
  if (hookSpecificOutput && typeof hookSpecificOutput !== 'object') return { failure: NO_SPECIFIC };
  const specific = specificOf(answer);
  const reason = text(answer['reason']);
  const refused = decision === 'deny' || decision === 'block' ? refusal(reason, own) : {};
  const change = specific['tool_input'];
  const context = refused.replace === undefined ? text(specific['additionalContext']) : undefined;
  const message = text(answer['systemMessage']);
  return {
    ...refused,
    ...(decision === 'ask' && { ask: reason ?? NO_REASON }),
    ...((decision === 'allow' || decision === 'approve') && own.can.includes('allow') && { allow: true }),
    ...(answer['continue'] === false && { stop: text(answer['stopReason']) ?? reason ?? NO_REASON }),
    ...(isObject(change) && { rewrite: change }),
    ...(context !== undefined && { context }),
    ...(message !== undefined && { message }),
  };
}

function write(answer: Answer, { own, input }: ReadContext): Written {
  const { refuse, ask, allow, rewrite, replace, context, stop, message } = answer;
  const denied = refuse ?? replace;
  const specific = {
    ...(rewrite !== undefined && {
      tool_input: inputToHost(gemini.spellings[0], input['tool_name'], rewrite),
    }),
    ...(context !== undefined && { additionalContext: context }),
  };
  const stdout = {
    ...(denied !== undefined && { decision: 'deny', reason: denied }),
    ...(denied === undefined && ask !== undefined && { decision: 'ask', reason: ask }),
    ...(denied === undefined && ask === undefined && allow && { decision: 'allow' }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(message !== undefined && { systemMessage: message }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: own.name, ...specific },
    }),
  };
  return { exit: 0, stdout };
}

const inFolder = { path: 'dir_path' };

/** A tool of an MCP server is `mcp_server_tool`; which part is the server is in a field beside it. */
function serverTool({ mcp_context: context }: Json): Json {
  const { server_name: server, tool_name: tool } = isObject(context) ? context : {};
  return typeof server === 'string' && typeof tool === 'string'
    ? { tool_name: `mcp__${server}__${tool}` }
    : {};
}

const mcp: NonNullable<Spelling['mcp']> = {
  fromHost(name) {
    const [, server, tool] = /^mcp_(?!_)([^_]+)_(.+)$/.exec(name) ?? [];
    return tool === undefined ? undefined : `mcp__${server}__${tool}`;
  },
  toHost(name) {
    if (name === 'mcp__*') return 'mcp_*';
    const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    return tool === undefined ? undefined : `mcp_${server}_${tool}`;
  },
};

export const gemini: Host = {
  name: 'gemini',
  title: 'Gemini CLI',
  verified: '0.61.0',
  program: 'gemini',
  spellings: [
    {
      id: 'gemini',
      events,
      otherEvents: ['BeforeModel', 'AfterModel', 'BeforeToolSelection'],
      fields: { permission_mode: null, tool_use_id: null },
      tools: [
        { ours: 'Bash', theirs: 'run_shell_command', folder: 'dir_path' },
        { ours: 'Read', theirs: 'read_file' },
        { ours: 'Write', theirs: 'write_file' },
        { ours: 'Edit', theirs: 'replace' },
        { ours: 'Glob', theirs: 'glob', fields: inFolder },
        { ours: 'LS', theirs: 'list_directory', fields: inFolder },
        { ours: 'Grep', theirs: 'grep_search', fields: { ...inFolder, glob: 'include_pattern' } },
        // The old name, which its models still use; hooks get it as it is.
        { ours: 'Grep', theirs: 'search_file_content', fields: { ...inFolder, glob: 'include_pattern' } },
        { ours: 'WebFetch', theirs: 'web_fetch' },
        { ours: 'WebSearch', theirs: 'google_web_search' },
      ],
      mcp,
      derived: serverTool,
      added: () => ({ timestamp: new Date().toISOString() }),
      response: llmText,
      compileMatcher: patternOrLiteral,
      read,
      write,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1, keys: ['timeout'], inTexts: true, seconds: 60 },
  environment: (folder, session, transcript = '') => ({
    GEMINI_PROJECT_DIR: folder,
    GEMINI_CWD: folder,
    GEMINI_SESSION_ID: session,
    GEMINI_PLANS_DIR: plansFolder(folder, session, transcript),
    CLAUDE_PROJECT_DIR: folder,
  }),
  home: { folder: '.gemini' },
  files: [
    { layer: 'project', path: '.gemini/settings.json', format: 'json' },
    { layer: 'user', path: 'settings.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  usesBash: true,
  types: ['command', 'plugin'],
  takesOneGroup: true,
  switchedOff({ hooksConfig }) {
    const { enabled, disabled } = isObject(hooksConfig) ? hooksConfig : {};
    if (enabled === false) return [{ key: 'hooksConfig.enabled' }];
    return Array.isArray(disabled) ? [{ key: 'hooksConfig.disabled', names: disabled.map(String) }] : [];
  },
  json: { comments: true, trailingCommas: false },
  newFile: {},
  trust:
    'In a folder that Gemini CLI does not trust, it ends before any hook runs. With folder trust switched off, hooks run at once.',
  cannot: [
    'Context before a tool has no effect.',
    'A tool that fails is reported like one that succeeds.',
    'A hook that runs longer than its timeout lets the tool run; the bridge answers before that.',
    'A hook on AfterAgent that always refuses is not stopped by Gemini CLI.',
  ],
};
