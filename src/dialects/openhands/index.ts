/** OpenHands, as the source of its SDK has its hooks: Claude Code's files, with events, fields and tools of its own. Not tried. */
import { patchedFiles } from '../codex/patch.js';
import type { Exit } from '../fault.js';
import { compilePattern, isObject, objectIn, text } from '../host/answers.js';
import { eventTable } from '../host/events.js';
import { readExit, writeExit } from '../host/exit-answers.js';
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

type Named = Omit<HostEvent, 'name' | 'matches'> & Partial<Pick<HostEvent, 'matches'>>;

const EVENTS: Readonly<Record<string, Named>> = {
  PreToolUse: { can: ['refuse'], matches: 'pattern', form: 'before-tool' },
  PostToolUse: { can: [], matches: 'pattern' },
  UserPromptSubmit: { can: ['refuse', 'context'], fields: { prompt: 'message' } },
  Stop: { can: ['refuse'], fields: { last_assistant_message: null } },
  SessionStart: { can: [] },
  SessionEnd: { can: [] },
};

/** A refusal counts with any exit code; of two reasons, the one in JSON. */
function read(exit: Exit, context: ReadContext): Answer {
  const answer = objectIn(exit.stdout.trim()) ?? {};
  const reason = text(answer['reason']);
  const { decision, continue: goesOn, additionalContext } = answer;
  const denies = typeof decision === 'string' && decision.toLowerCase() === 'deny';
  const refused = denies || ('continue' in answer && !goesOn) || exit.exitCode === 2;
  if (refused) return { refuse: reason ?? readExit({ ...exit, exitCode: 2 }, context).refuse };
  const added = text(additionalContext);
  return added === undefined ? {} : { context: added };
}

function write(answer: Answer): Written {
  const { refuse, context } = answer;
  if (refuse !== undefined || context === undefined) return writeExit({ refuse });
  return { exit: 0, stdout: { additionalContext: context } };
}

/** One tool of theirs views, creates and edits files. */
function editor(theirs: string): HostTool[] {
  const path = { file_path: 'path' };
  const edit = { ...path, old_string: 'old_str', new_string: 'new_str' };
  return [
    { ours: 'Read', theirs, fields: path, when: { command: 'view' } },
    { ours: 'Write', theirs, fields: { ...path, content: 'file_text' }, when: { command: 'create' } },
    { ours: 'Edit', theirs, fields: edit, when: { command: 'str_replace' } },
    { ours: 'Edit', theirs, fields: edit, when: { command: 'insert' } },
    { ours: 'Edit', theirs, fields: edit, when: { command: 'undo_edit' } },
  ];
}

const response: NonNullable<Spelling['response']> = {
  fromHost(value) {
    const content = isObject(value) ? value['content'] : undefined;
    if (!Array.isArray(content)) return value;
    return content.flatMap((part: unknown) => (isObject(part) ? (text(part['text']) ?? []) : [])).join('\n');
  },
  toHost: (value) => ({
    content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
    is_error: false,
  }),
};

/** Its hooks are compared with the whole name of a tool. */
function compileMatcher(pattern: string) {
  const [, inside] = /^\/(.+)\/$/s.exec(pattern) ?? [];
  if (inside !== undefined) return compilePattern(`^(?:${inside})$`, pattern);
  const literal = (subject: string): boolean => subject === pattern;
  if (!/[|.*+?[\]()^$\\]/.test(pattern)) return literal;
  try {
    return compilePattern(`^(?:${pattern})$`, pattern);
  } catch {
    return literal;
  }
}

/** An event has two names in a file; what it sends has one. */
function spelling(id: string, nameOf: (event: string) => string): Spelling {
  const named = Object.entries(EVENTS).map(([event, own]) => [event, { name: nameOf(event), ...own }]);
  return {
    id,
    events: eventTable(Object.fromEntries(named) as Record<string, Named>),
    otherEvents: [],
    fields: {
      hook_event_name: 'event_type',
      cwd: 'working_dir',
      tool_use_id: null,
      transcript_path: null,
      permission_mode: null,
    },
    added: (event) => ({ event_type: event }),
    tools: [
      { ours: 'Bash', theirs: 'terminal' },
      ...editor('file_editor'),
      ...editor('planning_file_editor'),
      { ours: 'Read', theirs: 'read_file' },
      { ours: 'Write', theirs: 'write_file' },
      { ours: 'Edit', theirs: 'edit' },
    ],
    response,
    partsOf: patched,
    compileMatcher,
    matchesNothing: (pattern, event) =>
      EVENTS[event]?.matches === undefined && pattern !== '' && pattern !== '*'
        ? `OpenHands compares the matcher ${JSON.stringify(pattern)} with the name of a tool, which this event does not have`
        : undefined,
    read,
    write,
  };
}

function patched(input: Json): readonly Json[] {
  const { tool_name, tool_input } = input;
  if (tool_name !== 'apply_patch' || !isObject(tool_input)) return [];
  return patchedFiles({ ...input, tool_input: { command: tool_input['patch'] } });
}

const snakeCase = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase();

export const openhands: Host = {
  name: 'openhands',
  title: 'OpenHands',
  verified: null,
  program: 'openhands',
  spellings: [spelling('openhands', snakeCase), spelling('openhands-pascal', (event) => event)],
  order: 'sequential',
  firstRefusalEnds: true,
  timeout: { unitMs: 1000, keys: ['timeout'], seconds: 60 },
  environment: (folder, session) => ({
    OPENHANDS_PROJECT_DIR: folder,
    OPENHANDS_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: folder,
  }),
  home: { folder: '.openhands' },
  files: [
    { layer: 'project', path: '.openhands/hooks.json', format: 'json' },
    { layer: 'user', path: 'hooks.json', format: 'json' },
  ],
  readsFirstFile: true,
  shape: 'groups',
  commandKeys: ['command'],
  refusesByExit: true,
  json: { comments: false, trailingCommas: false, eventsAtTop: true, onlyEvents: true },
  newFile: {},
  trust:
    'OpenHands reads the file of the user only where a project has none, and its server that of the project alone.',
  cannot: [
    'Nothing about OpenHands was tried: it is known from the source of its SDK alone.',
    'Hooks refuse before a tool, a prompt and the end of a turn, and add context to a prompt. A question or a changed input is refused; context after a tool and another output are lost.',
    'The tools of an MCP server have no server in their names.',
    'A hook that fails or takes too long lets the tool run; the bridge answers before that.',
  ],
};
