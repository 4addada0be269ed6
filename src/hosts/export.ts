/**
 * The hooks of a folder as a host's own configuration, for those who do not want the bridge. Guards made with `guard` of
 * hookline/guard answer in the host's format by themselves, if they know which host it is.
 */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isOfWorkspace, type LoadedGroup, type LoadedHook } from '../config/loaded.js';
import type { Host, HostEvent, Json, Spelling } from '../dialects/host/host.js';
import { valueAt } from '../dialects/host/path.js';
import { hostNames, toHost } from '../dialects/host/translate.js';
import type { AnyEvent } from '../events/types.js';
import type { NamedEvent } from './decode.js';
import { installedSpellings } from './install/entry.js';
import { fromFolderWith, orAnswer } from './shell-line.js';

export interface Exported {
  readonly config: Json;
  /** What cannot be expressed, with the file and line. */
  readonly cannot: readonly string[];
}

/** `workspace`: the folder that relative paths of commands start from. */
export function exportHooks(host: Host, groups: readonly LoadedGroup[], workspace: string): Exported {
  if (host.shape === 'own')
    return {
      config: {},
      cannot: [`${host.title} has no list of commands to print. Use hookline install --host ${host.name}.`],
    };
  const hooks: Record<string, Json[]> = {};
  const cannot: string[] = [];
  for (const group of groups) {
    for (const hook of group.hooks) {
      const { problems, entries } = exportHook(host, group, hook, workspace);
      const { file, line } = hook.source;
      cannot.push(...problems.map((problem) => `${file}:${line}: ${problem}: ${hook.description}`));
      for (const { name, entry } of entries) hooks[name] = [...(hooks[name] ?? []), entry];
    }
  }
  const list = Object.entries(hooks).flatMap(([event, own]) => own.map((entry) => ({ event, ...entry })));
  return { config: { ...host.newFile, hooks: host.shape === 'list' ? list : hooks }, cannot };
}

interface ExportedHook {
  readonly problems: readonly string[];
  /** By the host's name of the event. */
  readonly entries: readonly { readonly name: string; readonly entry: Json }[];
}

function exportHook(host: Host, group: LoadedGroup, hook: LoadedHook, workspace: string): ExportedHook {
  const problems = problemsOf(group, hook);
  const line = commandOf(hook);
  const guard = line === undefined ? undefined : guardIn(line, workspace);
  const translates = guard !== undefined;
  const places = placesFor(host, group, translates);
  const [first] = places;
  if (first === undefined)
    return { problems: [`${host.title} has no event for ${group.event}`], entries: [] };
  const entries = places.flatMap(({ spelling, own }) => {
    const seconds = secondsOf(host, own, group, hook);
    const named = { spelling, event: group.event };
    const written = translates ? guardLine(host, named, own, seconds, guard) : line;
    return written === undefined
      ? []
      : [{ name: own.name, entry: entryOf(host, own, group, written, seconds) }];
  });
  const ignored =
    translates || line === undefined
      ? []
      : [...first.unread, ...openAfterFailure(host, first, group, hook), ...foundOnlyFrom(line, workspace)];
  return { problems: [...problems, ...ignored], entries };
}

/** Undefined: only commands can be exported. */
function commandOf({ hook }: LoadedHook): string | undefined {
  const isLine = typeof hook === 'object' && hook.type === 'command' && hook.args === undefined;
  return isLine ? hook.command : undefined;
}

interface Place {
  readonly spelling: Spelling;
  readonly own: HostEvent;
  readonly unread: readonly string[];
}

/**
 * Where a host has an event for each kind of tool: those that the matcher is about. Otherwise the event in the spelling
 * whose reader ignores least of what a command may print; guards know the first one best.
 */
function placesFor(host: Host, { event, options }: LoadedGroup, translates: boolean): readonly Place[] {
  const installed = installedSpellings(host);
  const ofKinds = installed.some(({ covers }) => covers !== undefined);
  const all = (ofKinds ? installed : host.spellings).flatMap((spelling) => {
    const own = spelling.events[event];
    if (own === undefined || (!ofKinds && spelling.covers !== undefined)) return [];
    if (ofKinds && !isAbout(spelling, own, options.matcher)) return [];
    const unread = [...unreadAnswers(host, spelling, own, event), ...renamedFields(host, spelling, event)];
    return [{ spelling, own, unread }];
  });
  if (ofKinds || translates) return ofKinds ? all : all.slice(0, 1);
  const count = ({ unread }: Place): number => unread.join('').split('`').length;
  return all.sort((a, b) => count(a) - count(b)).slice(0, 1);
}

/** Stands for the tools of MCP servers. */
const MCP_TOOL = 'mcp__server__tool';

function isAbout(spelling: Spelling, { matches }: HostEvent, matcher: string | undefined): boolean {
  const { covers, tools } = spelling;
  if (covers === undefined || matchesAll(matcher) || matches !== 'nothing') return true;
  const wanted = new RegExp(patternOf([spelling], matcher));
  const names = tools.map(({ theirs }) => theirs);
  return [...names, ...(covers(MCP_TOOL) ? [MCP_TOOL] : [])].some((name) => wanted.test(name));
}

const matchesAll = (matcher: string | undefined): matcher is undefined | '' | '*' =>
  matcher === undefined || matcher === '' || matcher === '*';

/** The script of a command that runs one made with `guard`, and nothing else. */
function guardIn(line: string, workspace: string): string | undefined {
  const [, file] = /^node ([\w@%+=:,./-]+\.[cm]?js)$/.exec(line.trim()) ?? [];
  if (file === undefined) return undefined;
  try {
    const text = readFileSync(resolve(workspace, file), 'utf8');
    const isGuard = /\bguard\b[^;]*\bfrom\s*['"]hookline\/guard['"]/.test(text) && /\bguard\(/.test(text);
    return isGuard ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The host may start it in a folder below that of a relative path, and call that one the project. */
function guardLine(host: Host, named: NamedEvent, own: HostEvent, seconds: number, guard: string): string {
  const variables = `HOOKLINE_HOST=${host.name} HOOKLINE_HOST_EVENT=${own.name} HOOKLINE_HOST_TIMEOUT=${seconds}`;
  const folder = isAbsolute(guard) ? '' : `${fromFolderWith(guard)}CLAUDE_PROJECT_DIR="$PWD" `;
  const problem = 'the guard could not answer: install hookline in its project, and start the agent there';
  return `${folder}${variables} node ${guard} ${orAnswer(host, named, problem)}`;
}

/** What a hook may print here to stop a tool or to change its input. */
function answersOn(hookEventName: string): Readonly<Record<string, Json>> {
  const specific = (fields: Json): Json => ({ hookSpecificOutput: { hookEventName, ...fields } });
  return {
    '`decision: block`': { decision: 'block', reason: 'no' },
    '`permissionDecision: deny`': specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    '`permissionDecision: ask`': specific({ permissionDecision: 'ask', permissionDecisionReason: 'no' }),
    '`updatedInput`': specific({ updatedInput: { command: 'no' } }),
    '`continue: false`': { continue: false, stopReason: 'no' },
  };
}

/** What another command prints is not translated: the host's own reader says what it ignores. */
function unreadAnswers(host: Host, spelling: Spelling, own: HostEvent, event: AnyEvent): string[] {
  if (own.form !== 'before-tool') return [];
  const answers = answersOn(event);
  const unread = Object.keys(answers).filter((name) => {
    const stdout = JSON.stringify(answers[name]);
    const exit = { kind: 'exited', exitCode: 0, signal: undefined, stdout, stderr: '' } as const;
    const answer = spelling.read(exit, { event, own, input: {} });
    const acted = (['refuse', 'ask', 'rewrite', 'stop'] as const).filter((each) => own.can.includes(each));
    return acted.every((each) => answer[each] === undefined);
  });
  if (unread.length === 0) return [];
  return [
    `${host.title} lets the tool run if the command prints ${unread.join(', ')}; exit code 2 with a reason on stderr refuses, and so does a guard made with hookline/guard`,
  ];
}

/** What guards look at, with a value that no other field has. */
const LOOKED_AT: Readonly<Record<string, Json>> = {
  Bash: { command: 'line' },
  Read: { file_path: 'path' },
  Write: { file_path: 'path', content: 'content' },
  Edit: { file_path: 'path', old_string: 'old', new_string: 'new' },
};

/** Another command reads the input as the host sends it: where fields have other names, it sees nothing to refuse. */
function renamedFields({ title }: Host, spelling: Spelling, event: AnyEvent): string[] {
  if (spelling.events[event]?.form !== 'before-tool') return [];
  const { covers = () => true } = spelling;
  const renamed = Object.entries(LOOKED_AT).flatMap(([tool, tool_input]) => {
    if (!covers(tool)) return [];
    const sent = toHost(spelling, event, { tool_name: tool, tool_input });
    return Object.keys(tool_input)
      .map((field) => `tool_input.${field}`)
      .filter((field) => valueAt(sent, field) === undefined);
  });
  if (renamed.length === 0) return [];
  const fields = [...new Set(renamed)].map((field) => `\`${field}\``).join(', ');
  return [
    `${title} has other names for ${fields}, so a command that looks there lets everything through; a guard made with hookline/guard reads what the host sends`,
  ];
}

/** In seconds, and what the host can count. */
function secondsOf(host: Host, own: HostEvent, group: LoadedGroup, { hook }: LoadedHook): number {
  const given = (typeof hook === 'object' ? hook.timeout : undefined) ?? group.options.timeout;
  const standard = own.timeout?.default ?? host.timeout.seconds;
  const units = Math.ceil(((given ?? standard) * 1000) / host.timeout.unitMs);
  const seconds = (Math.max(units, 1) * host.timeout.unitMs) / 1000;
  return Math.min(seconds, own.timeout?.max ?? host.timeout.max ?? seconds);
}

function entryOf(host: Host, own: HostEvent, group: LoadedGroup, line: string, seconds: number): Json {
  const [key] = host.timeout.keys;
  const command = {
    ...(host.hasTypes !== false && { type: 'command' }),
    [host.commandKeys[0]]: line,
    ...(key !== undefined && { [key]: (seconds * 1000) / host.timeout.unitMs }),
  };
  const { matcher } = group.options;
  const all = matchesAll(matcher) || own.matches === 'nothing';
  const matched = all
    ? {}
    : { matcher: own.matches === 'text' ? matcher : patternOf(host.spellings, matcher) };
  return host.shape === 'groups' ? { ...matched, hooks: [command] } : { ...command, ...matched };
}

/** Our names and globs as an expression over the host's names, in all its spellings. */
function patternOf(spellings: readonly Spelling[], matcher: string): string {
  const names = matcher.split('|').flatMap((name) => {
    const own = name.trim();
    return [...new Set(spellings.flatMap((spelling) => hostNames(spelling, own)))];
  });
  return `^(?:${names
    .map((name) =>
      name
        .replaceAll(/[.+^${}()[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.'),
    )
    .join('|')})$`;
}

/** Without the bridge, the host alone decides what a failure means. */
function openAfterFailure(
  { title }: Host,
  { spelling, own }: Place,
  { event, options }: LoadedGroup,
  { hook }: LoadedHook,
): string[] {
  const policy = typeof hook === 'object' ? hook.onFailure : undefined;
  if ((policy ?? options.onFailure) !== 'block') return [];
  const exit = { kind: 'exited', exitCode: 1, signal: undefined, stdout: '', stderr: 'no' } as const;
  const { refuse, stop, replace } = spelling.read(exit, { event, own, input: {} });
  const isOpen = (refuse ?? stop ?? replace) === undefined;
  const also = isOpen ? ', and when the command is not found or fails with another exit code than 2' : '';
  return [`\`onFailure: block\` does not hold: ${title} goes on after a timeout${also}`];
}

/** The host starts a command where its session is, which may be below the folder that a relative path is meant for. */
function foundOnlyFrom(line: string, workspace: string): string[] {
  const isFile = (word: string): boolean =>
    !isAbsolute(word) && statSync(resolve(workspace, word), { throwIfNoEntry: false })?.isFile() === true;
  const [file] = line.split(/[\s'"=;&|()<>]+/).filter((word) => word !== '' && isFile(word));
  return file === undefined
    ? []
    : [
        `\`${file}\` is only found from ${workspace}: in a session of a folder below, the command cannot start`,
      ];
}

function problemsOf({ options }: LoadedGroup, hook: LoadedHook): string[] {
  const { condition, source } = hook;
  if (commandOf(hook) === undefined) return ['only commands for a shell can be exported'];
  return [
    ...(condition === undefined
      ? []
      : [`the condition \`${condition}\` is left out, so the hook runs more often`]),
    ...(options.last ? ['`last` is left out: the host chooses the order'] : []),
    ...(isOfWorkspace(source) ? [] : ['it comes from a file of the user']),
  ];
}
