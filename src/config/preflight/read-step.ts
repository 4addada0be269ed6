/**
 * What is certain about one command of a line: the program it starts, the directory it changes to, and the variables it
 * sets.
 */
import { BUILTIN_NAMES } from '../../shell/builtin-names.js';
import { readShellLine, type ShellCommand, type ShellWord } from '../../shell/read-line.js';
import type { SequencedCommand } from '../../shell/sequence.js';
import type { LineContext } from './check-program.js';
import type { Variables } from './find-program.js';

export interface ReadStep {
  /** The program and its arguments; undefined for a builtin, or if unknown. */
  readonly program: readonly (string | undefined)[] | undefined;
  /** Whether the program is searched in a PATH of its own. */
  readonly hasOwnPath: boolean;
  /** The directory it changes to, if that is all it does; null if unknown. */
  readonly cd: string | null | undefined;
  /**
   * The variables it sets, if it does nothing else, or nothing that affects later commands, as `true` or `echo`.
   * Undefined: only a running shell knows whether and how the line continues.
   */
  readonly onlyAssigns: Variables | undefined;
}

/** The word after one of these is a program, checked as if it came first. */
export const PREFIXES: ReadonlySet<string> = new Set(['exec', 'env', 'command', 'builtin', 'nohup']);

/** These succeed and do not affect which programs follow. */
const HARMLESS: ReadonlySet<string> = new Set([':', 'true', 'echo', 'printf', 'set', 'umask']);

/** Substitutions that only read. */
const READS: ReadonlySet<string> = new Set(['cat', 'pwd', 'date', 'whoami', 'uname']);

export function readStep({ text }: SequencedCommand, { cwd, env }: LineContext): ReadStep {
  const { commands } = readShellLine(text, { cwd, variables: env });
  const at = commands.findLastIndex(({ carrier }) => carrier === undefined);
  const command = commands[at];
  if (command === undefined) return { program: undefined, hasOwnPath: false, cd: undefined, onlyAssigns: {} };
  const started = startedBy(commands.slice(at));
  return {
    program: started && programOf(started),
    hasOwnPath: [command, ...(started ? [started] : [])].some(({ assignments }) =>
      assignments.some(({ name }) => name === 'PATH'),
    ),
    cd: cdOf(command),
    onlyAssigns: commands.slice(0, at).every(onlyReads) ? assignedBy(command) : undefined,
  };
}

/** Skips the prefixes. Undefined if one of them has options, because the position of the program is then unknown. */
function startedBy([command, ...carried]: readonly ShellCommand[]): ShellCommand | undefined {
  const [name, first] = command?.words ?? [];
  if (!PREFIXES.has(name?.value ?? '')) return command;
  return first?.value?.startsWith('-') === true ? undefined : startedBy(carried);
}

function programOf({ words }: ShellCommand): readonly (string | undefined)[] | undefined {
  const values = words.map(knownValue);
  const [name] = values;
  return name === undefined || name === '' || BUILTIN_NAMES.has(name) ? undefined : values;
}

function knownValue({ value, globs, splits }: ShellWord): string | undefined {
  return globs || splits ? undefined : value;
}

function cdOf({ words: [name, target, ...more] }: ShellCommand): string | null | undefined {
  if (name?.value !== 'cd' || target === undefined || more.length > 0) return undefined;
  return knownValue(target) || null;
}

function assignedBy({ words, assignments, redirects }: ShellCommand): Variables | undefined {
  const writes = redirects.some(
    ({ operator, target }) => operator.includes('>') && !/^(?:\/dev\/null|\d+|-)$/.test(target.value ?? ''),
  );
  if (writes) return undefined;
  const [name, ...rest] = words;
  if (name === undefined)
    return Object.fromEntries(assignments.map((each) => [each.name, each.value?.value]));
  if (assignments.length > 0) return undefined;
  if (name.value !== 'export') return HARMLESS.has(name.value ?? '') ? {} : undefined;
  const exported = rest.map(({ raw, value }) => /^([A-Za-z_]\w*)=/.exec(raw) && splitAssignment(raw, value));
  return exported.every((each) => each !== null) ? Object.fromEntries(exported) : undefined;
}

function splitAssignment(raw: string, value: string | undefined): [string, string | undefined] {
  const name = raw.slice(0, raw.indexOf('='));
  return [name, value?.slice(name.length + 1)];
}

function onlyReads({ words, redirects, assignments }: ShellCommand): boolean {
  const [name, ...args] = words;
  return READS.has(name?.value ?? '') && args.length + redirects.length + assignments.length === 0;
}
