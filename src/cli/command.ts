/** The definition of a command: its usage, options and behaviour. */
import type { Io } from './io.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Can be given several times. */
  readonly multiple?: boolean;
  /** With `multiple`: the words after its value, up to the next option, are values too. */
  readonly greedy?: boolean;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined;

/** The options of one call: false, undefined or an empty list if not given. */
export type Values<O extends Options> = { readonly [K in keyof O]: Value<O[K]> };

export interface Call<O extends Options> {
  readonly args: readonly string[];
  readonly options: Values<O>;
  readonly io: Io;
  /** The folder the command works in: `--cwd`, or the current directory. */
  readonly cwd: string;
}

export interface CommandDefinition<O extends Options> {
  /** Without the program name: `fire <Event> [options]`. */
  readonly usage: string;
  /** What it does, in full sentences. */
  readonly about: string;
  /** The minimum and maximum number of arguments. */
  readonly args: readonly [least: number, most: number];
  readonly options: O;
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Exit codes with a specific meaning for this command. */
  readonly exits?: readonly (readonly [code: number, meaning: string])[];
  run(call: Call<O>): Promise<number>;
}

/** A command whose options are only known at run time. */
export type Command = CommandDefinition<Options>;

/** Infers the types of a command's options from their declaration. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  // `parse` builds the options of a call from this declaration; other code does not know their names.
  return definition as unknown as Command;
}

/** Options that every command has. */
export const COMMON_OPTIONS = {
  help: { type: 'boolean', short: 'h', help: 'Show this help.' },
  cwd: { type: 'string', value: 'DIR', help: 'Work in this folder instead of the current one.' },
  debug: { type: 'boolean', help: 'Show the stack of errors.' },
} as const satisfies Options;
