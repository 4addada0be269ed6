/** Finds code in options, subcommands and input of programs that are no interpreters of files, or whose language is not read. */
import { basename } from 'node:path/posix';
import { isCarrier } from '../shell/carriers.js';
import type { CodeLanguage } from '../shell/code/started-lines.js';
import { interpreterOf } from '../shell/interpreters.js';
import type { ShellCommand, ShellWord } from '../shell/read-line.js';
import { runsNothing } from '../shell/runs-nothing.js';

/** A piece of code; without a language it is not read. */
interface Code {
  readonly language: CodeLanguage | undefined;
  readonly text: string | undefined;
}

interface Takes {
  readonly program: RegExp;
  /** The option or subcommand in front of the code. */
  readonly option: RegExp;
  readonly language?: CodeLanguage;
  /** What in a text makes it code that may start a program. */
  readonly doubt?: RegExp;
}

/** Something is called, quoted, filled in or put together. */
const IS_CODE = /[("'`$\\|]/;
const IN_OTHER_SHELLS = /[(){}$\\`*?[\]@^]|\b(?:source|eval|alias)\b/;

const TAKES: readonly Takes[] = [
  { program: /^deno$/, option: /^eval$/, language: 'javascript' },
  { program: /^mongo(?:sh)?$/, option: /^--eval$/, language: 'javascript' },
  { program: /^(?:texlua|luau|tarantool|resty)$/, option: /^-e$/, language: 'lua' },
  { program: /^(?:irb|pry|jruby|truffleruby|mruby)$/, option: /^(?:-e|--exec)$/, language: 'ruby' },
  { program: /^rake$/, option: /^(?:-[eEp]|--execute(?:-\w+)?)$/, language: 'ruby' },
  { program: /^rails$/, option: /^(?:runner|r)$/, language: 'ruby' },
  { program: /^wp$/, option: /^eval$/, language: 'php' },
  { program: /^drush$/, option: /^(?:ev|eval|php[-:]eval)$/, language: 'php' },
  { program: /^artisan$/, option: /^--execute$/, language: 'php' },
  { program: /^manage\.py$/, option: /^(?:-c|--command)$/, language: 'python' },
  { program: /^(?:sage|jython|micropython|ptpython|graalpy)$/, option: /^-c$/, language: 'python' },
  { program: /^blender/, option: /^--python-expr$/, language: 'python' },
  {
    program: /^(?:fish|nu|elvish|xonsh|rc|es|t?csh)$/,
    option: /^(?:-[a-zA-Z]*[cC]|--commands?|--init-command)$/,
    doubt: IN_OTHER_SHELLS,
  },
  {
    program:
      /^(?:R|Rterm|octave(?:-cli)?|scilab|iex|mix|erl|raku|perl6|pike|janet|fennel|ghc|kotlin|scala(?:-cli)?|amm|clojure|clj|bb|guile|racket|csi|gosh|gsi|ecl|sbcl|ccl|clisp|v|crystal|nim|swift|ocaml|emacsclient|gnuplot|maxima|gp|root|gs|ghostscript|sbt)$/,
    option: /^(?:-[eEcx]|-ex|-q|-M|eval|e)$/,
  },
  { program: /^mlr$/, option: /^(?:put|filter)$/, doubt: /\b(?:system|exec)\b|[|>]/ },
  { program: /^rpm$/, option: /^(?:-E|--eval)$/, doubt: /%[({]/ },
];
/** Such an option takes code wherever it is found. */
const TAKES_CODE = /^(?:-[eE]|--?eval(?:uate)?|--expr|--execute|--code|--batch-string)$/;
/** Where it takes something else: a filter, a query, a line for a shell. */
const TAKES_NO_CODE =
  /^(?:jq|gojq|yq|rsync|ssh|scp|psql|mysql|mariadb|sqlite3|duckdb|clickhouse|gh|cypress|ansible\S*|xterm|alacritty)$/;
/** They run their operands, or what operands call. */
const RUNS_OPERANDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:lua|pdf|xe)?(?:la)?tex$/, /\\(?:directlua|write|immediate|csname|input\s*\|)/],
  [/^(?:bb|sbt|cling|awesome-client)$/, IS_CODE],
];
/** They run their input. */
const REPLS: readonly (readonly [RegExp, CodeLanguage?])[] = [
  [/^(?:irb|pry|jirb)$/, 'ruby'],
  [/^psysh$/, 'php'],
  [/^(?:sage|ptpython|bpython)$/, 'python'],
  [/^mongo(?:sh)?$/, 'javascript'],
  [
    /^(?:m4|erb|ghci|iex|erl|octave(?:-cli)?|R|Rterm|gnuplot|maxima|gp|jshell|clisp|sbcl|ecl|ccl|csi|gsi|gosh|chez|scheme|bb|clojure|clj|scala|amm|kotlinc|groovysh|utop|ocaml|sml|raku|tarantool|root|cling|nu|elvish|pwsh|powershell|t?csh)$/,
  ],
];
/** Their console is one: `rails console`. */
const CONSOLES: readonly (readonly [RegExp, RegExp, CodeLanguage?])[] = [
  [/^(?:rails|bundle)$/, /^(?:console|c)$/, 'ruby'],
  [/^artisan$/, /^tinker$/, 'php'],
  [/^wp$/, /^shell$/, 'php'],
  [/^manage\.py$/, /^shell(?:_plus)?$/, 'python'],
  [/^(?:terraform|tofu)$/, /^console$/],
];

/** Whether it runs its input as code in a language of its own. */
export function isRepl(program: string): boolean {
  return REPLS.some(([pattern]) => pattern.test(program));
}

/** Contract: pure. `input` are the texts that the command reads. */
export function otherCodeIn(command: ShellCommand, input: readonly ShellWord[]): readonly Code[] {
  if (runsNothing(command)) return [];
  const words = command.words.map(({ value, raw }) => value ?? raw);
  const program = basename(words[0] ?? '');
  const names = words.map((word) => basename(word));
  return [
    ...codeInOptions(program, words, names),
    ...RUNS_OPERANDS.filter(([pattern]) => pattern.test(program)).flatMap(([, doubt]) =>
      words.slice(1).flatMap((text) => (doubt.test(text) ? [{ language: undefined, text }] : [])),
    ),
    ...inputCode(program, names, input),
    ...(/^perl[\d.]*$/.test(program) && words.some(leavesSplit) ? [{ language: undefined, text: '' }] : []),
  ];
}

/** `perl -F'/,/,x;system(…);(/' …`: what follows the pattern is code. */
function leavesSplit(word: string): boolean {
  const [, quote = '', rest = ''] = /^-[\w]*F(["'/])(.*)$/s.exec(word) ?? [];
  return quote !== '' && rest.includes(quote) && rest.indexOf(quote) < rest.length - 1;
}

function codeInOptions(program: string, words: readonly string[], names: readonly string[]): readonly Code[] {
  const rows = TAKES.flatMap((each) => {
    const at = names.findIndex((name) => each.program.test(name));
    return at < 0 || (at > 0 && isText(program)) ? [] : [{ ...each, at }];
  });
  if (rows.length > 0)
    return rows.flatMap(({ at, option, language, doubt = IS_CODE }) =>
      valuesOf(
        words.slice(at + 1),
        (word) => option.test(word) || (language === undefined && TAKES_CODE.test(word)),
      ).flatMap((text) => (language !== undefined || doubt.test(text) ? [{ language, text }] : [])),
    );
  if (isText(program) || names.some((name) => interpreterOf(name) !== undefined)) return [];
  return valuesOf(words.slice(1), (word) => TAKES_CODE.test(word)).flatMap((text) =>
    IS_CODE.test(text) && !/^\w+=/.test(text) ? [{ language: undefined, text }] : [],
  );
}

const isText = (program: string): boolean => isCarrier(program) || TAKES_NO_CODE.test(program);

/** The values of an option, in the next word, or in its own: `--eval=x`, `-ex`. */
function valuesOf(words: readonly string[], takes: (word: string) => boolean): readonly string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (takes(word)) return next === undefined ? [] : [next];
    const [, name = '', long] = /^(--?[a-z][\w-]*)=(.*)$/s.exec(word) ?? [];
    if (long !== undefined && takes(name)) return [long];
    const isShort = /^-\w[^\w-]/.test(word) || (/^-\w./.test(word) && IS_CODE.test(word));
    return isShort && takes(word.slice(0, 2)) ? [word.slice(2)] : [];
  });
}

function inputCode(program: string, names: readonly string[], input: readonly ShellWord[]): readonly Code[] {
  const consoles = CONSOLES.filter(([pattern, command]) => {
    const at = names.findIndex((name) => pattern.test(name));
    return at >= 0 && names.slice(at + 1).some((name) => command.test(name));
  }).map(([, , language]) => language);
  const languages = [
    ...consoles,
    ...REPLS.filter(([pattern]) => pattern.test(program)).map(([, language]) => language),
  ];
  return languages.flatMap((language) =>
    input.flatMap(({ value }) =>
      value !== undefined && (language !== undefined || IS_CODE.test(value))
        ? [{ language, text: value }]
        : [],
    ),
  );
}
