/** GitHub Copilot CLI: its events in two spellings, matchers, answers and files. */
import { show } from '../../base/errors.js';
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
  Written,
} from '../host/host.js';
import { hostName, inputToHost } from '../host/translate.js';
import { skippedByCopilot } from './approval.js';

const BEFORE: Pick<HostEvent, 'can' | 'matches' | 'form'> = {
  can: ['refuse', 'ask', 'allow', 'rewrite', 'context'],
  matches: 'pattern',
  form: 'before-tool',
};

/** `replace`: its `modifiedResult`, or a block, which hides the result. */
const AFTER: Pick<HostEvent, 'can' | 'matches'> = { can: ['replace', 'context'], matches: 'pattern' };
const FAILED: Pick<HostEvent, 'can' | 'matches'> = { can: ['context'], matches: 'pattern' };

/** This event has the same form in both spellings. */
const PERMISSION: Omit<HostEvent, 'name'> = {
  can: ['refuse', 'allow'],
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

/** Before a tool, any exit code but 0 refuses, whatever is printed. On other events it does nothing. */
function readWith(opinion: (answer: Json, context: ReadContext) => Answer): Spelling['read'] {
  return (exit: Exit, context) => {
    if (exit.exitCode !== 0) {
      // It does not pass on what the hook printed.
      const reason = `The hook exited with code ${exit.exitCode ?? exit.signal}`;
      return context.own.form === 'before-tool' ? { refuse: reason } : {};
    }
    const answer = objectIn(exit.stdout);
    return answer === undefined ? {} : opinion(answer, context);
  };
}

/** The fields are at the top level. */
function readFlat(answer: Json, { own }: ReadContext): Answer {
  const shared = { ...readShared(answer, own), ...contextOf(answer) };
  if (own.form !== 'before-tool') return shared;
  return { ...shared, ...permissionOf(answer, answer['modifiedArgs']) };
}

/** The permission is in `hookSpecificOutput`, as in Claude Code. */
function readNested(answer: Json, { own }: ReadContext): Answer {
  const specific = specificOf(answer);
  const shared = { ...readShared(answer, own), ...contextOf(answer), ...contextOf(specific) };
  if (own.form !== 'before-tool') return shared;
  return { ...shared, ...permissionOf(specific, specific['updatedInput'] ?? answer['modifiedArgs']) };
}

function contextOf(fields: Json): Answer {
  const context = text(fields['additionalContext']);
  return context === undefined ? {} : { context };
}

function permissionOf(fields: Json, rewrite: unknown): Answer {
  const word = fields['permissionDecision'];
  const reason = text(fields['permissionDecisionReason']) ?? NO_REASON;
  return {
    ...(word === 'deny' && { refuse: reason }),
    ...(word === 'ask' && { ask: reason }),
    ...(word === 'allow' && { allow: true }),
    ...(isObject(rewrite) && { rewrite }),
  };
}

function readShared(answer: Json, { form, can }: HostEvent): Answer {
  const reason = text(answer['reason']) ?? NO_REASON;
  const result = isObject(answer['modifiedResult']) ? answer['modifiedResult'] : {};
  const replaced = text(result['textResultForLlm'] ?? result['text_result_for_llm']);
  if (form === 'permission') {
    if (answer['behavior'] === 'deny') return { refuse: text(answer['message']) ?? NO_REASON };
    return answer['behavior'] === 'allow' ? { allow: true } : {};
  }
  if (can.includes('replace') && answer['decision'] === 'block') return { replace: reason };
  if (replaced !== undefined) return { replace: replaced };
  return answer['decision'] === 'block' && form === undefined ? { refuse: reason } : {};
}

function writeFor(nested: boolean): Spelling['write'] {
  return (answer: Answer, { own, input }: ReadContext): Written => {
    const { refuse, ask, allow, rewrite, replace, context } = answer;
    if (own.form === 'permission') {
      const decision =
        refuse !== undefined ? { behavior: 'deny', message: refuse } : allow && { behavior: 'allow' };
      return { exit: 0, stdout: decision || {} };
    }
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

const neverMatches = (pattern: string): string | undefined =>
  pattern === '' || pattern === '*'
    ? `the matcher ${show(pattern)} matches nothing in Copilot CLI; leave it out to match every tool`
    : undefined;

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
      matchesNothing: neverMatches,
      read: readWith(readFlat),
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
      read: readWith(readNested),
      write: writeFor(true),
    },
  ],
  order: 'sequential',
  firstRefusalEnds: true,
  timeout: { unitMs: 1000, keys: ['timeoutSec', 'timeout'], seconds: 30 },
  environment: (folder) => ({ COPILOT_PROJECT_DIR: folder, COPILOT_CLI: '1', CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.copilot' },
  files: [
    { layer: 'user', path: 'hooks/*.json', format: 'json' },
    { layer: 'project', path: '.github/hooks/*.json', format: 'json' },
  ],
  shape: 'entries',
  commandKeys: ['bash', 'command'],
  json: { comments: true, trailingCommas: true },
  newFile: { version: 1 },
  runsClaudeSettings: true,
  skips: skippedByCopilot,
  trust:
    'Copilot CLI runs the hooks of a repository only in a folder that it trusts (--trust-folder, or approve it in a terminal). Hooks of the user always run.',
  cannot: [
    'A run cannot be ended: before a tool, the tool is refused.',
    'The exit code of a hook counts before a tool only.',
    'A hook that runs longer than its timeout lets the tool run; the bridge answers before that.',
  ],
};
