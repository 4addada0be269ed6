/** What a command is: how it is called, what it takes, and what it does. */
import type { Io } from './io.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** With `multiple`: the words behind its value, up to the next option, are values too. */
  readonly greedy?: boolean;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined;

/** The options of one call: false, undefined or an empty list where they are not given. */
export type Values<O extends Options> = { readonly [K in keyof O]: Value<O[K]> };

export interface Call<O extends Options> {
  readonly args: readonly string[];
  readonly options: Values<O>;
  readonly io: Io;
  /** The folder that the command is about: `--cwd`, else where it was called. */
  readonly cwd: string;
}

export interface CommandDefinition<O extends Options> {
  /** Without the program's name: `fire <Event> [options]`. */
  readonly usage: string;
  /** What it does, in full sentences. */
  readonly about: string;
  /** How many arguments it takes. */
  readonly args: readonly [least: number, most: number];
  readonly options: O;
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Exit codes that mean something particular here. */
  readonly exits?: readonly (readonly [code: number, meaning: string])[];
  run(call: Call<O>): Promise<number>;
}

/** A command whose options are only known at run time. */
export type Command = CommandDefinition<Options>;

/** Types the options of a command by how it declares them. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  // The options of a call are made from this very declaration, see `parse`; outside, nobody knows their names.
  return definition as unknown as Command;
}

/** Given to every command. */
export const COMMON_OPTIONS = {
  help: { type: 'boolean', short: 'h', help: 'Show this help.' },
  cwd: { type: 'string', value: 'DIR', help: 'Work in this folder instead of the current one.' },
  debug: { type: 'boolean', help: 'Show the stack of errors.' },
} as const satisfies Options;
