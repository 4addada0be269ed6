/** Judges code in another language that stands in a line: whether it is understood, and what it starts. */

import { basename } from 'node:path/posix';
import { quoted } from '../base/text/shell-word.js';
import { filesOpened } from '../shell/code/opened-files.js';
import { type CodeLanguage, languageOf, languageOfFile, startedLines } from '../shell/code/started-lines.js';
import { interpreterOf, isShell } from '../shell/interpreters.js';
import { readInvocation } from '../shell/invocations.js';
import type { ShellCommand, ShellWord } from '../shell/read-line.js';
import { emptied } from '../shell/unknown-options.js';
import { otherCodeIn } from './rule-other-code.js';
import { linesTyped } from './rule-typed.js';
import { isInteractive } from './written-code.js';

/** Their options and operands are commands in a language of their own. */
const COMMANDED = /^(?:g?vim?|nvim|view|ex|emacs|gdb|lldb|dc|sqlite3)$/;
/** Commands of vim and gdb that are known to run nothing but the program that is looked at. */
const HARMLESS_COMMAND =
  /^\+?(?:\d*|(?:w|wq|q|qa|wa|wqa|x|xa|noh?)!?|%?s([/,#])(?:(?!\1)[^\\|]|\\[^=|])*\1(?!\\=)(?:(?!\1)[^\\|]|\\[^=|])*\1?[gciIe]*|set? [\w =,]+|(?:run|r|bt|backtrace|where|c|continue|n|next|s|step|finish|quit|q|up|down)|thread apply all bt(?: full)?|(?:bt full|info|break|b|tbreak|frame|list|l|p|print) ?[\w .:*&>-]*|set (?:pagination|confirm|print \w+|args|width|height|logging|breakpoint) ?[\w -]*)$/;
/** Options whose value is a command. */
const TAKES_COMMAND =
  /^(?:-c|-cmd|--cmd|-ex|-eval-command|--eval-command|-o|-O|--one-line|-iex|-e|--expression)$/;
const COMMAND_ATTACHED = /^(?:-c|--eval-command=|-ex=|\+)(.+)$/s;
const EMACS_CODE = /^-{1,2}(?:eval|execute|f|funcall|l|load|script|batch-eval)(?:=|$)/;
/** The language of the code in a variable that programs load. */
const CODE_VARIABLES: Readonly<Record<string, CodeLanguage>> = { LUA_INIT: 'lua' };
const OPTION_VARIABLES = /^(?:PERL5OPT|PERL5DB|RUBYOPT)$/;
const HARMLESS_OPTIONS = /^(?:-[wWdc\d:]*|--(?:yjit|jit|enable|disable)[\w=-]*|\s)*$/;
/** Modules of Python that run code that is an operand. */
const RUNS_OPERANDS = /^(?:timeit|pdb|trace|cProfile|profile|code|IPython)$/;

/** A word for the input. */
const IS_INPUT = /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/;

/** A piece of code, and its language; undefined for one that is not read. */
export interface Code {
  readonly language: CodeLanguage | undefined;
  /** Undefined if it is only known when it runs. */
  readonly text: string | undefined;
}

/** The input texts in the line, of the command itself or of the one that runs it. */
export function inputOf({ redirects, carrier }: ShellCommand): readonly ShellWord[] {
  const own = redirects.filter(({ operator }) => operator.startsWith('<'));
  if (own.length > 0)
    return own.flatMap(({ operator, target }) => (operator.startsWith('<<') ? [target] : []));
  return carrier === undefined ? [] : inputOf(carrier);
}

/** The lines that all of the code starts; undefined if some of it is not understood. Contract: pure. */
export function linesStartedBy(code: readonly Code[]): readonly string[] | undefined {
  const lines: string[] = [];
  for (const { language, text } of code) {
    const started = text === undefined ? undefined : startedLines(language, text);
    if (started === undefined) return undefined;
    lines.push(...started);
  }
  return lines;
}

/**
 * What code in a command starts, and the files that it puts together of plain texts, as lines; undefined if it may read any
 * file. Contract: pure.
 */
export function linesReading(command: ShellCommand): readonly string[] | undefined {
  if (isShell(basename(command.words[0]?.value ?? ''))) return [];
  const typed = linesTyped(command);
  const code = codeIn(command, inputOf(command));
  const lines = linesStartedBy(code);
  if (lines === undefined || typed === undefined) return undefined;
  const files = code.map(({ language, text = '' }) => filesOpened(language, text));
  return files.includes(undefined)
    ? undefined
    : [...lines, ...typed, ...files.flat().map((path) => `cat ${quoted(path ?? '')}`)];
}

const RUNS_CODE: Readonly<Record<Exclude<CodeLanguage, 'c'>, string>> = {
  awk: 'awk',
  javascript: 'node -e',
  lua: 'lua -e',
  perl: 'perl -e',
  php: 'php -r',
  python: 'python3 -c',
  ruby: 'ruby -e',
  sed: 'sed',
};

/** Lines that run the code as if it stood in them; undefined if it is not read. Contract: pure. */
export function linesRunning(code: readonly Code[]): readonly string[] | undefined {
  const lines = code.map(({ language, text }) => {
    if (language === undefined || text === undefined) return undefined;
    if (language === 'c') return /open|asm|syscall|#\s*include\s*"/.test(text) ? undefined : ':';
    return `${RUNS_CODE[language]} ${quoted(text)}`;
  });
  return lines.includes(undefined) ? undefined : (lines as readonly string[]);
}

/** The language of a script, by its interpreter or its own name. */
export function languageOfScript(program: string, file: string): CodeLanguage | undefined {
  return languageOf(program) ?? languageOfFile(file);
}

/** All code in another language among the words, variables and input of a command. `input` are the texts that it reads. */
export function codeIn(command: ShellCommand, input: readonly ShellWord[]): readonly Code[] {
  const rest = emptied(command);
  return rest === undefined ? codeOf(command, input) : [...codeOf(command, input), ...codeOf(rest, input)];
}

function codeOf(command: ShellCommand, input: readonly ShellWord[]): readonly Code[] {
  const [name, ...args] = command.words;
  const program = basename(name?.value ?? '');
  return [
    ...variablesOf(command).flatMap(([variable, value]) => codeOfVariable(variable, value)),
    ...codeGiven(program, args, input, command.piped === true),
    ...(isInteractive(command)
      ? input.map(({ value }) => ({ language: languageOf(program), text: value }))
      : []),
    ...codeBehind(program, args),
    ...otherCodeIn(command, input),
  ];
}

/** `uv run python -c …`, `docker exec x python3 -c …`: an interpreter among the words of another program. */
function codeBehind(program: string, args: readonly ShellWord[]): readonly Code[] {
  if (interpreterOf(program) !== undefined && !/^(?:uv|bun|deno)$/.test(program)) return [];
  const at = args.findIndex(({ value = '' }) => {
    const word = basename(value);
    return languageOf(word) !== undefined && languageOf(word) !== 'c' && !isShell(word);
  });
  const [name, ...rest] = at < 0 ? [] : args.slice(at);
  const isCode = rest.some(({ value = '' }) => value.startsWith('-'));
  return name === undefined || !isCode ? [] : codeGiven(basename(name.value ?? ''), rest, [], false);
}

function codeGiven(
  program: string,
  args: readonly ShellWord[],
  input: readonly ShellWord[],
  isPiped: boolean,
): readonly Code[] {
  const language = languageOf(program);
  const values = args.map(({ value, raw }) => value ?? raw);
  if (language === 'awk') {
    const isInput = values.some(
      (value, at) => IS_INPUT.test(value) && /^-f$|^--file$/.test(values[at - 1] ?? ''),
    );
    return [...awkScript(args), ...(isInput ? input : [])].map(({ value }) => ({ language, text: value }));
  }
  if (language === 'sed') return sedScripts(args);
  if (language === 'c') return compiled(values, input, isPiped);
  if (COMMANDED.test(program)) return commanded(program, values);
  const interpreter = interpreterOf(program);
  if (interpreter === undefined || isShell(program)) return [];
  const { preloads = [], code, codes = [], module, script } = readInvocation(args, interpreter) ?? {};
  const isInput =
    code === undefined && module === undefined && (script === undefined || IS_INPUT.test(script.value ?? ''));
  const isEncoded = preloads.some(({ file }) => /^['"]?data:/i.test(file.value ?? ''));
  return [
    ...(isEncoded ? [UNSEEN] : []),
    ...codes.map(({ value }) => ({ language, text: value })),
    ...(isInput
      ? input.flatMap(({ value }) => (value === undefined ? [] : [{ language, text: value }]))
      : []),
    ...(language === 'perl' ? values.flatMap(perlModule) : []),
    ...(language === 'ruby' &&
    preloads.some(({ file }) => /^(?:open3|pty|shell|fiddle)$/.test(file.value ?? ''))
      ? [UNSEEN]
      : []),
    ...(module !== undefined && RUNS_OPERANDS.test(module.value ?? '')
      ? operandsOf(module, args, language)
      : []),
  ];
}

const UNSEEN: Code = { language: undefined, text: undefined };

/** `python3 -m timeit 'code'`. */
function operandsOf(
  module: ShellWord,
  args: readonly ShellWord[],
  language: CodeLanguage | undefined,
): readonly Code[] {
  const at = args.findIndex(({ raw }) => raw === module.raw || raw.endsWith(module.raw));
  const rest = args
    .slice(at + 1)
    .filter(({ value = '' }) => /\W/.test(value) && !/^-\w$/.test(value) && !/^[\w./-]+$/.test(value));
  return rest.map(({ value }) => ({ language, text: value }));
}

/** `perl '-Mstrict;system(…)'`: what follows the name of the module is code. */
function perlModule(option: string): readonly Code[] {
  if (/^-(?:[acdlnpswtTuUWX\d]*d(?:t?:|[a-zA-Z]*[eE]|$)|[a-zA-Z\d]*d(?::|$))/.test(option)) return [UNSEEN];
  const [, kind, module = ''] = /^-(?:[lnpaiwE\d]*)([Mm])-?(.*)$/s.exec(option) ?? [];
  if (kind === undefined) return [];
  const [name = '', names] = module.split('=', 2);
  return [{ language: 'perl', text: `use ${name}${names === undefined ? '' : ` qw(${names})`};` }];
}

/** The scripts of awk: the first operand, or what its options give. */
function awkScript(args: readonly ShellWord[]): readonly ShellWord[] {
  const found: ShellWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as ShellWord;
    const { value } = word;
    if (value === undefined) return [word];
    if (/^-[vF]$|^--(?:assign|field-separator)$/.test(value)) at += 1;
    else if (/^-e$|^--source$/.test(value)) found.push(...args.slice(++at, at + 1));
    else if (/^--source=/.test(value)) found.push({ ...word, value: value.slice(9) });
    else if (/^-(?:[fE]|l|i)|^--(?:file|exec|load|include)/.test(value)) return found;
    else if (value === '--') return found.length > 0 ? found : args.slice(at + 1, at + 2);
    else if (!value.startsWith('-')) return found.length > 0 ? found : [word];
  }
  return found;
}

function sedScripts(args: readonly ShellWord[]): readonly Code[] {
  const found: (string | undefined)[] = [];
  let first: { readonly value: string | undefined } | undefined;
  let isGiven = false;
  for (let at = 0; at < args.length; at++) {
    const { value } = args[at] as ShellWord;
    const [, attached] = /^(?:-[nrEsuz]*e|--expression=)(.*)$/s.exec(value ?? '') ?? [];
    if (attached !== undefined) found.push(attached === '' ? args[++at]?.value : attached);
    else if (/^-[nrEsuz]*f|^--file/.test(value ?? '')) isGiven = true;
    else if (value === undefined || !value.startsWith('-')) first ??= { value };
  }
  const scripts = found.length > 0 ? found : isGiven || first === undefined ? [] : [first.value];
  return scripts.length === 0
    ? []
    : [{ language: 'sed', text: scripts.includes(undefined) ? undefined : scripts.join('\n') }];
}

/** `… | gcc -xc -`, and a text in the line. What a file contains is unknown anyway. */
function compiled(values: readonly string[], input: readonly ShellWord[], isPiped: boolean): readonly Code[] {
  if (!values.some((value) => /^(?:-|\/dev\/stdin)$/.test(value))) return [];
  if (input.length === 0) return isPiped ? [UNSEEN] : [];
  return input.map(({ value }) => ({ language: 'c', text: value }));
}

/** What is not known to be harmless is not understood; `!line` is read as a line where words are. */
function commanded(program: string, values: readonly string[]): readonly Code[] {
  if (program === 'emacs') return values.some((value) => EMACS_CODE.test(value)) ? [UNSEEN] : [];
  if (program === 'sqlite3')
    return values.some((value) =>
      /^\.o\w*\s+['"]?\||readfile\s*\((?!\s*'[^']*'\s*\))|\bedit\s*\(|load_extension|\.load\b|writefile\s*\([^)]*(?:\|\||\()/i.test(
        value,
      ),
    )
      ? [UNSEEN]
      : [];
  if (program === 'dc') return values.some((value) => value.includes('!')) ? [UNSEEN] : [];
  const commands = values.flatMap((value, at) => {
    if (TAKES_COMMAND.test(values[at - 1] ?? '')) return [value];
    if (TAKES_COMMAND.test(value)) return [];
    return COMMAND_ATTACHED.exec(value)?.[1] ?? [];
  });
  return commands.every((text) => HARMLESS_COMMAND.test(text) || /^:?[%\d,$]*!|^shell\s/.test(text))
    ? []
    : [UNSEEN];
}

function codeOfVariable(variable: string, value: string): readonly Code[] {
  if (variable === 'NODE_OPTIONS') return /[\s=]['"]?data:/i.test(value) ? [UNSEEN] : [];
  if (OPTION_VARIABLES.test(variable)) {
    if (HARMLESS_OPTIONS.test(value)) return [];
    const modules = variable === 'PERL5OPT' ? value.split(/\s+/).flatMap(perlModule) : [];
    return modules.length > 0 ? modules : [UNSEEN];
  }
  const name = variable.replace(/^(LUA_INIT)_\d+_\d+$/, '$1');
  const language = Object.hasOwn(CODE_VARIABLES, name) ? CODE_VARIABLES[name] : undefined;
  return language === undefined ? [] : [{ language, text: value.startsWith('@') ? '' : value }];
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
