/** The CLI of Abacus.AI, whose documentation says that its hooks have Claude Code's format. Not tried. */
import type { Exit } from '../fault.js';
import { compilePattern, NO_REASON, objectIn, specificOf, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { readExit, writeExit } from '../host/exit-answers.js';
import type { Answer, Host, ReadContext } from '../host/host.js';

// Its documentation names these four; only what it says of exit codes is used.
const events = eventTable({
  PreToolUse: { can: ['refuse'], matches: 'pattern', form: 'before-tool' },
  PostToolUse: { can: [], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse'] },
  Stop: { can: ['refuse'] },
});

function read(exit: Exit, context: ReadContext): Answer {
  const answer = exit.exitCode === 0 ? objectIn(exit.stdout.trim()) : undefined;
  if (answer === undefined) return readExit(exit, context);
  const { permissionDecision, permissionDecisionReason } = specificOf(answer);
  if (permissionDecision !== 'deny' && answer['decision'] !== 'block') return {};
  return { refuse: text(permissionDecisionReason) ?? text(answer['reason']) ?? NO_REASON };
}

/** Names with bars or commas between them; anything else is an expression. */
function compileMatcher(pattern: string) {
  if (!/^[\w\-\s|,]*$/.test(pattern)) return compilePattern(pattern, pattern);
  const names = pattern.split(/[|,]/).map((name) => name.trim());
  return (subject: string): boolean => names.includes(subject);
}

export const abacus: Host = {
  name: 'abacus',
  title: 'Abacus AI CLI',
  verified: null,
  program: 'abacusai',
  spellings: [
    {
      id: 'abacus',
      events,
      otherEvents: [],
      fields: {},
      tools: [
        { ours: 'Bash', theirs: 'Bash' },
        { ours: 'Read', theirs: 'Read' },
        { ours: 'Write', theirs: 'Write' },
        { ours: 'Edit', theirs: 'Edit' },
      ],
      compileMatcher,
      read,
      write: writeExit,
    },
  ],
  order: 'parallel',
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 600 },
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder }),
  home: { folder: '.abacusai' },
  files: [
    { layer: 'user', path: 'config.json', format: 'json' },
    { layer: 'project', path: '.abacusai/config.json', format: 'json' },
  ],
  shape: 'groups',
  commandKeys: ['command'],
  refusesByExit: true,
  // Not documented: what either reading of a file would lose is refused.
  json: { comments: false, trailingCommas: false },
  newFile: {},
  trust:
    'Abacus AI CLI runs the hooks of a project in a workspace that it trusts, and none if disableAllHooks is true in one of its files.',
  cannot: [
    'Nothing about Abacus AI CLI was tried: it is known from its documentation alone.',
    'Hooks refuse before a tool, a prompt and the end of a turn. A question or a changed input is refused; context and another output are lost.',
    'Other events of it are not known here, and have no entries.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
