/**
 * Cline, whose hooks are programs in a folder, each named after its event. Its extension and its CLI read the same files
 * and send different inputs.
 */
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { isObject, NO_REASON, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, HostTool, Json, OwnFiles, Spelling, Written } from '../host/host.js';
import { commandsIn, filesIn } from './calls.js';

/** The exit code means nothing: only what is printed counts. */
function read({ stdout }: Exit): Answer {
  const answer = objectIn(stdout.trim());
  if (answer === undefined) return {};
  const reason = text(answer['errorMessage']);
  const context = text(answer['contextModification']);
  if (answer['cancel'] === true) return { refuse: reason ?? context ?? NO_REASON };
  return context === undefined ? {} : { context };
}

function write({ refuse, context }: Answer): Written {
  if (refuse !== undefined) return { exit: 0, stdout: { cancel: true, errorMessage: refuse } };
  if (context === undefined) return { exit: 0 };
  return { exit: 0, stdout: { cancel: false, contextModification: context } };
}

const path = { file_path: 'path' };
const editor = { ...path, new_string: 'new_text' };

const tools: readonly HostTool[] = [
  { ours: 'Bash', theirs: 'run_commands', fields: { command: 'commands.0' } },
  { ours: 'Read', theirs: 'read_files', fields: { file_path: 'files.0.path' } },
  { ours: 'Edit', theirs: 'editor', fields: { ...editor, old_string: 'old_text' } },
  { ours: 'Write', theirs: 'editor', fields: { ...path, content: 'new_text' } },
  // Those of its older versions.
  { ours: 'Bash', theirs: 'execute_command' },
  { ours: 'Read', theirs: 'read_file', fields: path },
  { ours: 'Write', theirs: 'write_to_file', fields: path },
  { ours: 'Edit', theirs: 'replace_in_file', fields: path },
];

/** One call runs several commands, or reads several files. */
function inputOf(name: unknown, given: unknown): Json {
  const commands = name === 'run_commands' ? commandsIn(given) : [];
  if (commands.length > 0) return { tool_input: { command: commands.join('\n') } };
  const files = name === 'read_files' ? filesIn(given) : [];
  return files.length > 0 ? { tool_input: { files: files.map((file) => ({ path: file })) } } : {};
}

/** The extension sends each field of a tool's input as a text. */
function fromTexts({ preToolUse, postToolUse }: Json): Json {
  const { toolName, parameters } = (preToolUse ?? postToolUse ?? {}) as Json;
  return isObject(parameters) ? inputOf(toolName, parameters) : {};
}

const fromCall = ({ tool_call: before, tool_result: after }: Json): Json => {
  const { name, input } = (before ?? after ?? {}) as Json;
  return inputOf(name, input);
};

/** The first file is that of the call itself. */
function partsOf(input: Json): readonly Json[] {
  const { tool_name, tool_input } = input;
  if (tool_name === 'apply_patch') return patchedFiles(input);
  const files = tool_name === 'Read' && isObject(tool_input) ? filesIn(tool_input).slice(1) : [];
  return files.map((file_path) => ({ ...input, tool_input: { file_path } }));
}

const mcp: NonNullable<Spelling['mcp']> = {
  fromHost(name) {
    const [, server, tool] = /^(?!mcp__)([^_]\S*?)__(\S+)$/.exec(name) ?? [];
    return tool === undefined ? undefined : `mcp__${server}__${tool}`;
  },
  toHost(name) {
    const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    return tool === undefined ? undefined : `${server}__${tool}`;
  },
};

const shared = {
  otherEvents: ['TaskResume', 'TaskError', 'SessionShutdown'],
  tools,
  mcp,
  partsOf,
  compileMatcher: () => () => true,
  read,
  write,
} satisfies Partial<Spelling>;

const common = {
  session_id: 'taskId',
  cwd: 'workspaceRoots.0',
  transcript_path: null,
  permission_mode: null,
};
const before = { form: 'before-tool', can: ['refuse', 'context'] } as const;
const stop = { can: [], fields: { last_assistant_message: null } } as const;

const extension: Spelling = {
  ...shared,
  id: 'cline',
  events: eventTable({
    PreToolUse: {
      ...before,
      fields: { tool_name: 'preToolUse.toolName', tool_input: 'preToolUse.parameters' },
    },
    PostToolUse: {
      can: ['context'],
      fields: {
        tool_name: 'postToolUse.toolName',
        tool_input: 'postToolUse.parameters',
        tool_response: 'postToolUse.result',
      },
    },
    UserPromptSubmit: { can: ['refuse'], fields: { prompt: 'userPromptSubmit.prompt' } },
    SessionStart: { name: 'TaskStart', can: [] },
    SessionEnd: { name: 'TaskCancel', can: [] },
    Stop: { name: 'TaskComplete', ...stop },
    PreCompact: { can: [], fields: { custom_instructions: null }, notInstalled: 'neither fires it' },
    Notification: { can: [], notInstalled: 'neither fires it' },
  }),
  fields: { ...common, hook_event_name: 'hookName', tool_use_id: null },
  derived: fromTexts,
};

const cli: Spelling = {
  ...shared,
  id: 'cline-cli',
  events: eventTable({
    PreToolUse: {
      ...before,
      name: 'tool_call',
      fields: { tool_name: 'tool_call.name', tool_input: 'tool_call.input', tool_use_id: 'tool_call.id' },
    },
    PostToolUse: {
      name: 'tool_result',
      can: ['context'],
      fields: {
        tool_name: 'tool_result.name',
        tool_input: 'tool_result.input',
        tool_use_id: 'tool_result.id',
        tool_response: 'tool_result.output',
      },
    },
    // It does not wait for the hooks of these.
    UserPromptSubmit: { name: 'prompt_submit', can: [], fields: { prompt: 'userPromptSubmit.prompt' } },
    SessionStart: { name: 'agent_start', can: [] },
    SessionEnd: { name: 'agent_abort', can: [] },
    Stop: { name: 'agent_end', ...stop },
  }),
  fields: { ...common, hook_event_name: 'hookName' },
  installed: false,
  derived: fromCall,
};

const HEAD = '#!/bin/sh\n# Made by hookline install, which writes it anew; hookline uninstall removes it.\n';

const own: OwnFiles = {
  perEvent: true,
  write: ([entry]) => `${HEAD}${entry?.line ?? ''}\n`,
  linesIn(content) {
    const [, name] = /hook --host cline --event (\w+)/.exec(content) ?? [];
    const line = content.startsWith('#!/bin/sh\n') ? content.split('\n')[2] : undefined;
    return name === undefined || line === undefined ? undefined : { [name]: line };
  },
  start: (file) => [file],
};

export const cline: Host = {
  name: 'cline',
  title: 'Cline',
  verified: '3.0.65',
  program: 'cline',
  spellings: [extension, cli],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: [], seconds: 30, max: 30 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { folder: 'Documents', below: 'Cline' },
  files: [
    { layer: 'user', path: 'Hooks/*', format: 'script' },
    { layer: 'project', path: '.clinerules/hooks/*', format: 'script' },
  ],
  shape: 'own',
  own,
  commandKeys: ['command'],
  hasTypes: false,
  json: { comments: false, trailingCommas: false },
  newFile: {},
  trust: 'The extension of Cline runs hooks if they are enabled in its settings; its CLI runs them always.',
  cannot: [
    'The CLI was tried. The extension was not: it is known from its source.',
    'A refusal ends the task, and people read the reason; the model does not go on.',
    'A question or a changed input is refused. Another output cannot be given. Its CLI does not wait for hooks of prompts.',
    'Hooks have no matchers there, and no Windows. One program for each event: yours and ours cannot stand in one folder.',
    'A hook that fails or takes longer than 30 s lets the tool run; the bridge answers before that.',
  ],
};
