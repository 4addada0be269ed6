/**
 * Evaluates a word of a shell line, as far as its value is known before the line runs; also reads the commands inside
 * it.
 */
import { braceExpand } from 'minimatch';
import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { isHarmlessExpression, isHarmlessSubscript, namesReadBy } from './arithmetic.js';
import { combinations } from './combinations.js';
import type { Output, ShellCommand, ShellContext, ShellWord } from './line.js';
import { ID, literal, type Piece, unknown, wordsOf } from './pieces.js';
import { type Held, heldText, type ShellState, UNKNOWN, type Values } from './state.js';
import { evaluateSubstitution, withNumbers } from './substitutions.js';
import { isOrdinaryVariable, isPublicVariable } from './variables.js';

/** What the evaluation of words needs from the reader. */
export interface Reading {
  readonly state: ShellState;
  readonly context: ShellContext;
  /** Collects the environment variables whose values a word may contain; those without secrets are left out. */
  used: Set<string>;
  /** All of them that the line uses: a variable of unknown origin may hold their values. */
  readonly stored: readonly string[];
  /** Records that the line may show their values without a command that prints them. */
  reveal(names: Iterable<string>): void;
  /** Records that there may be commands that were not found. */
  giveUp(why: string): void;
  /** The same, if a listed command shows it, or if an evaluated value may hide a command. */
  doubt(why: string): void;
  /** Checks an expression and records the variables that it sets. */
  calculate(text: string): void;
  /** Records that the line tests whether a file exists. */
  noteTested(path: string): void;
  /** Sets a variable, which is recorded as a command. */
  assign(name: string, values: Values): void;
  /**
   * Reads a script that runs in its own shell. Returns its command if it is a single one, and the alternatives that run
   * if it fails; and what kind of text it prints.
   */
  inside(script: ParsedScript | undefined, isFed?: boolean): Inside;
}

export interface Inside {
  readonly alternatives: readonly ShellCommand[];
  readonly output: Output | undefined;
}

type Pieces = readonly Piece[];

const MAX_ALTERNATIVES = 64;
/** The value of `<(…)`: what is read or written there is attributed to the command in it. */
export const PIPE = '/dev/null';
/** `"${x:-'$(a)'}"`: whether the quotes have a meaning depends on the operator and the context. */
const QUOTE_INSIDE = /^..(?=.*')(?=.*[$`])/s;
const SIMPLE_BRACES = /^[^'"\\$`~]*$/;

/** All alternatives of a word; each is a list of the words it becomes. */
export function evaluate(word: Word, reading: Reading): readonly (readonly ShellWord[])[] {
  if (word.parts === undefined) checkWhole(word, reading);
  if (word.parts === undefined && !word.text.startsWith('~')) return [[plainWord(word)]];
  const spread = spreadBraces(word);
  if (spread) return [spread];
  const [alternatives, environment] = collect(reading, () => alternativesOf(word, reading));
  return alternatives.map((pieces) => wordsOf(word.text, pieces, environment));
}

/** The result, and the environment variables whose values were used for it. */
export function collect<Result>(reading: Reading, run: () => Result): [Result, readonly string[]] {
  const [result, names] = collectApart(reading, run);
  for (const name of names) reading.used.add(name);
  return [result, names];
}

function collectApart<Result>(reading: Reading, run: () => Result): [Result, readonly string[]] {
  const outer = reading.used;
  const used = new Set<string>();
  reading.used = used;
  const result = run();
  reading.used = outer;
  return [result, [...used]];
}

function plainWord({ text: raw, value }: Word): ShellWord {
  return { raw, value, globs: false, splits: false, plain: true, environment: [] };
}

/** Whether a pattern may match a part of a text, so that a match says something about the rest: not `*` alone. */
export function mayMatchPart(alternatives: readonly (readonly ShellWord[])[]): boolean {
  return alternatives.flat().some(({ value, globs }) => value === undefined || (globs && value !== '*'));
}

/** Whether a text matches a pattern says something about both, unless only the whole text does. */
export function revealMatch(pattern: Word, compared: readonly string[], reading: Reading): void {
  const [words, used] = collect(reading, () => evaluate(pattern, reading));
  if (mayMatchPart(words)) reading.reveal([...compared, ...used]);
}

/** As a single word, whatever it contains: an assignment or the target of a redirection. */
export function evaluateAsOne(word: Word, reading: Reading): ShellWord {
  const all = evaluate(word, reading);
  const [only] = all[0] ?? [];
  if (all.length === 1 && all[0]?.length === 1 && only) return only;
  const flat = all.flat();
  return {
    raw: word.text,
    value: flat.length === 0 ? '' : undefined,
    globs: false,
    splits: false,
    plain: flat.every(({ plain }) => plain),
    environment: flat.flatMap(({ environment }) => environment),
  };
}

/** The value of a variable after assigning the word: nothing is split or globbed. */
export function evaluateValue(word: Word, reading: Reading): Values {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion')) {
    evaluate(word, reading);
    return [heldText(word.value)];
  }
  const [alternatives, environment] = collect(reading, () => alternativesOf(word, reading));
  return alternatives.map((pieces): Held => {
    if (pieces.length === 1 && pieces[0]?.number === true)
      return { text: pieces[0].text, globs: false, number: true, environment: [] };
    const [first, ...more] = pieces.filter(({ text }) => text !== '');
    const output = more.length === 0 ? first?.output : undefined;
    if (pieces.some(({ text }) => text === undefined))
      return {
        ...{ text: undefined, globs: true, number: output?.kind === 'number', environment },
        ...(output && { output }),
      };
    const held = heldText(pieces.map(({ text }) => text).join(''));
    return pieces.some(({ globs }) => globs) ? { ...held, globs: true } : held;
  });
}

/** The possible values of a loop variable over the word. */
export function evaluateList(word: Word, reading: Reading): Values {
  return evaluate(word, reading).flatMap((words) =>
    words.flatMap(({ value, globs, splits, environment, listing, sample }): Values => {
      if (value !== undefined && !splits) return [heldText(value, globs)];
      const isPrinted = sample === '0' || sample === ID;
      const output = listing ?? (isPrinted ? ({ kind: 'revision' } as const) : undefined);
      return [{ text: undefined, globs: true, number: false, environment, ...(output && { output }) }];
    }),
  );
}

/** Expands `{a,b}` if nothing in the word is quoted or expanded, and the result is not too large. */
function spreadBraces(word: Word): readonly ShellWord[] | undefined {
  const braces = word.parts?.filter(({ type }) => type === 'BraceExpansion') ?? [];
  if (braces.length === 0 || !SIMPLE_BRACES.test(word.text)) return undefined;
  const size = braces.reduce((product, { text }) => product * sizeOf(text), 1);
  if (size > MAX_ALTERNATIVES) return undefined;
  return braceExpand(word.text).map((value) => ({
    ...{ raw: value, value, globs: /[*?[]/.test(value), splits: false, plain: true, environment: [] },
  }));
}

function sizeOf(braces: string): number {
  if (!braces.includes('..')) return braces.split(',').length;
  const [, from, to] = /^\{(-?\d{1,3}|\w)\.\.(-?\d{1,3}|\w)\}$/.exec(braces) ?? [];
  if (from === undefined || to === undefined) return Number.POSITIVE_INFINITY;
  const [first, last] = /\d/.test(from) ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  return Math.abs(first - last) + 1;
}

function alternativesOf(word: Word, reading: Reading): readonly Pieces[] {
  if (word.parts === undefined) checkWhole(word, reading);
  if (word.parts === undefined) return homeOf(word.text, [literal(word.value)], reading);
  const parts = word.parts.flatMap((part) => evaluatePart(part, false, reading));
  // Too many alternatives are treated as unknown.
  return combinations(parts, MAX_ALTERNATIVES, () => unknown(false)).flatMap((pieces) =>
    homeOf(word.text, pieces, reading),
  );
}

/** An unquoted `~` at the beginning. */
function homeOf(raw: string, pieces: Pieces, { state, context }: Reading): readonly Pieces[] {
  if (!raw.startsWith('~')) return [pieces];
  const [first, ...rest] = pieces;
  const home = state.valuesOf('HOME') === undefined ? context.variables?.['HOME'] : undefined;
  const isHome = first?.text?.startsWith('~/') === true || (first?.text === '~' && rest.length === 0);
  if (!isHome || home === undefined) return [[unknown(true)]];
  return [[{ ...first, text: home + (first.text ?? '').slice(1) }, ...rest]];
}

/** The parser splits a word that contains any of these; one that is left whole was not understood. */
const HIDES = /\$[({[\w]|[`'"]|[<>]\(/;

function checkWhole({ text }: Word, reading: Reading): void {
  if (/[$`'"(]/.test(text) && HIDES.test(text.replaceAll(/\\./gs, '')))
    reading.giveUp(`\`${text}\` is not understood`);
}

/** The alternatives of each piece of the part. */
function evaluatePart(part: WordPart, quoted: boolean, reading: Reading): readonly Pieces[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [[literal(part.value)]];
    case 'DoubleQuoted':
      return [[literal('')], ...part.parts.flatMap((child) => evaluatePart(child, true, reading))];
    case 'LocaleString':
      // Its text is translated with an unknown message catalogue.
      return [[unknown(true)], ...part.parts.flatMap((child) => evaluatePart(child, true, reading))];
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return [[evaluatePattern(part, reading)]];
    case 'SimpleExpansion':
      return [valuesOf(part.text.slice(1), quoted, reading)];
    case 'ParameterExpansion':
      return [evaluateParameter(part, quoted, reading)];
    case 'CommandExpansion':
      return [[evaluateSubstitution(reading.inside(part.script), quoted, reading)]];
    case 'ArithmeticExpansion':
      reading.calculate(
        withNumbers(
          part.text.startsWith('$((') ? part.text.slice(3, -2) : part.text.slice(2, -1),
          part.expression,
          reading,
        ),
      );
      return [[{ ...unknown(true), number: true }]];
    case 'ProcessSubstitution':
      reading.inside(part.script, part.operator === '>');
      return [[{ ...literal(PIPE), plain: false }]];
  }
}

function evaluatePattern(
  part: Extract<WordPart, { type: 'Glob' | 'ExtendedGlob' | 'BraceExpansion' }>,
  reading: Reading,
): Piece {
  const parts = part.parts ?? [];
  for (const inner of parts) evaluatePart(inner, false, reading);
  if (part.parts === undefined && /[$`]/.test(part.text)) reading.giveUp('a pattern holds an expansion');
  if (part.type === 'Glob' && parts.every(({ type }) => type === 'Literal')) return literal(part.text, true);
  return unknown(false);
}

/** The possible values of `$name`. */
export function valuesOf(name: string, quoted: boolean, reading: Reading): Pieces {
  const { state, context } = reading;
  if (/^[-#?$!]$/.test(name)) return [{ ...unknown(true), number: true, plain: true }];
  const here = name === 'PWD' && state.folders?.length === 1 ? state.folders[0] : undefined;
  const values = here === undefined ? state.valuesOf(name) : undefined;
  // The line decides where the value is cut: how many pieces there are, and how long, says what it is.
  const splits = !quoted && state.valuesOf('IFS') !== undefined;
  if (values === undefined) {
    const known = here ?? context.variables?.[name];
    if (known !== undefined) return [{ text: known, quoted, globs: false, plain: true }];
    use([name], reading);
    if (splits && !isPublicVariable(name)) reading.reveal([name]);
    const outside = context.variables === undefined || !Object.hasOwn(context.variables, name);
    return [{ text: undefined, quoted, globs: !quoted, plain: true, outside }];
  }
  for (const { text, environment } of values) {
    if (text !== undefined) continue;
    use(environment ?? reading.stored, reading);
    if (splits) reading.reveal(environment ?? reading.stored);
  }
  if (state.mayBeOutside(name) && !isOrdinaryVariable(name)) use([name], reading);
  return values.map(({ text, globs, number, output }) => {
    const known = splits ? undefined : text;
    // What a command has printed may be empty, or several numbers.
    const isOne = quoted || (number && text === undefined && output === undefined);
    const plain = known !== undefined || (number && isOne);
    const printed = output !== undefined && text === undefined && !splits && { output };
    return { text: known, quoted: isOne, globs, number, plain, ...printed };
  });
}

function use(names: readonly string[], { used }: Reading): void {
  for (const name of names) if (!isPublicVariable(name)) used.add(name);
}

function evaluateParameter(part: ParameterExpansionPart, quoted: boolean, reading: Reading): Pieces {
  const { parameter, prefix, index, operation } = part;
  if (quoted && QUOTE_INSIDE.test(part.text))
    reading.giveUp(`shells read the quotes in ${part.text} differently`);
  if (index !== undefined && !isHarmlessSubscript(index.text, reading.state)) {
    evaluate(index, reading);
    reading.doubt(`the subscript of ${part.text} is evaluated when it runs`);
  } else if (index !== undefined) revealNames(index.text, reading);
  if (prefix === '#') return [{ ...unknown(true), number: true }];
  if (prefix === '!') {
    const isAll = index?.text === '@' || index?.text === '*';
    const isList = operation?.type === 'Names' || (isAll && operation === undefined);
    if (!isList) reading.doubt(`${part.text} names a variable that is only known when it runs`);
    return [unknown(quoted)];
  }
  const [values, own] = collectApart(reading, () => valuesOf(parameter, quoted, reading));
  // `${x:+set}` says whether there is a value, not which.
  const isOnlyTested = operation?.type === 'Default' && operation.operator.endsWith('+');
  if (!isOnlyTested) use(own, reading);
  // What a part is equal to, how long it is, or whether it is empty says what the whole is, letter by letter.
  if (operation !== undefined && operation.type !== 'Default') reading.reveal(own);
  if (index !== undefined && operation === undefined) return [unknown(quoted)];
  if (operation === undefined) return values;
  const changed = evaluateOperation(operation, values, part, reading);
  return changed.map(({ output: _, ...piece }) => ({
    ...piece,
    plain: false,
    quoted: quoted || piece.quoted,
  }));
}

function evaluateOperation(
  operation: NonNullable<ParameterExpansionPart['operation']>,
  values: Pieces,
  { parameter, text }: ParameterExpansionPart,
  reading: Reading,
): Pieces {
  switch (operation.type) {
    case 'Default': {
      const [instead, told] = collect(reading, () => evaluateValue(operation.operand, reading));
      // Its operand is the message of an error, which the shell shows by itself.
      if (operation.operator.endsWith('?')) reading.reveal(told);
      const isSet = values.every((piece) => piece.text !== undefined && piece.text !== '');
      const isUnset = values.every((piece) =>
        piece.text === undefined
          ? reading.context.complete === true && piece.outside === true
          : piece.text === '' && operation.operator.startsWith(':'),
      );
      if (operation.operator.endsWith('=') && !isSet) reading.assign(parameter, UNKNOWN);
      if (operation.operator.endsWith('+')) return isSet ? instead.map(ofHeld) : [unknown(false)];
      if (isUnset && operation.operator.endsWith('-')) return instead.map(ofHeld);
      return isSet ? values : [unknown(false)];
    }
    case 'Remove': {
      const [operand] = evaluate(operation.operand, reading)[0] ?? [];
      const end = operand?.globs === false ? operand.value : undefined;
      if (end === undefined || !operation.operator.startsWith('%')) return [unknown(false)];
      return values.map((piece) =>
        piece.text?.endsWith(end) === true
          ? { ...piece, text: piece.text.slice(0, piece.text.length - end.length) }
          : piece,
      );
    }
    case 'Replace':
      evaluate(operation.pattern, reading);
      evaluate(operation.replacement, reading);
      return [unknown(false)];
    case 'Slice':
      for (const word of [operation.offset, operation.length]) {
        if (word) evaluate(word, reading);
        checkExpression(word?.text ?? '', reading);
      }
      return [unknown(false)];
    case 'CaseModification':
      if (operation.operand) evaluate(operation.operand, reading);
      return [unknown(false)];
    case 'Transform':
      if (!/^[QUuLEKkAa]$/.test(operation.operand.text))
        reading.doubt(`${text} expands the value of a variable once more`);
      return [unknown(false)];
    case 'Names':
      return [unknown(false)];
    default:
      reading.giveUp(`${text} is not understood`);
      return [unknown(false)];
  }
}

function ofHeld({ text, globs }: Held): Piece {
  return { text, quoted: false, globs, plain: false };
}

/** The value of a variable that is no number is shown in an error. */
function revealNames(text: string, reading: Reading): void {
  const names = namesReadBy(text).filter((name) => !isOrdinaryVariable(name) || reading.state.valuesOf(name));
  const [, used] = collect(reading, () => names.map((name) => valuesOf(name, true, reading)));
  reading.reveal(used);
}

export function checkExpression(text: string, reading: Reading): void {
  revealNames(text, reading);
  if (!isHarmlessExpression(text, reading.state))
    reading.doubt(`the calculation ${text} may run something that is only known when it runs`);
}
