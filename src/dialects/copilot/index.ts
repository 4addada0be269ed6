/** GitHub Copilot CLI: its events in two spellings, matchers, answers and files. */
import { show } from '../../base/errors.js';
import type { JsonNode } from '../../config/json-file.js';
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { compilePattern, isObject, NO_REASON, objectIn, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type {
  Answer,
  Host,
  HostEvent,
  HostTool,
  Json,
  ReadContext,
  Spelling,
  Voided,
  Written,
} from '../host/host.js';
import { hostName, inputToHost } from '../host/translate.js';
import { skippedByCopilot } from './approval.js';

const BEFORE: Pick<HostEvent, 'can' | 'matches' | 'form' | 'endsAt'> = {
  can: ['refuse', 'ask', 'allow', 'rewrite', 'context'],
  matches: 'pattern',
  form: 'before-tool',
  endsAt: ['deny', 'ask'],
};

/** `replace`: its `modifiedResult`, or a block, which hides the result. */
const AFTER: Pick<HostEvent, 'can' | 'matches' | 'endsAt'> = {
  can: ['replace', 'context'],
  matches: 'pattern',
  endsAt: ['deny'],
};
const FAILED: Pick<HostEvent, 'can' | 'matches'> = { can: ['context'], matches: 'pattern' };

/** This event has the same form in both spellings. */
const PERMISSION: Omit<HostEvent, 'name'> = {
  can: ['refuse', 'allow', 'stop'],
  matches: 'pattern',
  form: 'permission',
  fields: {
    session_id: 'sessionId',
    tool_name: 'toolName',
    tool_input: 'toolInput',
    permission_suggestions: 'permissionSuggestions',
    hook_event_name: null,
  },
};

const PROMPT: Pick<HostEvent, 'can'> = { can: ['refuse', 'context'] };
const COMPACT: Pick<HostEvent, 'can' | 'fields'> = { can: [], fields: { custom_instructions: null } };
const STOP_FIELDS = { last_assistant_message: null };

const camelCase: Spelling['events'] = eventTable({
  PreToolUse: { name: 'preToolUse', ...BEFORE },
  PermissionRequest: { name: 'permissionRequest', ...PERMISSION },
  PostToolUse: { name: 'postToolUse', ...AFTER, fields: { tool_response: 'toolResult' } },
  PostToolUseFailure: { name: 'postToolUseFailure', ...FAILED },
  UserPromptSubmit: { name: 'userPromptSubmitted', ...PROMPT },
  Stop: { name: 'agentStop', can: ['refuse'], fields: { ...STOP_FIELDS, transcript_path: 'transcriptPath' } },
  SubagentStart: { name: 'subagentStart', can: ['context'] },
  SubagentStop: { name: 'subagentStop', can: ['refuse'] },
  SessionStart: { name: 'sessionStart', can: ['context'] },
  SessionEnd: { name: 'sessionEnd', can: [] },
  PreCompact: { name: 'preCompact', ...COMPACT },
  Notification: { name: 'notification', can: [] },
});

const pascalCase = eventTable({
  PreToolUse: BEFORE,
  PermissionRequest: PERMISSION,
  PostToolUse: { ...AFTER, fields: { tool_response: 'tool_result' } },
  PostToolUseFailure: FAILED,
  UserPromptSubmit: PROMPT,
  Stop: { can: ['refuse'], fields: { ...STOP_FIELDS, transcript_path: 'transcript_path' } },
  SubagentStart: { can: ['context'] },
  SubagentStop: { can: ['refuse'] },
  SessionStart: { can: ['context'] },
  SessionEnd: { can: [] },
  PreCompact: COMPACT,
  Notification: { can: [] },
});

/**
 * Before a tool and where a permission is asked for, any exit code but 0 refuses, whatever is printed. After a tool that
 * failed, stderr of code 2 is context. On other events they do nothing.
 */
function readExit({ exitCode, signal, stderr }: Exit, { own }: ReadContext): Answer {
  // It does not pass on what the hook printed.
  if (own.form !== undefined) return { refuse: `The hook exited with code ${exitCode ?? signal}` };
  const hasFailed = own.matches === 'pattern' && !own.can.includes('replace');
  const said = hasFailed && exitCode === 2 ? text(stderr.trim()) : undefined;
  return said === undefined ? {} : { context: said };
}

/** Fields at the top level count in both spellings, those in `hookSpecificOutput` in the one of Claude Code before a tool. */
function readWith(nested: boolean): Spelling['read'] {
  return (exit: Exit, context) => {
    if (exit.exitCode !== 0) return readExit(exit, context);
    const answer = objectIn(exit.stdout);
    const { own } = context;
    if (answer === undefined) return own.form === 'permission' ? unreadable(exit) : {};
    const specific = nested && own.form === 'before-tool' ? specificOf(answer) : {};
    const shared = { ...contextOf({ ...answer, ...specific }), ...readShared(answer, own) };
    if (own.form !== 'before-tool') return shared;
    const rewrite = rewriteIn(specific['updatedInput'] ?? answer['modifiedArgs']);
    return { ...shared, ...permissionOf({ ...answer, ...specific }), ...(rewrite && { rewrite }) };
  };
}

/** Where a permission is asked for, what cannot be read refuses; nothing at all does not. */
const unreadable = ({ stdout }: Exit): Answer =>
  stdout.trim() === '' ? {} : { refuse: 'The permission hook gave no answer that can be read' };

/** It may be JSON in a text. */
const rewriteIn = (value: unknown): Json | undefined =>
  isObject(value) ? value : typeof value === 'string' ? objectIn(value) : undefined;

/** A prompt cannot be replaced here: the new one is added to it. */
function contextOf({ additionalContext, modifiedPrompt }: Json): Answer {
  const prompt = text(modifiedPrompt);
  const parts = [
    prompt === undefined ? undefined : `A hook replaced the prompt. Follow this one instead:\n${prompt}`,
    text(additionalContext),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? {} : { context: parts.join('\n\n') };
}

function permissionOf(fields: Json): Answer {
  const word = fields['permissionDecision'];
  const reason = text(fields['permissionDecisionReason']) ?? NO_REASON;
  return {
    ...(word === 'deny' && { refuse: reason }),
    ...(word === 'ask' && { ask: reason }),
    ...(word === 'allow' && { allow: true }),
  };
}

/** A block needs a reason. After a tool, the reason is all that the model reads. */
function readShared(answer: Json, { form, can }: HostEvent): Answer {
  if (form === 'permission') {
    const refuse = text(answer['message']) ?? NO_REASON;
    if (answer['behavior'] === 'deny')
      return { refuse, ...(answer['interrupt'] === true && { stop: refuse }) };
    return answer['behavior'] === 'allow' ? { allow: true } : {};
  }
  const reason = answer['decision'] === 'block' ? text(answer['reason']) : undefined;
  const replaces = can.includes('replace');
  if (reason !== undefined && replaces) return { replace: reason, context: undefined };
  if (reason !== undefined && form === undefined) return { refuse: reason };
  const result = isObject(answer['modifiedResult'])
    ? answer['modifiedResult']['textResultForLlm']
    : undefined;
  if (!replaces || typeof result !== 'string') return {};
  return { replace: text(result) ?? 'A hook removed the output', isNoRefusal: true };
}

/** Only a refusal can end the run. */
function permission({ refuse, allow, stop }: Answer): Json {
  const message = refuse ?? stop;
  if (message === undefined) return allow ? { behavior: 'allow' } : {};
  return { behavior: 'deny', message, ...(stop !== undefined && { interrupt: true }) };
}

function writeFor(nested: boolean): Spelling['write'] {
  return (answer: Answer, { own, input }: ReadContext): Written => {
    const { refuse, ask, allow, rewrite, replace, context } = answer;
    if (own.form === 'permission') return { exit: 0, stdout: permission(answer) };
    const spelling = copilot.spellings[nested ? 1 : 0] as Spelling;
    const word =
      refuse !== undefined ? 'deny' : ask !== undefined ? 'ask' : allow || rewrite ? 'allow' : undefined;
    const before = own.form === 'before-tool';
    const changed = rewrite === undefined ? undefined : inputToHost(spelling, input['tool_name'], rewrite);
    const fields = {
      ...(before && word !== undefined && { permissionDecision: word }),
      ...(before && (refuse ?? ask) !== undefined && { permissionDecisionReason: refuse ?? ask }),
      ...(changed !== undefined && { [nested ? 'updatedInput' : 'modifiedArgs']: changed }),
      ...(context !== undefined && { additionalContext: context }),
    };
    const stdout = {
      ...(!before && refuse !== undefined && { decision: 'block', reason: refuse }),
      ...(replace !== undefined && {
        modifiedResult: { resultType: 'success', textResultForLlm: replace },
      }),
      ...(!nested && fields),
      // It reads the field in the answer itself; agents in VS Code read the one for the event.
      ...(nested && !before && context !== undefined && { additionalContext: context }),
      ...(nested &&
        Object.keys(fields).length > 0 && { hookSpecificOutput: { hookEventName: own.name, ...fields } }),
    };
    return { exit: 0, stdout };
  };
}

/** Both forms of a tool's result. */
const response: NonNullable<Spelling['response']> = {
  fromHost(value) {
    const result = isObject(value) ? value : {};
    return result['textResultForLlm'] ?? result['text_result_for_llm'] ?? value;
  },
  toHost: (value) => ({
    resultType: 'success',
    textResultForLlm: typeof value === 'string' ? value : JSON.stringify(value),
  }),
};

const snakeResponse: NonNullable<Spelling['response']> = {
  ...response,
  toHost: (value) => ({
    result_type: 'success',
    text_result_for_llm: typeof value === 'string' ? value : JSON.stringify(value),
  }),
};

const fileFields = { file_path: 'path' };
const inFolders = { path: 'paths' };
/** Some models have other tools than the rest: a patch, which is a text, and another search. */
const patch: HostTool = { ours: 'apply_patch', theirs: 'apply_patch', text: 'input' };
const tools: readonly HostTool[] = [
  { ours: 'Bash', theirs: 'bash' },
  { ours: 'Read', theirs: 'view', fields: fileFields },
  { ours: 'Write', theirs: 'create', fields: { ...fileFields, content: 'file_text' } },
  { ours: 'Edit', theirs: 'edit', fields: { ...fileFields, old_string: 'old_str', new_string: 'new_str' } },
  { ours: 'Glob', theirs: 'glob', fields: inFolders },
  { ours: 'Grep', theirs: 'grep', fields: inFolders },
  { ours: 'Task', theirs: 'task' },
];

const camelTools: readonly HostTool[] = [...tools, { ours: 'Grep', theirs: 'rg', fields: inFolders }, patch];

/** In PascalCase they have Claude's names, and their own fields. */
const pascalTools: readonly HostTool[] = [
  { ...patch, theirs: 'Edit' },
  ...tools.map((tool) => ({ ...tool, theirs: tool.ours })),
  // Agents in VS Code read the same files, and call their tools so. Not tried.
  { ours: 'Bash', theirs: 'run_in_terminal' },
  { ours: 'Read', theirs: 'read_file', fields: { file_path: 'filePath' } },
  { ours: 'Write', theirs: 'create_file', fields: { file_path: 'filePath' } },
  {
    ours: 'Edit',
    theirs: 'replace_string_in_file',
    fields: { file_path: 'filePath', old_string: 'oldString', new_string: 'newString' },
  },
];

/** A patch as the files that it writes, and a search as one of each of its folders. */
function partsOf(input: Json): readonly Json[] {
  const { tool_name: name, tool_input: given } = input;
  if (name === 'apply_patch') return patchedFiles(input);
  if ((name !== 'Grep' && name !== 'Glob') || !isObject(given) || !Array.isArray(given['paths'])) return [];
  const { paths, ...rest } = given;
  return (paths as readonly unknown[]).map((path) => ({ ...input, tool_input: { ...rest, path } }));
}

const inCamelCase = (tool: unknown): string => hostName({ tools: camelTools } as unknown as Spelling, tool);

const anchored = (pattern: string) => compilePattern(`^(?:${pattern})$`, pattern);

/** `all`: the matchers that match everything elsewhere, and nothing here. */
const neverMatches =
  (events: Spelling['events'], all: readonly (string | null)[]): NonNullable<Spelling['matchesNothing']> =>
  (pattern, event) =>
    events[event]?.matches === 'pattern' && all.includes(pattern)
      ? `the matcher ${show(pattern)} matches nothing in Copilot CLI; leave it out to match every tool`
      : undefined;

const CLAUDE_SETTINGS = /[\\/]\.claude[\\/]settings(?:\.local)?\.json$/;

/** They switch off the hooks of all files; every other file, only its own. */
const PROJECT_SETTINGS =
  /[\\/](?:\.claude[\\/]settings(?:\.local)?|\.github[\\/]copilot[\\/]settings)\.json$/;

/** One of these voids the whole settings of Claude Code. */
function emptyMatcher(root: JsonNode): Voided | undefined {
  const groups = (root.get('hooks')?.entries() ?? []).flatMap(({ node }) => node.items());
  const matcher = groups.map((group) => group.get('matcher')).find((each) => each?.value === '');
  return matcher === undefined
    ? undefined
    : { what: 'a matcher is empty; leave it out', source: matcher.source };
}

export const copilot: Host = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  verified: '1.0.102',
  program: 'copilot',
  spellings: [
    {
      id: 'copilot',
      events: camelCase,
      otherEvents: ['errorOccurred'],
      fields: {
        session_id: 'sessionId',
        tool_name: 'toolName',
        tool_input: 'toolArgs',
        transcript_path: null,
        tool_use_id: null,
        permission_mode: null,
        hook_event_name: null,
      },
      tools: camelTools,
      partsOf,
      added: (ours) => ({
        timestamp: Date.now(),
        ...(camelCase[ours]?.form === 'permission' && { hookName: 'permissionRequest' }),
      }),
      response,
      compileMatcher: anchored,
      matchesNothing: neverMatches(camelCase, [null, '', '*']),
      read: readWith(false),
      write: writeFor(false),
    },
    {
      id: 'copilot-pascal',
      events: pascalCase,
      otherEvents: [],
      fields: { transcript_path: null, tool_use_id: null, permission_mode: null },
      tools: pascalTools,
      partsOf,
      added: (ours, { tool_name: tool }) =>
        camelCase[ours]?.form === 'permission'
          ? { timestamp: Date.now(), hookName: 'permissionRequest', toolName: inCamelCase(tool) }
          : { timestamp: new Date().toISOString() },
      response: snakeResponse,
      compileMatcher: (pattern) => {
        const matches = anchored(pattern);
        return (subject) => matches(subject) || matches(inCamelCase(subject));
      },
      matchesNothing: neverMatches(pascalCase, [null, '']),
      read: readWith(true),
      write: writeFor(true),
    },
  ],
  order: 'sequential',
  timeout: { unitMs: 1000, keys: ['timeoutSec', 'timeout'], seconds: 30 },
  environment: (folder) => ({ COPILOT_PROJECT_DIR: folder, COPILOT_CLI: '1', CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.copilot' },
  files: [
    { layer: 'user', path: 'hooks/*.json', format: 'json' },
    { layer: 'user', path: 'settings.json', format: 'json' },
    { layer: 'project', path: '.github/hooks/*.json', format: 'json' },
    { layer: 'project', path: '.github/hooks/*/*.json', format: 'json' },
    { layer: 'project', path: '.github/copilot/settings.json', format: 'json' },
    { layer: 'project', path: '.claude/settings.json', format: 'json' },
    { layer: 'project', path: '.claude/settings.local.json', format: 'json' },
  ],
  shape: 'entries',
  commandKeys: ['bash', 'command'],
  usesBash: true,
  switchedOff: ({ disableAllHooks }, { file }) =>
    disableAllHooks === true
      ? [{ key: 'disableAllHooks', ...(!PROJECT_SETTINGS.test(file) && { ofFile: true }) }]
      : [],
  voids(root) {
    const version = root.get('version');
    if (version !== undefined && version.value !== 1)
      return { what: `its version is ${show(version.value)}, not 1`, source: version.source };
    return CLAUDE_SETTINGS.test(root.source.file) ? emptyMatcher(root) : undefined;
  },
  json: { comments: true, trailingCommas: true },
  newFile: { version: 1 },
  runsClaudeSettings: true,
  skips: skippedByCopilot,
  trust:
    'Copilot CLI runs the hooks of a repository only in a folder that it trusts (--trust-folder, or approve it in a terminal). Hooks of the user always run.',
  cannot: [
    'A run cannot be ended: before a tool, the tool is refused.',
    'The exit code of a hook counts before a tool and where a permission is asked for.',
    'A hook that runs longer than its timeout lets the tool run; the bridge answers before that.',
  ],
};
