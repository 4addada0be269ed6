/** What can be approved: one hook, or the permissions of a file, as plain data independent of the file format. */

import { HANDLER_TYPES, kindOf } from '../../handlers/kinds.js';
import { interpreterOf } from '../../shell/interpreters.js';
import { readShellLine } from '../../shell/read-line.js';
import { canonical } from './canonical.js';
import { sha256 } from './hash.js';

/** One hook, as plain data that a user can approve. */
export interface TrustSubject {
  readonly event: string;
  readonly matcher?: string | undefined;
  /** The handler as written, including what it inherits from its group (timeout, onFailure). */
  readonly handler: Readonly<Record<string, unknown>>;
  /** The directory that the hook comes with. */
  readonly workspace: string;
  readonly pluginRoot?: string | undefined;
  /** Files that affect the hook besides its command, such as the module of a dotted name. */
  readonly files?: readonly string[] | undefined;
  /** The variables that are set for the hook, beside those of the environment. Not part of what is approved. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The file it is defined in. Not part of what is approved. */
  readonly source?: string | undefined;
}

/** Fields that are only displayed. */
const DISPLAY_ONLY: ReadonlySet<string> = new Set(['statusMessage', 'name', 'description']);

/** Fields that determine what is run, of our own kinds and of MassGen's entries; all others determine how. */
const WHAT_FIELDS: readonly string[] = [
  ...new Set(HANDLER_TYPES.flatMap((type): readonly string[] => kindOf(type).identity)),
  ...['handler', 'callable', 'module'],
];

export function decidingFields(handler: TrustSubject['handler']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(handler).filter(([field]) => !DISPLAY_ONLY.has(field)));
}

/** The identity stays the same if only the timeout, the environment or the script content changes. */
export function identityOf({ event, matcher, handler }: TrustSubject): string {
  const what = Object.fromEntries(['type', ...WHAT_FIELDS].map((field) => [field, handler[field]]));
  return sha256(canonical({ event, matcher, what }));
}

/**
 * The beginning of the hook: its program and script, its URL or its tool. Usually stays the same when the rest is
 * edited.
 */
export function headOf({ handler }: TrustSubject): string {
  const isCommand = typeof handler['command'] === 'string';
  const parts = isCommand ? programOf(handler) : WHAT_FIELDS.map((field) => handler[field]);
  return sha256(canonical([handler['type'], ...parts]));
}

/** The program of a command and, for an interpreter, its first operand. */
function programOf({ command, args }: TrustSubject['handler']): readonly string[] {
  const words = Array.isArray(args) ? [command, ...args].map(String) : firstWords(String(command));
  const [program = '', ...rest] = words;
  const first = rest.find((word) => !word.startsWith('-'));
  return first !== undefined && interpreterOf(program) ? [program, first] : [program];
}

/** Skips programs that only run another one, such as `env`. */
function firstWords(line: string): readonly string[] {
  const { commands } = readShellLine(line);
  let at = commands.findIndex(({ words }) => words.length > 0);
  while (commands[at + 1]?.wrapped && commands[at + 1]?.carrier?.words === commands[at]?.words) at += 1;
  return commands[at]?.words.map(({ value, raw }) => value ?? raw) ?? [line];
}

const MAX_SUMMARY = 200;

/** All permissions of a workspace file together: a deny rule limits what an allow rule permits. */
export function permissionSubject(file: string, permissions: unknown, workspace: string): TrustSubject {
  // Rules name files to work on, not files to run, so no files are covered.
  return { event: 'permissions', matcher: file, handler: { type: 'permissions', permissions }, workspace };
}

/** What git runs in a folder because of its repository: settings with their values, and hooks with their content. */
export function repositorySubject(
  {
    settings,
    hooks,
  }: { readonly settings: Readonly<Record<string, string>>; readonly hooks: readonly string[] },
  workspace: string,
): TrustSubject {
  return { event: 'git', handler: { type: 'git', settings }, workspace, files: hooks };
}

/** A description of the hook for lists. */
export function summaryOf({ matcher, handler }: TrustSubject): string {
  const { type } = handler;
  if (type === 'permissions') return `permissions of ${matcher}`;
  if (type === 'git') return 'what git runs here';
  const parts = WHAT_FIELDS.flatMap((field) => handler[field]);
  const words = parts.filter((part) => typeof part === 'string').join(' ');
  const summary = words || String(type ?? 'a hook');
  return summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY - 3)}...` : summary;
}
