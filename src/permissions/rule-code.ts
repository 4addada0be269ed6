/** Finds code in words, variables and input of a program that starts another whose name it puts together. */
import { basename } from 'node:path/posix';
import { startsUnseen } from '../shell/inline-code.js';
import { interpreterOf } from '../shell/interpreters.js';
import { readInvocation } from '../shell/invocations.js';
import type { ShellCommand, ShellWord } from '../shell/read-line.js';

const AWK = /^[gmn]?awk$/;
/** Their options and operands are commands in a language of their own. */
const COMMANDED = /^(?:g?vim?|nvim|view|ex|emacs|gdb|lldb)$/;
const COMPILER = /^(?:[gt]?cc|c99|clang|[gc]\+\+|clang\+\+)(?:-[\d.]+)?$/;
/** The language of the code in a variable that programs load. */
const CODE_VARIABLES: Readonly<Record<string, string>> = {
  PERL5OPT: 'perl',
  PERL5DB: 'perl',
  RUBYOPT: 'ruby',
  LUA_INIT: 'lua',
};

/** Contract: pure. `input` are the texts in the line that it reads. */
export function hasAssembledCode(command: ShellCommand, input: readonly ShellWord[]): boolean {
  const [name, ...args] = command.words;
  const program = basename(name?.value ?? '');
  const values = args.map(({ value, raw }) => value ?? raw);
  if (variablesOf(command).some(([variable, value]) => loadsUnseen(variable, value))) return true;
  if (AWK.test(program)) return startsUnseen('awk', awkScript(values));
  if (COMMANDED.test(program)) return values.some((value) => startsUnseen(program, value));
  if (COMPILER.test(program)) return compilesUnseen(command, values, input);
  if (/^perl[\d.]*$/.test(program) && values.some((value) => isPerlCode(value))) return true;
  return preloadsData(program, args);
}

/** `perl '-Mstrict;system(…)'`: what follows the name of the module is code. */
function isPerlCode(option: string): boolean {
  return /^-[a-zA-Z]*[Mm].*[;(]/s.test(option) && startsUnseen('perl', option);
}

/** `node --import data:…` is code, usually encoded. */
function preloadsData(program: string, args: readonly ShellWord[]): boolean {
  const interpreter = interpreterOf(program);
  const { preloads = [] } = (interpreter && readInvocation(args, interpreter)) ?? {};
  return preloads.some(({ file }) => /^['"]?data:/i.test(file.value ?? ''));
}

function loadsUnseen(variable: string, value: string): boolean {
  if (variable === 'NODE_OPTIONS') return /[\s=]['"]?data:/i.test(value);
  const language = Object.hasOwn(CODE_VARIABLES, variable) ? CODE_VARIABLES[variable] : undefined;
  return language !== undefined && startsUnseen(language, value);
}

/** In front of it, or of the command that runs it, on their own, or as a word: `export NODE_OPTIONS=…`. */
function variablesOf({ words, assignments, carrier }: ShellCommand): readonly (readonly [string, string])[] {
  const own = assignments.map(({ name, value, raw }) => [name, value?.value ?? raw] as const);
  const asWords = words.slice(1).flatMap(({ value }) => {
    const [, name, text] = /^([A-Z]\w*)=(.*)$/s.exec(value ?? '') ?? [];
    return name === undefined || text === undefined ? [] : [[name, text] as const];
  });
  return [...own, ...asWords, ...(carrier === undefined ? [] : variablesOf(carrier))];
}

/** The first operand, unless the script is in a file. */
function awkScript(values: readonly string[]): string {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? '';
    if (/^-[vF]$/.test(value)) at += 1;
    else if (/^-e$|^--source$/.test(value) || value === '--') return values[at + 1] ?? '';
    else if (!value.startsWith('-')) return value;
  }
  return '';
}

/** `… | gcc -xc -`, and a text in the line. What a file contains is unknown anyway. */
function compilesUnseen(
  { piped }: ShellCommand,
  values: readonly string[],
  input: readonly ShellWord[],
): boolean {
  if (!values.some((value) => /^(?:-|\/dev\/stdin)$/.test(value))) return false;
  if (input.length === 0) return piped === true;
  return input.some(({ value }) => value === undefined || startsUnseen('c', value));
}
