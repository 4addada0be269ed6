/** What somebody is asked to trust: one hook, or what a file permits, as plain data, whatever it was written in. */

import { interpreterOf } from '../../shell/interpreters.js';
import { readShellLine } from '../../shell/read-line.js';
import { canonical } from './canonical.js';
import { sha256 } from './hash.js';

/** One hook, as plain data that a user can approve. */
export interface TrustSubject {
  readonly event: string;
  readonly matcher?: string | undefined;
  /** The handler as it is written, with what it inherits from its group (timeout, onFailure) filled in. */
  readonly handler: Readonly<Record<string, unknown>>;
  /** The directory that the hook comes with. */
  readonly workspace: string;
  readonly pluginRoot?: string | undefined;
  /** Further files that decide what the hook does, such as the module a dotted name leads to. */
  readonly files?: readonly string[] | undefined;
  /** The file that it is written in. Where a hook is written is no part of what is approved. */
  readonly source?: string | undefined;
}

/** Fields that people read and nothing acts on. */
const DISPLAY_ONLY: ReadonlySet<string> = new Set(['statusMessage', 'name', 'description']);

/** Fields that say what is run; all others say how. */
const WHAT = ['type', 'command', 'args', 'url', 'server', 'tool', 'prompt', 'handler', 'callable', 'module'];

export function decidingFields(handler: TrustSubject['handler']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(handler).filter(([field]) => !DISPLAY_ONLY.has(field)));
}

/** The same hook with another timeout, environment or script content has the same identity. */
export function identityOf({ event, matcher, handler }: TrustSubject): string {
  const what = Object.fromEntries(WHAT.map((field) => [field, handler[field]]));
  return sha256(canonical({ event, matcher, what }));
}

/** How the hook begins: its program and script, its URL, its tool. What stays when the rest of it is edited. */
export function headOf({ handler }: TrustSubject): string {
  const { command, url, server, tool, prompt } = handler;
  const parts =
    typeof command === 'string' ? programOf(handler) : [url, server, tool, prompt, handler['handler']];
  return sha256(canonical([handler['type'], ...parts]));
}

/** The program that a command begins with, and the first thing that it is given when it is an interpreter. */
function programOf({ command, args }: TrustSubject['handler']): readonly string[] {
  const words = Array.isArray(args) ? [command, ...args].map(String) : firstWords(String(command));
  const [program = '', ...rest] = words;
  const first = rest.find((word) => !word.startsWith('-'));
  return first !== undefined && interpreterOf(program) ? [program, first] : [program];
}

/** Past programs that only run another one, such as `env`. */
function firstWords(line: string): readonly string[] {
  const { commands } = readShellLine(line);
  let at = commands.findIndex(({ words }) => words.length > 0);
  while (commands[at + 1]?.wrapped && commands[at + 1]?.carrier?.words === commands[at]?.words) at += 1;
  return commands[at]?.words.map(({ value, raw }) => value ?? raw) ?? [line];
}

const MAX_SUMMARY = 200;

/** What a file of the workspace permits, all of it together: a rule that forbids is part of what another allows. */
export function permissionSubject(file: string, permissions: unknown, workspace: string): TrustSubject {
  // Rules name files to work on, not files that run, so none of those is covered.
  return { event: 'permissions', matcher: file, handler: { type: 'permissions', permissions }, workspace };
}

/** What git runs in a folder because its repository says so: settings with their values, and hooks with their content. */
export function repositorySubject(
  {
    settings,
    hooks,
  }: { readonly settings: Readonly<Record<string, string>>; readonly hooks: readonly string[] },
  workspace: string,
): TrustSubject {
  return { event: 'git', handler: { type: 'git', settings }, workspace, files: hooks };
}

/** How people recognise the hook in a list. */
export function summaryOf({ matcher, handler }: TrustSubject): string {
  const { type, command, args, url, server, tool, prompt } = handler;
  if (type === 'permissions') return `what ${matcher} permits`;
  if (type === 'git') return 'what git runs here';
  const parts = [
    command,
    ...(Array.isArray(args) ? args : []),
    url,
    server,
    tool,
    prompt,
    handler['handler'],
  ];
  const words = parts.filter((part) => typeof part === 'string').join(' ');
  const summary = words || String(type ?? 'a hook');
  return summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY - 3)}...` : summary;
}
