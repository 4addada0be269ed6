/** Codex CLI: its events, matchers, answers and files. */
import { rowOf } from '../../events/registry.js';
import type { Exit } from '../fault.js';
import { text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, HostEvent, Json, ReadContext, Written } from '../host/host.js';
import { inputToHost } from '../host/translate.js';
import { readStrictly } from './answer.js';
import { skippedByCodex } from './approval.js';
import { voidedByCodex } from './file.js';
import { compileMatcher } from './matcher.js';
import { patchedByShell, patchedFiles } from './patch.js';
import { switchedOffByCodex } from './switches.js';

const ownEvents = eventTable({
  PreToolUse: { can: ['refuse', 'rewrite', 'context', 'message'], matches: 'pattern', form: 'before-tool' },
  PermissionRequest: { can: ['refuse', 'allow', 'message'], matches: 'pattern', form: 'permission' },
  PostToolUse: { can: ['replace', 'context', 'message'], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse', 'context', 'stop', 'message'] },
  Stop: { can: ['refuse', 'stop', 'message'] },
  SubagentStart: { can: ['context', 'message'], matches: 'pattern' },
  SubagentStop: { can: ['refuse', 'stop', 'message'], matches: 'pattern' },
  SessionStart: { can: ['context', 'stop', 'message'], matches: 'pattern' },
  SessionEnd: { can: [], matches: 'pattern', timeout: { default: 1, max: 3 } },
  PreCompact: { can: ['stop', 'message'], matches: 'pattern' },
  PostCompact: { can: ['message'], matches: 'pattern' },
});

/** A failed tool is reported like one that succeeds. */
const events = {
  ...ownEvents,
  PostToolUseFailure: { ...ownEvents.PostToolUse, fields: { error: 'tool_response' } },
};

function read(exit: Exit, context: ReadContext): Answer {
  const { own } = context;
  if (exit.exitCode === 2) {
    const reason = text(exit.stderr.trim());
    if (reason === undefined) return { failure: 'it exited with code 2 and gave no reason on stderr' };
    return own.can.includes('replace') ? { replace: reason } : { refuse: reason };
  }
  if (exit.exitCode !== 0) return {};
  const said = exit.stdout.trim();
  if (said === '') return {};
  if (!/^[{[]/.test(said)) return readText(said, context.event, own);
  return readStrictly(said, context);
}

/** Text is context where a turn or an agent begins; where one ends it is a failure. */
function readText(said: string, event: ReadContext['event'], own: HostEvent): Answer {
  const { blocks, moment } = rowOf(event);
  if (own.can.includes('context') && !moment.startsWith('tool')) return { context: text(said) };
  return blocks === 'stopping' ? { failure: 'it printed text instead of an answer' } : {};
}

/** Only the fields that Codex knows: one more, and it ignores the whole answer. */
function write(answer: Answer, { own, input }: ReadContext): Written {
  const { refuse, allow, rewrite, replace, context, stop, message } = answer;
  const specific = {
    ...(own.form === 'before-tool' &&
      refuse !== undefined && { permissionDecision: 'deny', permissionDecisionReason: refuse }),
    ...(own.form === 'before-tool' &&
      refuse === undefined &&
      rewrite !== undefined && {
        permissionDecision: 'allow',
        updatedInput: inputToHost(codex.spellings[0], input['tool_name'], rewrite),
      }),
    ...(own.form === 'permission' &&
      refuse !== undefined && { decision: { behavior: 'deny', message: refuse } }),
    ...(own.form === 'permission' && refuse === undefined && allow && { decision: { behavior: 'allow' } }),
    ...(context !== undefined && { additionalContext: context }),
  };
  const blocks = replace ?? (own.can.includes('stop') ? refuse : undefined);
  const stdout = {
    ...(blocks !== undefined && { decision: 'block', reason: blocks }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(message !== undefined && { systemMessage: message }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: own.name, ...specific } }),
  };
  return { exit: 0, stdout };
}

function partsOf(input: Json): readonly Json[] {
  if (input['tool_name'] === 'Bash') return patchedByShell(input);
  return input['tool_name'] === 'apply_patch' ? patchedFiles(input) : [];
}

export const codex: Host = {
  name: 'codex',
  title: 'Codex CLI',
  verified: '0.166.0',
  program: 'codex',
  spellings: [
    {
      id: 'codex',
      events,
      otherEvents: [],
      fields: {},
      // Whatever the model's own tool for the shell is called.
      tools: [
        { ours: 'Bash', theirs: 'Bash' },
        { ours: 'Read', theirs: 'view_image', fields: { file_path: 'path' } },
      ],
      partsOf,
      compileMatcher,
      read,
      write,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 600, min: 1 },
  environment: () => ({}),
  home: { variable: 'CODEX_HOME', folder: '.codex' },
  files: [
    { layer: 'user', path: 'hooks.json', format: 'json' },
    { layer: 'user', path: 'config.toml', format: 'toml' },
    { layer: 'project', path: '.codex/hooks.json', format: 'json' },
    { layer: 'project', path: '.codex/config.toml', format: 'toml' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  usesBash: true,
  types: ['command'],
  runsInBackground: true,
  runsDuplicates: true,
  voids: voidedByCodex,
  switchedOff: switchedOffByCodex,
  json: { comments: false, trailingCommas: false, keys: ['hooks', 'description'] },
  newFile: {},
  skips: skippedByCodex,
  trust:
    'Codex skips hooks that are not approved, without a word. Start it in a terminal and approve them with /hooks; hooks of a project also need a trusted project.',
  cannot: [
    'A question cannot be asked: it is refused.',
    'What is typed into a command that runs already (write_stdin) fires no hook.',
    'A run cannot be ended before a tool: the tool is refused, and the run goes on.',
    'There is no event for notifications, and a tool that fails is reported like one that succeeds.',
    'A hook that runs longer than its timeout lets the tool run; the bridge answers before that.',
    'A hook on Stop that always refuses is not stopped by Codex.',
  ],
};
