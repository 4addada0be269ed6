/** What is known about a shell while a line is read: possible values of variables, possible directories, functions. */
import { posix } from 'node:path';
import type { Output } from './line.js';

/** One of the values that a variable may have. */
export interface Held {
  /** Undefined if unknown. */
  readonly text: string | undefined;
  /** It is a glob that stands for matching files. */
  readonly globs: boolean;
  /** Certainly a number, so that arithmetic with it is safe. */
  readonly number: boolean;
  /** The environment variables whose values are part of it; undefined if that is unknown. */
  readonly environment?: readonly string[];
  /** If the text is not known: what has printed it. */
  readonly output?: Output;
}

export type Values = readonly Held[];

export const UNKNOWN: Values = [{ text: undefined, globs: true, number: false }];
/** What a command has printed. */
export const OUTPUT: Values = [{ text: undefined, globs: true, number: false, environment: [] }];
export const SOME_NUMBER: Values = [{ text: undefined, globs: false, number: true, environment: [] }];

/** A longer path of a directory is not followed: each step would cost more than the one before. */
const MAX_FOLDER = 1024;
const MAX_VALUES = 64;
const MAX_FOLDERS = 8;
/** Set by the shell itself from texts that a line can choose. */
const SET_BY_THE_SHELL = /^(?:_|REPLY|OPTARG|MAPFILE|COPROC|DIRSTACK|FUNCNAME|OLDPWD|PWD|BASH\w*|\d+|[@*])$/;

export function heldText(text: string, globs = false): Held {
  return { text, globs, number: /^[-+]?\d+$/.test(text), environment: [] };
}

/** Mutable: a line changes it from command to command. */
export class ShellState {
  readonly #values: Map<string, Values>;
  /** Variables of unknown names may have been set. */
  #open: boolean;
  /** The directories the shell may be in; undefined if unknown. */
  folders: readonly string[] | undefined;
  /** The directories it may be in if the last command, a `cd`, failed. */
  foldersOnFailure: readonly string[] | undefined;
  readonly functions: Set<string>;
  /** Assigning to these fails, in some places without ending the line. */
  readonly fixed: Set<string>;
  readonly arrays: Set<string>;

  constructor(folders: readonly string[] | undefined, from?: ShellState) {
    this.#values = new Map(from?.entries());
    this.#open = from === undefined ? false : from.#open;
    this.functions = new Set(from?.functions);
    this.fixed = new Set(from?.fixed);
    this.arrays = new Set(from?.arrays);
    this.folders = folders;
  }

  copy(): ShellState {
    return new ShellState(this.folders, this);
  }

  entries(): Iterable<[string, Values]> {
    return this.#values;
  }

  /** Whether its value may come from the environment although `valuesOf` has one: anything may have been set. */
  mayBeOutside(name: string): boolean {
    return this.#open && !this.#values.has(name) && !SET_BY_THE_SHELL.test(name);
  }

  /** Undefined if the line does not set it, so that it comes from the environment. */
  valuesOf(name: string): Values | undefined {
    if (this.#open || SET_BY_THE_SHELL.test(name)) return this.#values.get(name) ?? UNKNOWN;
    return this.#values.get(name);
  }

  set(name: string, values: Values): void {
    this.#values.set(name, values.length > MAX_VALUES || this.fixed.has(name) ? UNKNOWN : values);
  }

  /** From now on, any variable may have any value. */
  forgetAll(): void {
    this.#open = true;
    for (const name of this.#values.keys()) this.#values.set(name, UNKNOWN);
  }

  /** The same, and the directory is unknown too. */
  forgetEverything(): void {
    this.forgetAll();
    this.folders = undefined;
  }

  /** Variables that the line has set may have another value; all others still come from the environment. */
  forgetOwn(): void {
    for (const name of this.#values.keys()) this.#values.set(name, UNKNOWN);
  }

  /** Whether arithmetic with this variable cannot run a hidden command. */
  isNumber(name: string): boolean {
    const values = this.valuesOf(name);
    return values === undefined || values.every(({ number, text }) => number || text === '');
  }

  /** `cd folder`, which may fail. Undefined for an unknown folder. */
  go(folder: string | undefined): void {
    this.foldersOnFailure = this.folders;
    const moved = folder === undefined ? undefined : this.folders?.map((from) => posix.resolve(from, folder));
    const known = folder !== undefined && posix.isAbsolute(folder) ? [posix.resolve(folder)] : moved;
    this.folders = known?.every(({ length }) => length <= MAX_FOLDER) ? limitFolders(known) : undefined;
  }

  /** The next command runs whether or not the last one failed. */
  settle(): void {
    if (this.foldersOnFailure !== undefined) this.folders = both(this.folders, this.foldersOnFailure);
    this.foldersOnFailure = undefined;
  }

  /** Merges the states of two alternatives. */
  join(other: ShellState): void {
    this.folders = both(this.folders, other.folders);
    for (const name of new Set([...this.#values.keys(), ...other.#values.keys()])) {
      const [mine, theirs] = [this.#values.get(name), other.#values.get(name)];
      if (mine !== theirs) this.set(name, mine && theirs ? union(mine, theirs) : UNKNOWN);
    }
    this.#open ||= other.#open;
    for (const name of other.functions) this.functions.add(name);
    for (const name of other.fixed) this.fixed.add(name);
    for (const name of other.arrays) this.arrays.add(name);
  }

  /** Values that changed since `before` may change further in the next iteration of a loop. */
  widen(before: ShellState): void {
    if (!sameFolders(this.folders, before.folders)) this.folders = undefined;
    for (const [name, values] of this.#values) {
      if (values === before.#values.get(name)) continue;
      this.#values.set(name, values.every(({ number }) => number) ? SOME_NUMBER : UNKNOWN);
    }
  }
}

function union(one: Values, other: Values): Values {
  const isSame = (held: Held, each: Held): boolean =>
    held.text === each.text && held.globs === each.globs && held.output === each.output;
  const more = other.filter((each) => !one.some((held) => isSame(held, each)));
  return [...one.map((held) => withOrigins(held, other.find((each) => isSame(held, each)) ?? held)), ...more];
}

function withOrigins(held: Held, { environment }: Held): Held {
  if (held.environment === environment) return held;
  const { text, globs, number } = held;
  if (held.environment === undefined || environment === undefined) return { text, globs, number };
  return { ...held, environment: [...new Set([...held.environment, ...environment])] };
}

function both(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  return one && other && limitFolders([...one, ...other]);
}

function limitFolders(folders: readonly string[]): readonly string[] | undefined {
  const all = [...new Set(folders)];
  return all.length > MAX_FOLDERS ? undefined : all;
}

function sameFolders(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one?.join('\0') === other?.join('\0');
}
