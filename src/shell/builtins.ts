/** The effects of shell builtins: variables, the current folder, and which texts are evaluated again. */

import { knownOptions, readLeadingOptions } from './arguments.js';
import { isName } from './arithmetic.js';
import type { Reading } from './evaluate.js';
import type { Listing, ShellCommand, ShellWord } from './line.js';
import { isExpandedLater, setVariable } from './set-variable.js';
import { OUTPUT, UNKNOWN } from './state.js';

type Words = readonly ShellWord[];
type Apply = (args: Words, reading: Reading, name: string, command: ShellCommand) => void;

const NO_NAME = 'evaluates the name of a variable that it is given';

/** It is unknown which variable it sets. */
function setsAny(reading: Reading, name: string): void {
  reading.state.forgetAll();
  reading.doubt(`${name} ${NO_NAME}`);
}

/** `'x=($(a))'`: if the parentheses are not shell syntax, array elements are evaluated at run time. */
function mayHoldList(value: string | undefined, raw: string): boolean {
  return value === undefined ? !/^\w+(?:\+?=\(|$)/.test(raw) : /^\w+\+?=\(/.test(value);
}

const declare: Apply = (args, reading, name) => {
  const isArray = args.some(({ value }) => /^-[A-Za-z]*[aA]/.test(value ?? ''));
  const isFixed = name === 'readonly' || args.some(({ value }) => /^-[A-Za-z]*r/.test(value ?? ''));
  for (const { value, raw } of args) {
    const isOption = value !== undefined && /^[-+][A-Za-z]+$/.test(value);
    if (isOption && name !== 'export' && name !== 'readonly' && /[inluc]/.test(value))
      reading.doubt(`${name} ${value} evaluates what it assigns`);
    if (isOption) continue;
    const [, variable] = /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(value ?? raw) ?? [];
    if (variable === undefined || (value === undefined && !/^[A-Za-z_]\w*\+?=/.test(raw))) {
      setsAny(reading, name);
    } else if (value === undefined || !raw.startsWith(`${variable}=`)) {
      if (value !== variable) setVariable(variable, UNKNOWN, reading);
      if (isExpandedLater(variable, undefined)) reading.giveUp(`the shell expands ${variable} once more`);
    }
    if (variable === undefined) continue;
    if (isArray) reading.state.arrays.add(variable);
    if (isFixed) reading.state.fixed.add(variable);
    if (reading.state.arrays.has(variable) && mayHoldList(value, raw))
      reading.doubt(`${name} evaluates what it assigns`);
  }
};

/** Sets the variables that its operands name; `valued`: its options that take a value. */
const setsNamed =
  (letters: string, valued: string): Apply =>
  (args, reading, name, command) => {
    const options = readLeadingOptions(
      args.map(({ value }) => value),
      knownOptions(letters + valued),
    );
    const names = args.slice(options?.end ?? 0);
    const array = options?.given.get('-a');
    if (!options || !names.every(({ value }) => isName(value)) || (array !== undefined && !isName(array)))
      return setsAny(reading, name);
    const listed = name === 'read' && names.length === 1 && array === undefined ? command.input : undefined;
    const values = OUTPUT.map((held) =>
      listed?.kind === 'files' ? { ...held, output: lineOf(listed, command) } : held,
    );
    for (const variable of [...names.map(({ value = '' }) => value), ...(array === undefined ? [] : [array])])
      setVariable(variable, values, reading);
    for (const each of [array, ...(name === 'read' ? [] : names.map(({ value }) => value))])
      if (each !== undefined) reading.state.arrays.add(each);
    if (options.given.has('-C')) reading.giveUp(`${name} -C runs a command`);
  };

/** One option names a variable; `letters`: the other options. */
const setsByOption =
  (option: string, letters: string): Apply =>
  (args, reading, name) => {
    const [first, ...more] = args;
    if (first === undefined) return;
    if (first.value === undefined && first.splits && !first.plain) return setsAny(reading, name);
    if (!first.value?.startsWith('-')) return;
    const known = knownOptions(`${letters}${option}:`);
    const options = readLeadingOptions(
      [first, ...more].map(({ value }) => value),
      known,
    );
    const isRepeated = more.filter(({ value }) => value?.startsWith(`-${option}`)).length > 0;
    const variable = options?.given.get(`-${option}`);
    if (options && !options.given.has(`-${option}`)) return;
    if (isName(variable) && !isRepeated) setVariable(variable, UNKNOWN, reading);
    else setsAny(reading, name);
  };

/** `-v` evaluates a subscript; an unknown word could be `-v`. */
const test: Apply = (args, reading, name) => {
  // Digits that a command has printed are neither an option nor a name.
  const isOpen = ({ value, plain, sample, listing }: ShellWord): boolean =>
    value === undefined && !plain && (listing !== undefined || !/^[\w.]+$/.test(sample ?? ''));
  for (const [index, word] of args.entries()) {
    const next = args[index + 1];
    const isSubscribed = next !== undefined && (isOpen(next) || next.value?.includes('[') === true);
    const isDoubtful = isOpen(word) && (word.splits || isSubscribed);
    const isEvaluated = /^-[vR]$/.test(word.value ?? '') && next !== undefined && !isName(next.value);
    if (isDoubtful || isEvaluated) return reading.doubt(`${name} ${NO_NAME}`);
  }
};

const go: Apply = (args, reading) => {
  const [to, ...more] = args;
  const { state, context } = reading;
  const home = state.valuesOf('HOME') === undefined ? context.variables?.['HOME'] : undefined;
  const isPlain =
    more.length === 0 &&
    to?.globs !== true &&
    to?.value?.startsWith('-') !== true &&
    state.valuesOf('CDPATH') === undefined &&
    context.variables?.['CDPATH'] === undefined;
  state.go(isPlain ? (to === undefined ? home : to.value || undefined) : undefined);
};

const unset: Apply = (args, reading, name) => {
  if (!args.every(({ value }) => isName(value) || /^-[vfn]$/.test(value ?? ''))) setsAny(reading, name);
  for (const { value = '' } of args) if (isName(value)) reading.state.set(value, UNKNOWN);
};

const calculate: Apply = (args, reading, name) => {
  for (const { value } of args)
    if (value === undefined) reading.doubt(`${name} evaluates what is only known when it runs`);
    else reading.calculate(value);
};

const changesNames = (args: Words, reading: Reading, name: string): void => {
  if (args.length > 0) reading.giveUp(`${name} changes what later words mean`);
};

const BUILTINS: Readonly<Record<string, Apply>> = {
  cd: go,
  chdir: go,
  pushd: (_, { state }) => state.go(undefined),
  popd: (_, { state }) => state.go(undefined),
  declare,
  typeset: declare,
  local: declare,
  export: declare,
  readonly: declare,
  read: setsNamed('ers', 'a:d:i:n:N:p:t:u:'),
  mapfile: setsNamed('t', 'd:n:O:s:u:C:c:'),
  readarray: setsNamed('t', 'd:n:O:s:u:C:c:'),
  getopts: (args, reading, name, command) => setsNamed('', '')(args.slice(1, 2), reading, name, command),
  printf: setsByOption('v', ''),
  wait: setsByOption('p', 'nf'),
  test,
  '[': test,
  unset,
  let: calculate,
  alias: changesNames,
  enable: changesNames,
  hash: (args, reading, name) => {
    if (!args.every(({ value }) => value === '-r')) changesNames(args, reading, name);
  },
  set: (args, reading, name) => {
    const end = args.findIndex(({ value }) => value === '--' || value === '-');
    const options = end < 0 ? args : args.slice(0, end);
    if (options.some(({ value }) => value === undefined || /^-[A-Za-z]*k|^keyword$/.test(value)))
      changesNames(args, reading, name);
  },
  jobs: (args, reading, name) => {
    if (args.some(({ value }) => value === undefined || /^-.*x/.test(value)))
      reading.giveUp(`${name} -x runs a command`);
  },
  bind: changesNames,
  compgen: changesNames,
  complete: changesNames,
  compopt: changesNames,
  fc: changesNames,
};

/** Contract: the name of the command is known. */
export function applyBuiltin(command: ShellCommand, reading: Reading): void {
  const [name, ...args] = command.words;
  const known = name?.value ?? '';
  if (Object.hasOwn(BUILTINS, known)) BUILTINS[known]?.(args, reading, known, command);
}

/** `IFS= read -r -d ''` takes a name as it is; otherwise blanks, backslashes and line ends in it count. */
function lineOf(listing: Listing, { words, assignments }: ShellCommand): Listing {
  const isRaw = words.some(({ value = '' }) => /^-[a-z]*r/.test(value));
  const isWhole = assignments.some(({ name, value }) => name === 'IFS' && value?.value === '');
  const isToNull = words.some(({ value }, at) => value === '-d' && words[at + 1]?.value === '');
  return { ...listing, whole: isRaw && isWhole && isToNull && listing.nulls, nulls: false };
}
