/** What code in another language does, as far as its words say: which folders it lists, and whether it starts programs. */
import { join } from 'node:path/posix';
import { isSimplePattern } from './affected-paths.js';
import type { GivenFolder } from './given-folders.js';

/** Calls that list a folder or copy one. The names in the first part mean nothing else. */
const LISTS =
  /\b(listdir|scandir|iterdir|rglob|iglob|copytree|make_archive|readdir(?:Sync)?|opendir(?:Sync)?|readDir(?:Sync)?|cpSync|bsd_glob|globSync|File::Find|Find\.find|Dir\.\w+|Dir(?=\[)|lfs\.dir)|\b(glob|(?<!ast\.)walk|fs\.cp|tarfile\b[\s\S]*\.add)(?=\s*[("'])/g;
/** `<.*>` of perl. */
const ANGLES = /<([^<>\s]*[*?][^<>\s]*)>/g;
const LITERAL = /^\s*[([]?\s*[rbuf]{0,2}(['"`])((?:(?!\1)[^\\$#{])*)\1/i;
/** `Path("src").rglob(…)`. */
const BASE = /\b(?!require\b|import\b|__import__\b)\w+\s*\(\s*(['"])([^'"]*)\1\s*\)\s*\.\s*$/;

/** Contract: pure. A folder that is not a plain text in the code is the current one. */
export function foldersInCode(code: string): readonly GivenFolder[] {
  const found = [...code.matchAll(LISTS)].map((match) => {
    const after = code.slice(match.index + match[0].length);
    const [, , base = '.'] = BASE.exec(code.slice(0, match.index)) ?? [];
    return folderOf(base, LITERAL.exec(after)?.[2] ?? '');
  });
  const angles = [...code.matchAll(ANGLES)].map(([, pattern = '']) => folderOf('.', pattern));
  return [...found, ...angles];
}

/** The part before the first wildcard is the folder; the last name says which of its files. */
function folderOf(base: string, pattern: string): GivenFolder {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[]/.test(name));
  if (first < 0) return { path: pattern.startsWith('/') ? pattern : join(base, pattern || '.'), filter: {} };
  const last = names.at(-1) ?? '';
  const start = pattern.startsWith('/') ? '/' : base;
  const only = last !== '**' && isSimplePattern(last) ? { only: [last] } : {};
  return { path: join(start, ...names.slice(0, first)), filter: only };
}

/** Calls that start a program, or run a text as code. */
const STARTS =
  /(?<![\w$])(system|popen|Popen|check_output|check_call|getoutput|getstatusoutput|exec[lv]p?e?|p?spawn(?:[lv]p?e?|Sync)?|posix_spawnp?|startfile|shell_exec|passthru|proc_open|pcntl_exec|os\.execute|execSync|execFile(?:Sync)?|fork|Open3\.\w+|(?<!\.)exec|(?<!\.)eval|new Function|__import__)\b/g;
/** Of Python's `subprocess`. */
const RUNS = /\b(?:run|call)(?=\s*\()/g;
/** The same words are common in JavaScript; there they mean it only with this module. */
const JAVASCRIPT = /^(?:node|nodejs|tsx|ts-node|bun|deno|zx|vite-node)$/;
const STARTS_IN_JAVASCRIPT = /child_process|process\.binding|mainModule|_load|Bun\.|Deno\.|\$`/;
const AWK = /^[gmn]?awk$/;
const COMPUTED_MODULE = /\b(?:require|import)\s*\(([^()]*)\)/g;
const BACKTICKS = /`[^`]*[$#@\\][^`]*`|(?:\bqx|%x)\W[^\n]*[$#@\\]/;
const LOOKS_UP = /\bgetattr\s*\(\s*(?:os|subprocess|posix|__builtins__|__import__|globals|sys\.modules)\b/;
const AWK_TEXT = /"(?:[^"\\\n]|\\[^\n])*"/g;
/** A pattern of awk, where it cannot be a division. */
const AWK_PATTERN = /(^|[{};(,!~&|\n]\s*)\/(?:[^/\\\n]|\\[^\n])+\//g;
/** `| "sort -n"` at the end of a statement, and `"date" | getline` at its start. */
const PLAIN_PIPE =
  /\|&?\s*"([^"\\]*)"(?=\s*(?:[;}\n]|$))|(?<=(?:^|[{;(\n])\s*)"[^"\\]*"\s*\|&?(?=\s*getline\b)/g;
/** They run what they read, or get their words from it. */
const OBEYS = /\b(?:\w*sh|xargs|parallel|at|batch|env|python[\d.]*|perl|ruby|node|php|lua|ed|ex|make)\b/;
/** Plain text, without anything that its language may replace. */
const PLAIN_TEXT = /(?:\b[rbu])?(['"])(?:(?!\1)[^\\$#`])*\1/g;
const NAMED_ARGUMENT = /\w+\s*[=:]\s*[\w.]*/g;

/**
 * Whether the code starts a program, or runs code, that is not written in it as plain text: `system("r" . "m")`.
 * Contract: pure.
 */
export function startsUnseen(program: string, code: string): boolean {
  if (JAVASCRIPT.test(program)) {
    const isComputed = [...code.matchAll(COMPUTED_MODULE)].some(
      ([, name = '']) => !isPlain(name) && !/['"`][^'"`]*[./]/.test(name),
    );
    if (isComputed) return true;
    if (!STARTS_IN_JAVASCRIPT.test(code)) return /(?<!\.)\beval\s*\(|new Function/.test(code);
  } else if (BACKTICKS.test(code) || opensUnseen(code)) return true;
  if (AWK.test(program) && pipesUnseen(code)) return true;
  const calls = [...code.matchAll(STARTS), ...(/\bsubprocess\b/.test(code) ? code.matchAll(RUNS) : [])];
  const isPlainly = ({ 0: name, index }: RegExpExecArray): boolean => isPlainCall(code, index + name.length);
  return LOOKS_UP.test(code) || !calls.every(isPlainly);
}

/**
 * Whether an awk script has a pipe to or from a program that is not one plain text, or to one that may obey what it
 * reads, or calls a function by a name that is only known when it runs.
 */
function pipesUnseen(script: string): boolean {
  const code = script.replaceAll(AWK_PATTERN, '$1');
  const withoutPipes = code.replaceAll(PLAIN_PIPE, (pipe, target) => (OBEYS.test(target ?? '') ? pipe : ''));
  return /\||@\s*\w+\s*\(/.test(withoutPipes.replaceAll('||', '').replaceAll(AWK_TEXT, '""'));
}

/** A word that is not called only matters if it gets another name: `import system as s`. */
function isPlainCall(code: string, at: number): boolean {
  const after = code.slice(at);
  if (/^\s*\(/.test(after)) return isPlain(argumentsIn(after));
  const [, args] = /^\s+(?=['"$@\w])([^;}\n]*)/.exec(after) ?? [];
  if (args === undefined) return !/^\s*:/.test(after);
  return /^['"]/.test(args) ? isPlain(args) : !/^(?:as\b|[$@]|[\w:]+\s*[("'<])/.test(args);
}

/** `open F, "|" . $x` of perl starts a program too. */
function opensUnseen(code: string): boolean {
  return [...code.matchAll(/\bopen\b\s*\(?\s*(?:my\s+)?[$\w]+\s*,([^;]*\|[^;]*)/g)].some(
    ([, args = '']) => !isPlain(args),
  );
}

/** The text in the parentheses at the start. */
function argumentsIn(text: string): string {
  const start = text.indexOf('(');
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  return text.slice(start + 1);
}

function isPlain(args: string): boolean {
  const rest = args.replaceAll(PLAIN_TEXT, '"').replaceAll(NAMED_ARGUMENT, '');
  // Texts without a comma between them are one text.
  return /^[\s,[\](){}"]*$/.test(rest) && !/"\s*"/.test(rest);
}
