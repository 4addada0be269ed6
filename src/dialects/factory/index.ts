/** Factory droid, as its documentation describes its hooks: Claude Code's, with tools of its own. Not tried. */
import type { Exit } from '../fault.js';
import { compilePattern, isObject, NO_REASON, objectIn, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import type { Answer, Host, ReadContext, Written } from '../host/host.js';
import { inputToHost } from '../host/translate.js';

const events = eventTable({
  PreToolUse: {
    can: ['refuse', 'ask', 'allow', 'rewrite', 'stop', 'message'],
    matches: 'pattern',
    form: 'before-tool',
  },
  PostToolUse: { can: ['context', 'stop', 'message'], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse', 'context', 'stop', 'message'] },
  Stop: { can: ['refuse', 'stop', 'message'] },
  SubagentStop: { can: ['refuse', 'stop', 'message'] },
  SessionStart: { can: ['context', 'message'], matches: 'pattern' },
  SessionEnd: { can: ['message'], matches: 'pattern' },
  PreCompact: { can: ['message'], matches: 'pattern' },
  Notification: { can: ['message'] },
});

function read(exit: Exit, { own }: ReadContext): Answer {
  if (exit.exitCode === 2) return { refuse: text(exit.stderr.trim()) ?? NO_REASON };
  const answer = exit.exitCode === 0 ? objectIn(exit.stdout) : undefined;
  if (answer === undefined) return {};
  const specific = specificOf(answer);
  const word = specific['permissionDecision'];
  const reason = text(specific['permissionDecisionReason']) ?? text(answer['reason']) ?? NO_REASON;
  const context = text(specific['additionalContext']);
  const message = text(answer['systemMessage']);
  return {
    ...((word === 'deny' || answer['decision'] === 'block') && { refuse: reason }),
    ...(word === 'ask' && { ask: reason }),
    ...(word === 'allow' && own.can.includes('allow') && { allow: true }),
    ...(isObject(specific['updatedInput']) && { rewrite: specific['updatedInput'] }),
    ...(context !== undefined && { context }),
    ...(answer['continue'] === false && { stop: text(answer['stopReason']) ?? NO_REASON }),
    ...(message !== undefined && { message }),
  };
}

function write(answer: Answer, { own, input }: ReadContext): Written {
  const { refuse, ask, allow, rewrite, context, stop, message } = answer;
  const before = own.form === 'before-tool';
  const word =
    refuse !== undefined ? 'deny' : ask !== undefined ? 'ask' : allow || rewrite ? 'allow' : undefined;
  const specific = {
    ...(before && word !== undefined && { permissionDecision: word }),
    ...(before && (refuse ?? ask) !== undefined && { permissionDecisionReason: refuse ?? ask }),
    ...(rewrite !== undefined && {
      updatedInput: inputToHost(factory.spellings[0], input['tool_name'], rewrite),
    }),
    ...(context !== undefined && { additionalContext: context }),
  };
  const stdout = {
    ...(!before && refuse !== undefined && { decision: 'block', reason: refuse }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(message !== undefined && { systemMessage: message }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: own.name, ...specific } }),
  };
  return { exit: 0, stdout };
}

export const factory: Host = {
  name: 'factory',
  title: 'Factory droid',
  verified: null,
  program: 'droid',
  spellings: [
    {
      id: 'factory',
      events,
      otherEvents: [],
      fields: {},
      tools: [
        { ours: 'Bash', theirs: 'Execute' },
        { ours: 'Write', theirs: 'Create' },
      ],
      compileMatcher: (pattern) => compilePattern(pattern, pattern),
      read,
      write,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 60 },
  environment: (folder) => ({ FACTORY_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.factory' },
  files: [
    { layer: 'user', path: 'settings.json', format: 'json' },
    { layer: 'project', path: '.factory/settings.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  json: { comments: true, trailingCommas: true },
  newFile: {},
  cannot: ['Nothing about Factory droid was tried: it is known from its documentation alone.'],
};
