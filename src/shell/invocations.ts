/** Determines from an interpreter's arguments which file it runs. */
import { basename } from 'node:path/posix';
import { type Interpreter, interpreterOf } from './interpreters.js';

/** Runs the program of a package; the supported ones are interpreters themselves. */
const NPX_FLAGS = /^(?:-y|--yes|--no-install)$/;

/**
 * The file that a command passes to its interpreter. Unknown words are undefined; the result is undefined if it is not
 * certain that there is a file.
 */
export function scriptOf(
  words: readonly (string | undefined)[],
): { readonly script: string; readonly interpreter: Interpreter } | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (basename(program) === 'npx') return scriptOf(withoutFlags(rest, NPX_FLAGS));
  const interpreter = interpreterOf(program);
  if (!interpreter) return undefined;
  const after = withoutSubcommand(rest, interpreter, (word) => word);
  const [script] = withoutFlags(after ?? [], interpreter.flags);
  if (script === undefined || script === '' || /^[-+]|^[a-z]+:/.test(script)) return undefined;
  if (interpreter.runsNoOperand || interpreter.onlyFiles?.test(script) === false) return undefined;
  return { script, interpreter };
}

function withoutFlags(
  words: readonly (string | undefined)[],
  flags: RegExp,
): readonly (string | undefined)[] {
  const first = words.findIndex((word) => word === undefined || !flags.test(word));
  return first === -1 ? [] : words.slice(first);
}

/** Undefined if the required subcommand is missing. */
function withoutSubcommand<Word>(
  words: readonly Word[],
  { subcommand }: Interpreter,
  textOf: (word: Word) => string | undefined,
): readonly Word[] | undefined {
  const [first] = words;
  const value = first === undefined ? undefined : textOf(first);
  if (value !== undefined && subcommand?.words.includes(value)) return words.slice(1);
  return subcommand?.required ? undefined : words;
}

/** What an interpreter runs, according to its arguments. */
export interface Invocation<Word> {
  /** The first operand. */
  readonly script?: Word;
  /** Files run before it, each with its option. */
  readonly preloads: readonly { readonly option: string; readonly file: Word }[];
  readonly module?: Word;
  readonly code?: Word;
  /** All code, where an interpreter takes several pieces. */
  readonly codes?: readonly Word[];
  /** An unknown word where an option or the script could be. */
  readonly unclear?: Word;
}

/**
 * Like `scriptOf`, but errs on the side of finding too many files: an unknown option is assumed to take no value.
 * Undefined if its subcommand runs no file.
 */
export function readInvocation<Word extends { readonly value: string | undefined }>(
  args: readonly Word[],
  interpreter: Interpreter,
): Invocation<Word> | undefined {
  const words = withoutSubcommand(args, interpreter, ({ value }) => value);
  if (words === undefined) return undefined;
  const preloads: { option: string; file: Word }[] = [];
  const codes: Word[] = [];
  const given = (): { readonly code?: Word; readonly codes?: readonly Word[] } =>
    codes[0] === undefined ? {} : { code: codes[0], codes };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const isOperand = word.value === undefined || word.value === '-' || !/^[-+]./.test(word.value);
    if (isOperand && interpreter.runsNoOperand) return { preloads };
    if (word.value === undefined) return { preloads, ...given(), unclear: word };
    if (codes.length > 0 && (isOperand || word.value === '--')) return { preloads, ...given() };
    if (word.value === '--') return { preloads, ...scriptAt(words[at + 1]) };
    if (isOperand) return { preloads, script: word };
    // `sh -s`: the following words are arguments of a script that comes from the input.
    if (interpreter.shell && /^-[A-Za-z]*s/.test(word.value)) return { preloads };
    const found = readOption(word.value, interpreter);
    if (found === undefined) continue;
    const { option, attached } = found;
    const value = attached === undefined ? words[at + 1] : { ...word, value: attached };
    if (attached === undefined) at += 1;
    if (value === undefined) break;
    if (interpreter.code?.includes(option)) {
      codes.push(value);
      if (!interpreter.repeatsCode) return { preloads, ...given() };
      continue;
    }
    if (interpreter.module === option) return { preloads, module: value };
    if (interpreter.preloads?.includes(option)) preloads.push({ option, file: value });
  }
  return { preloads, ...given() };
}

function scriptAt<Word>(word: Word | undefined): { readonly script?: Word } {
  return word === undefined ? {} : { script: word };
}

/** The option in a word that takes a value, and the part of the value in the same word. Undefined if there is none. */
function readOption(
  text: string,
  { valued = [], preloads = [], code = [], module, clusters }: Interpreter,
): { readonly option: string; readonly attached?: string } | undefined {
  const known = [...valued, ...preloads, ...code, ...(module === undefined ? [] : [module])];
  if (known.includes(text)) return { option: text };
  const equals = text.indexOf('=');
  if (text.startsWith('--')) {
    const option = text.slice(0, equals < 0 ? undefined : equals);
    return equals > 0 && known.includes(option) ? { option, attached: text.slice(equals + 1) } : undefined;
  }
  for (let at = 1; at < (clusters ? text.length : 2); at++) {
    const option = `-${text[at]}`;
    if (!known.includes(option)) continue;
    const attached = text.slice(at + 1);
    return attached === '' ? { option } : { option, attached };
  }
  return undefined;
}
