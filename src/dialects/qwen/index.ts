/** Qwen Code: its events, matchers, answers and files. */
import type { Exit } from '../fault.js';
import { isObject, NO_REASON, parsed, patternOrLiteral, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, Json, ReadContext, Written } from '../host/host.js';
import { llmText } from '../host/llm-content.js';

const events = eventTable({
  PreToolUse: { can: ['refuse', 'ask', 'allow'], matches: 'pattern', form: 'before-tool' },
  PermissionRequest: { can: ['refuse', 'allow'], matches: 'pattern', form: 'permission' },
  PostToolUse: { can: ['replace', 'context'], matches: 'pattern' },
  PostToolUseFailure: { can: ['context'], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse', 'context'] },
  Stop: { can: ['refuse'] },
  SubagentStart: { can: ['context'], matches: 'pattern' },
  SubagentStop: { can: ['refuse'], matches: 'pattern' },
  // Headless, neither of these two was fired.
  SessionStart: { can: ['context'], matches: 'pattern' },
  SessionEnd: { can: [], matches: 'pattern' },
  PreCompact: { can: ['context'], matches: 'text' },
  PostCompact: { can: [], matches: 'text' },
  Notification: { can: [], matches: 'text' },
  StopFailure: { can: [], matches: 'text' },
  PermissionDenied: { can: [], matches: 'pattern' },
  PostToolBatch: { can: [] },
});

/** With exit code 2 only stderr counts; with any other code, stdout or else stderr. Text refuses with code 2 only. */
function read(exit: Exit, context: ReadContext): Answer {
  const refuses = exit.exitCode === 2;
  const said = refuses ? exit.stderr.trim() : exit.stdout.trim() || exit.stderr.trim();
  if (said === '') return {};
  const once = parsed(said);
  const answer = typeof once === 'string' ? parsed(once) : once;
  if (answer === undefined) return refuses ? { refuse: text(said) } : {};
  return isObject(answer) ? readObject(answer, context) : {};
}

const WORDS: Readonly<Record<string, 'refuse' | 'ask' | 'allow'>> = {
  deny: 'refuse',
  block: 'refuse',
  ask: 'ask',
  allow: 'allow',
  approve: 'allow',
};

function readObject(answer: Json, { own }: ReadContext): Answer {
  const specific = specificOf(answer);
  if (own.form === 'permission') return readPermission(specific);
  const context = text(specific['additionalContext']);
  const rest = {
    ...(isObject(specific['updatedInput']) && { rewrite: specific['updatedInput'] }),
    ...(isObject(specific['tool_input']) && { rewrite: specific['tool_input'] }),
    ...(context !== undefined && { context }),
  };
  if (own.form === 'before-tool') return { ...rest, ...readDecision(answer, specific) };
  const why = text(answer['stopReason']) ?? text(answer['reason']) ?? NO_REASON;
  const ends = answer['continue'] === false;
  // It never ends a run: it refuses what the event asks about, and after a tool it hides the output.
  if (ends && own.can.includes('replace')) return { replace: why };
  const refuses = ends || answer['decision'] === 'deny' || answer['decision'] === 'block';
  return refuses && own.can.includes('refuse') ? { refuse: why } : rest;
}

/** The permission of the event outranks the general decision. A word that is not known there is no permission. */
function readDecision(answer: Json, specific: Json): Answer {
  const { hookSpecificOutput = null } = answer;
  if (hookSpecificOutput && typeof hookSpecificOutput !== 'object')
    return { failure: '`hookSpecificOutput` is not an object, so Qwen Code ignores the whole answer' };
  const permission = specific['permissionDecision'];
  const isPermission = permission === 'deny' || permission === 'ask' || permission === 'allow';
  const word = WORDS[String(isPermission ? permission : answer['decision'])];
  const why = text(answer['stopReason']) ?? text(answer['reason']) ?? NO_REASON;
  const reason = text(specific['permissionDecisionReason']) ?? text(answer['reason']) ?? why;
  if (word === 'refuse') return { refuse: reason };
  if (word === 'ask') return { ask: reason };
  if (answer['continue'] === false) return { refuse: why };
  return word === 'allow' ? { allow: true } : {};
}

/** A decision that does not allow refuses. */
function readPermission({ decision }: Json): Answer {
  if (!isObject(decision)) return {};
  return decision['behavior'] === 'allow'
    ? { allow: true }
    : { refuse: text(decision['message']) ?? NO_REASON };
}

function write({ refuse, ask, context, allow, replace }: Answer, { own }: ReadContext): Written {
  if (own.form === 'permission') return { exit: 0, stdout: permission(own.name, refuse, allow) };
  const decision = refuse !== undefined ? 'deny' : ask !== undefined ? 'ask' : allow ? 'allow' : undefined;
  const specific = {
    ...(own.form === 'before-tool' && decision !== undefined && { permissionDecision: decision }),
    ...(own.form === 'before-tool' &&
      (refuse ?? ask) !== undefined && { permissionDecisionReason: refuse ?? ask }),
    ...(context !== undefined && { additionalContext: context }),
  };
  const stdout = {
    // With several hooks, the general decision of one cannot be undone by another.
    ...(refuse !== undefined && { decision: 'block', reason: refuse }),
    ...(replace !== undefined && { continue: false, stopReason: replace }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: own.name, ...specific } }),
  };
  return { exit: 0, stdout };
}

function permission(name: string, refuse: string | undefined, allow: boolean | undefined): Json {
  const decision =
    refuse !== undefined ? { behavior: 'deny', message: refuse } : allow ? { behavior: 'allow' } : undefined;
  return decision === undefined ? {} : { hookSpecificOutput: { hookEventName: name, decision } };
}

export const qwen: Host = {
  name: 'qwen',
  title: 'Qwen Code',
  verified: '0.15.10',
  program: 'qwen',
  spellings: [
    {
      id: 'qwen',
      events,
      otherEvents: ['TodoCreated', 'TodoCompleted'],
      fields: {},
      tools: [
        { ours: 'Bash', theirs: 'run_shell_command', folder: 'directory' },
        // A command whose output it watches.
        { ours: 'Bash', theirs: 'monitor', folder: 'directory' },
        { ours: 'Read', theirs: 'read_file' },
        { ours: 'Write', theirs: 'write_file' },
        { ours: 'Edit', theirs: 'edit' },
        { ours: 'Glob', theirs: 'glob' },
        { ours: 'LS', theirs: 'list_directory' },
        { ours: 'Grep', theirs: 'grep_search' },
        { ours: 'WebFetch', theirs: 'web_fetch' },
        { ours: 'WebSearch', theirs: 'web_search' },
      ],
      added: () => ({ timestamp: new Date().toISOString() }),
      response: llmText,
      // After each round of tools it submits a prompt that is empty.
      isEmpty: (_event, { prompt }) => prompt === '',
      // It is true on the very first Stop.
      unreliable: { stop_hook_active: false },
      compileMatcher: patternOrLiteral,
      read,
      write,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1, keys: ['timeout'], inTexts: true, seconds: 60 },
  environment: (folder) => ({
    QWEN_PROJECT_DIR: folder,
    GEMINI_PROJECT_DIR: folder,
    CLAUDE_PROJECT_DIR: folder,
  }),
  home: { folder: '.qwen' },
  files: [
    { layer: 'project', path: '.qwen/settings.json', format: 'json' },
    { layer: 'user', path: 'settings.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  usesBash: true,
  types: ['command'],
  runsInBackground: true,
  skipsNamesakes: true,
  switchedOff: ({ disableAllHooks }) => (disableAllHooks === true ? [{ key: 'disableAllHooks' }] : []),
  json: { comments: true, trailingCommas: false },
  newFile: {},
  cannot: [
    'A rewritten input has no effect, so it is refused.',
    'A run cannot be ended: the tool is refused, and the run goes on.',
    'A refusal after a tool has no effect; its output can be replaced.',
    'Context before a tool has no effect.',
    'SessionStart and SessionEnd are not fired without a terminal.',
    'A hook that runs longer than its timeout lets the tool run; the bridge answers before that.',
  ],
};
