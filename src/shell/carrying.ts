/**
 * The ways in which programs run other programs: after their options, as a shell line, or with words from elsewhere.
 */
import { type KnownOptions, knownOptions, readLeadingOptions } from './arguments.js';
import { onlyInforms } from './informing.js';
import type { Output, ShellAssignment, ShellCommand, ShellWord } from './line.js';
import { runsInput } from './option-carriers.js';
import { printedBy } from './outputs.js';
import { LISTED, sampleFor } from './pieces.js';

/** What a carrier runs: words, a shell line, or something only known at run time. */
export type Carried = CarriedWords | CarriedLine | { readonly unknown: string; readonly wrapped?: false };

interface CarriedWords {
  readonly words: readonly ShellWord[];
  readonly assignments?: readonly ShellAssignment[];
  /** The carrier does nothing but run it. */
  readonly wrapped?: boolean;
  /** Unknown words are added. */
  readonly fed?: boolean;
  readonly feed?: ShellCommand['feed'];
}

interface CarriedLine {
  readonly line: string;
  readonly wrapped?: boolean;
  /** Run by the current shell, not a new one. */
  readonly here?: boolean;
}

type Words = readonly ShellWord[];
export type Carry = (args: Words, command: ShellCommand) => readonly Carried[];

/** Options, then `skip` more words, then a command. Without one it starts a shell, if an option says so. */
export const wraps =
  (known: KnownOptions, { skip = 0, wrapped = true, not = /^$/, shell: starts = /^$/ } = {}): Carry =>
  (args, command) => {
    const options = readLeadingOptions(valuesIn(args), known);
    if (!options) return unknownOptions(command);
    if ([...options.given.keys()].some((option) => not.test(option))) return [];
    if (args.slice(0, options.end + skip).some(({ value }) => value === undefined))
      return unknownInput(command);
    const words = args.slice(options.end + skip);
    const isShell = words.length === 0 && [...options.given.keys()].some((option) => starts.test(option));
    return isShell ? runsInput(command) : runs(words, wrapped, !wrapped);
  };

/** `assigns`: words like `NAME=value` in front of the command are variables for it. */
function runs(given: Words, wrapped: boolean, assigns = false): readonly Carried[] {
  const isAssignment = ({ value }: ShellWord): boolean => value !== undefined && /^[^=]+=/.test(value);
  const first = assigns ? given.findIndex((word) => !isAssignment(word)) : 0;
  if (first < 0 || given.length === 0) return [];
  const assignments = given.slice(0, first).map((word) => {
    const [name = ''] = (word.value ?? '').split('=', 1);
    return { name, raw: word.raw, value: { ...word, value: word.value?.slice(name.length + 1) } };
  });
  return [{ words: given.slice(first), assignments, wrapped }];
}

export const NO_OPTIONS = knownOptions();

const TIME = knownOptions('pvaqVf:o:', 'portability verbose append quiet format= output=');

/** The program of that name, not the keyword: it writes its figures to the file of `-o`. */
export const times: Carry = (args, command) => {
  const options = readLeadingOptions(valuesIn(args), TIME);
  const outputs = ['-o', '--output'].flatMap((name) => {
    if (!options?.given.has(name)) return [];
    const value = options.given.get(name);
    return [{ words: [word('tee'), { ...word(value ?? ''), value, plain: value !== undefined }] }];
  });
  return [...wraps(TIME)(args, command), ...outputs];
};

/** `env A=1 -u B program`. */
export const env: Carry = (args, command) => {
  const known = knownOptions(
    'i0vu:C:S:',
    'ignore-environment null debug unset= chdir= split-string= block-signal default-signal ignore-signal list-signal-handling',
  );
  const options = readLeadingOptions(valuesIn(args), known);
  if (!options) return unknownOptions(command);
  const line = options.given.get('-S') ?? options.given.get('--split-string');
  const rest = args.slice(options.end);
  if (options.given.has('-S') || options.given.has('--split-string')) {
    const isPlain = line !== undefined && /^[\w\s./:=@%+,-]*$/.test(line);
    return isPlain
      ? [{ line: [line, ...rest.map(({ raw }) => raw)].join(' '), wrapped: true }]
      : unknownInput(command);
  }
  return runs(rest, true, true);
};

/** `=rm`, `*(e:rm x:)`, `${(e)x}`, modules: what only zsh runs. */
const IN_ZSH =
  /(?:^|[\s;&|({])=[\w("'$\\]|[^\s$;&|({=<>]\((?!\))|\$\{?[=~^]|\$\{\(|\bzf_|\b(?:zmodload|autoload|sched|print\s+-\w*z)\b/;

const OF_SHELLS = knownOptions(
  'abefhiklmnprstuvxBCEHPTDco:O:',
  'norc noprofile posix login restricted verbose noediting debugger rcfile= init-file=',
);

/** `sh -c line`, `sh script`, or a shell that reads its input. */
export const shell: Carry = (args, command) => {
  if (
    onlyInforms(
      'bash',
      args.map(({ value = '' }) => value),
    )
  )
    return [];
  const words = args.map((word) =>
    word.value?.startsWith('+') ? { ...word, value: word.value.replace('+', '-') } : word,
  );
  const options = readLeadingOptions(valuesIn(words), OF_SHELLS);
  if (!options) return unknownOptions(command);
  const rest = args.slice(options.end);
  if (options.given.has('-c')) {
    const line = rest[0]?.value;
    // Only some shells know these quotes; in others the text ends elsewhere.
    const isDoubtful =
      line === undefined ||
      (/zsh$/.test(command.words[0]?.value ?? '') && IN_ZSH.test(line)) ||
      (/\$['"]/.test(line) && !/bash$/.test(command.words[0]?.value ?? ''));
    return isDoubtful ? unknownInput(command) : [{ line, wrapped: true }];
  }
  const [script] = rest;
  if (script && (isSubstitution(script) || (command.fed && script.value === undefined)))
    return unknownInput(command);
  if (
    rest.length > 0 &&
    !options.given.has('-s') &&
    !/^\/(?:dev\/stdin|dev\/fd\/|proc\/)/.test(rest[0]?.value ?? '')
  )
    return [];
  return reads(command);
};

/** A shell runs its input. */
function reads(command: ShellCommand): readonly Carried[] {
  return runsInput(command).map((carried) => ('line' in carried ? { ...carried, wrapped: true } : carried));
}

export const source: Carry = (args, command) => {
  const [file] = args;
  const isStream = file?.value === undefined || /^\/(?:dev|proc)\//.test(file.value);
  return isStream && args.length > 0 ? unknownInput(command) : [];
};

export const evaluates: Carry = (args, command) => {
  const values = valuesIn(args);
  if (!values.every((value) => value !== undefined)) return unknownInput(command);
  return args.length === 0 ? [] : [{ line: values.join(' '), wrapped: true, here: true }];
};

/** `trap line SIGNAL`; without a line it resets or lists. */
export const trap: Carry = (args, command) => {
  const [first, second] = args[0]?.value === '--' ? args.slice(1) : args;
  if (first === undefined || /^-[lpP]?$/.test(first.value ?? '') || first.value === '') return [];
  if (second === undefined && /^(?:[A-Z0-9]+)$/.test(first.value ?? '')) return [];
  return first.value === undefined
    ? unknownInput(command)
    : [{ line: first.value, wrapped: true, here: true }];
};

/** The words that it reads from its input are appended, or replace the placeholder of `-I`. */
export const xargs: Carry = (args, command) => {
  const known = knownOptions(
    '0rtxpoe?i?l?a:E:I:L:n:P:s:d:',
    'null no-run-if-empty verbose exit interactive open-tty arg-file= delimiter= eof replace= max-lines max-args= max-procs= max-chars= show-limits',
  );
  const options = readLeadingOptions(valuesIn(args), known);
  if (!options) return unknownOptions(command);
  const words = args.slice(options.end);
  const place =
    options.given.get('-I') ??
    options.given.get('--replace') ??
    (options.given.has('-i') ? (options.given.get('-i') ?? '{}') : undefined);
  const output = fedTo(command, options.given);
  return words.length === 0
    ? []
    : [
        {
          words: place ? words.map((word) => filledIn(word, place, output)) : words,
          ...{ fed: true, wrapped: true },
          ...(output && { feed: { output, appended: !place } }),
        },
      ];
};

/** What it adds, if that comes from its input. */
function fedTo(
  { input, redirects }: ShellCommand,
  given: ReadonlyMap<string, string | undefined>,
): Output | undefined {
  if (given.has('-a') || given.has('--arg-file')) return undefined;
  const isRead = redirects.some(({ operator }) => operator.startsWith('<'));
  if (input?.kind !== 'files' || isRead) return isRead ? { kind: 'text' } : (input ?? { kind: 'text' });
  const isNull = given.has('-0') || given.has('--null');
  if (isNull !== input.nulls) return undefined;
  return { ...input, nulls: false, whole: isNull };
}

function filledIn(word: ShellWord, place: string, output?: Output): ShellWord {
  if (!word.value?.includes(place)) return word;
  const filled = { ...word, value: undefined, plain: false };
  if (output?.kind === 'files' && word.value === place) return { ...filled, sample: LISTED, listing: output };
  const sample = output && sampleFor(output);
  return sample === undefined ? filled : { ...filled, sample: word.value.replaceAll(place, sample) };
}

export const find: Carry = (args, command) => {
  const carried: Carried[] = [];
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value;
    if (value === undefined && !args[at]?.plain) return unknownInput(command);
    if (value === '-delete')
      carried.push({ words: [word('rm'), word('-f'), { ...word('{}'), value: undefined, plain: false }] });
    if (/^-f(?:print0?|printf|ls)$/.test(value ?? ''))
      carried.push({ words: [word('tee'), ...args.slice(at + 1, at + 2)] });
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value ?? '')) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (each, index) => each.value === ';' || (each.value === '+' && rest[index - 1]?.value === '{}'),
    );
    const words = rest.slice(0, end < 0 ? undefined : end);
    const found =
      value === '-exec' ? printedBy({ ...command, words: command.words.slice(0, at + 1) }) : undefined;
    const output: Output | undefined =
      found?.kind === 'files' ? { ...found, nulls: false, whole: true } : undefined;
    carried.push({
      words: words.map((each) => filledIn(each, '{}', output)),
      fed: true,
      ...(output && { feed: { output, appended: false } }),
    });
    at += words.length;
  }
  return carried;
};

/** Before the letter that takes the command, no letter that takes a value: `-tx` looks for programs. */
const FD_EXEC = /^(?:-[^-etdESjocC]*[xX](.*)|--exec(?:-batch)?(?:=(.*))?)$/s;

/** `fd pattern -x program`: the rest of the line, up to `;`, is the command. */
export const fd: Carry = (args, command) => {
  const carried: Carried[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as ShellWord;
    if (word.value === undefined && !word.plain) return unknownInput(command);
    const given = FD_EXEC.exec(word.value ?? '');
    if (given === null) continue;
    const attached = given[1] || given[2];
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ value }) => value === ';');
    const words = [
      ...(attached ? [{ ...word, value: attached, raw: attached }] : []),
      ...rest.slice(0, end < 0 ? undefined : end),
    ];
    const isFilled = ({ value = '' }: ShellWord): boolean => /\{[/.]*\}/.test(value);
    carried.push({
      words: words.map((each) => (isFilled(each) ? { ...each, value: undefined, plain: false } : each)),
      fed: true,
    });
    at += end < 0 ? rest.length : end + 1;
  }
  return carried;
};

export const watch: Carry = (args, command) => {
  const options = readLeadingOptions(
    valuesIn(args),
    knownOptions(
      'bcdegtxwn:q:',
      'beep color differences errexit chgexit interval= no-title exec precise no-wrap equexit=',
    ),
  );
  if (!options) return unknownOptions(command);
  const rest = args.slice(options.end);
  if (options.given.has('-x') || options.given.has('--exec')) return runs(rest, true);
  return asLine(rest, command);
};

export const flock: Carry = (args, command) => {
  const options = readLeadingOptions(
    valuesIn(args),
    knownOptions(
      'sexnuoFw:E:',
      'shared exclusive unlock nonblock nb close no-fork verbose timeout= wait= conflict-exit-code=',
    ),
  );
  if (!options) return unknownOptions(command);
  const [, ...rest] = args.slice(options.end);
  if (rest[0]?.value === '-c' || rest[0]?.value === '--command') return asLine(rest.slice(1, 2), command);
  return runs(rest, false);
};

/** `su -c line user`. Other words may be for its shell, so it is also treated as a program that may run them. */
export const su: Carry = (args, command) => {
  const at = args.findIndex(({ value = '' }) => /^(?:-[a-z]*c|--c[a-z]*(?:=.*)?)$/s.test(value));
  const given = args[at]?.value;
  if (given === undefined) return runsInput(command);
  const line = given.includes('=') ? given.slice(given.indexOf('=') + 1) : args[at + 1]?.value;
  return line === undefined ? unknownInput(command) : [{ line }];
};

function asLine(words: Words, command: ShellCommand): readonly Carried[] {
  if (words.length === 0) return [];
  const values = valuesIn(words);
  if (!values.every((value) => value !== undefined)) return unknownInput(command);
  return [{ line: values.join(' '), wrapped: true }];
}

/** With unknown words appended: they may be the command, or more words for it. */
export function carryFed(carry: Carry, args: Words, command: ShellCommand): readonly Carried[] {
  const added: ShellWord = { ...word(''), value: undefined, splits: true, plain: false };
  return carry([...args, added], command).flatMap((carried): readonly Carried[] => {
    if (!('words' in carried)) return [carried];
    const words = carried.words.filter((each) => each !== added);
    return words.length === 0 ? unknownInput(command) : [{ ...carried, words, fed: true }];
  });
}

/** `<(…)`: the content of the file is the output of a command. */
export function isSubstitution({ raw, plain }: ShellWord): boolean {
  return !plain && raw.includes('<(');
}

const word = (text: string): ShellWord => ({
  raw: text,
  value: text,
  globs: false,
  splits: false,
  plain: true,
  environment: [],
});

function unknownInput({ words: [name] }: ShellCommand): readonly Carried[] {
  return [{ unknown: `what \`${name?.raw}\` runs is only known when it runs` }];
}

function unknownOptions({ words: [name] }: ShellCommand): readonly Carried[] {
  return [{ unknown: `what \`${name?.raw}\` runs cannot be determined from its options` }];
}

function valuesIn(words: Words): readonly (string | undefined)[] {
  return words.map(({ value }) => value);
}
