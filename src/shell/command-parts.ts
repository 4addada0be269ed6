/** The parts of a simple command besides its words: assignments and redirections; and the alternatives of its words. */
import { type Assignment, type Command, type HereDoc, parse, type Redirection, type Word } from 'unbash';
import { combinations } from './combinations.js';
import {
  checkExpression,
  collect,
  evaluate,
  evaluateAsOne,
  evaluateValue,
  type Reading,
} from './evaluate.js';
import type { ShellAssignment, ShellRedirect, ShellWord } from './line.js';
import { checkValue, setVariable } from './set-variable.js';
import { heldText, SOME_NUMBER, UNKNOWN, type Values } from './state.js';

const MAX_VARIANTS = 64;

const NO_WORD: ShellWord = {
  ...{ raw: '', value: undefined, globs: false, splits: false, plain: true, environment: [] },
};

/** `lasting`: the variable keeps its value after the command. */
export function readAssignment(node: Assignment, lasting: boolean, reading: Reading): ShellAssignment {
  const { name, text: raw, value, index, append } = node;
  if (index !== undefined) {
    evaluate(index, reading);
    checkExpression(index.text, reading);
  }
  if (value.type === 'ArrayValue') {
    for (const element of value.elements) readElement(element, reading);
    const held = value.elements.length > 0 ? UNKNOWN : [heldText('')];
    for (const each of held) checkValue(name, each, reading);
    reading.state.arrays.add(name);
    if (lasting) setVariable(name, held, reading);
    if (lasting) reading.state.set(name, UNKNOWN);
    return { name, raw, value: undefined };
  }
  const values = evaluateValue(value, reading);
  for (const held of values) checkValue(name, held, reading);
  const isWhole = index === undefined && append !== true;
  if (lasting) setVariable(name, values, reading);
  if (lasting && !isWhole) reading.state.set(name, UNKNOWN);
  return { name, raw, value: asWord(value.text, values) };
}

/** `[subscript]=value` in an array. */
function readElement(element: Word, reading: Reading): void {
  evaluate(element, reading);
  const [, subscript] = /^\[(.*?)\]\+?=/s.exec(element.text) ?? [];
  if (subscript !== undefined) checkExpression(subscript, reading);
}

function asWord(raw: string, values: Values): ShellWord {
  const [only, ...more] = values;
  const value = more.length === 0 ? only?.text : undefined;
  return { ...NO_WORD, raw, value, globs: values.some(({ globs }) => globs), plain: value !== undefined };
}

/** `isShared`: of a group, a branch or a loop, in which any command may show what it is given. */
export function readRedirects(
  redirects: readonly Redirection[],
  reading: Reading,
  isShared = false,
): readonly ShellRedirect[] {
  const [read, used] = collect(reading, () => readEach(redirects, reading));
  if (isShared) reading.reveal(used);
  return read;
}

function readEach(redirects: readonly Redirection[], reading: Reading): readonly ShellRedirect[] {
  return redirects.map((redirect): ShellRedirect => {
    const { operator, descriptor } = redirect;
    if (descriptor?.type === 'FileDescriptorVariable') reading.assign(descriptor.name, SOME_NUMBER);
    if (redirect.type === 'HereDoc') return { operator, target: readHereDocument(redirect, reading) };
    if (redirect.target === undefined) reading.giveUp('a redirection has no target');
    const target = redirect.target ? evaluateAsOne(redirect.target, reading) : NO_WORD;
    return {
      operator,
      target,
      ...(descriptor?.type === 'FileDescriptor' && { descriptor: descriptor.value }),
    };
  });
}

/** Its text, as the command receives it. */
function readHereDocument(document: HereDoc, reading: Reading): ShellWord {
  const { delimiter, body: written, closing, operator } = document;
  if (!delimiter || !closing) reading.giveUp('a here-document is not closed');
  if (/[$`]/.test(delimiter?.text ?? ''))
    reading.giveUp('shells read the end of its here-document differently');
  const received = textReceived(written.text, operator === '<<-', delimiter?.quoted === true);
  if (delimiter?.quoted) return { ...NO_WORD, raw: received, value: received };
  const body = received === written.text ? written : bodyOf(received, reading);
  // Only quotes inside `${…}` have a meaning here, and some of these do not either.
  if (/\$\{.*['"\\]/s.test(body?.text.replaceAll(/\$\{\w+\}/g, '') ?? ''))
    reading.giveUp('shells read the quotes in its here-document differently');
  const parts = body?.parts;
  if (body === undefined || parts === undefined) {
    const value = received.replaceAll(/\\([$`\\])/g, '$1');
    return { ...NO_WORD, raw: received, value };
  }
  const { pos, end, text } = body;
  // Nothing is split or globbed in it, as in double quotes.
  const quoted = { type: 'DoubleQuoted', pos, end, text, parts } as never;
  return evaluateAsOne({ type: 'Word', pos, end, text, value: text, parts: [quoted] }, reading);
}

/** Before anything else, a shell removes the tabs after `<<-`, and joins lines where nothing is quoted. */
function textReceived(text: string, isIndented: boolean, isQuoted: boolean): string {
  const joined = isQuoted ? text : text.replaceAll(/\\(.)/gs, (pair, next) => (next === '\n' ? '' : pair));
  return isIndented ? joined.replaceAll(/^\t+/gm, '') : joined;
}

/** Parses the text as the body of a here-document. */
function bodyOf(text: string, reading: Reading): HereDoc['body'] | undefined {
  let end = 'E';
  while (text.includes(end)) end += 'E';
  const [first] = parse(`: <<${end}\n${text}${end}\n`).commands;
  const [document] = first?.command.type === 'Command' ? first.command.redirects : [];
  if (document?.type === 'HereDoc') return document.body;
  reading.giveUp('a here-document cannot be read');
  return undefined;
}

/** Whether it redirects the input of a command. */
export function feeds({ operator }: Redirection): boolean {
  return operator.startsWith('<');
}

/**
 * The alternatives of each word. An assignment after the name is a word, and assigns if the program is `declare` or
 * similar.
 */
export function readChoices(
  name: Word | undefined,
  suffix: Command['suffix'],
  reading: Reading,
): readonly (readonly (readonly ShellWord[])[])[] {
  const rest = suffix.flatMap((part): (readonly (readonly ShellWord[])[])[] => {
    if (part.type === 'Word') return [evaluate(part, reading)];
    if (part.type !== 'Assignment') return [];
    const { raw, value = NO_WORD } = readAssignment(part, true, reading);
    const text = value.value === undefined ? undefined : `${part.name}=${value.value}`;
    return [[[{ ...value, raw, value: text }]]];
  });
  return name ? [evaluate(name, reading), ...rest] : rest;
}

/** One list of words for each combination of alternatives. */
export function variants(
  choices: readonly (readonly (readonly ShellWord[])[])[],
): readonly (readonly ShellWord[])[] {
  return combinations(choices, MAX_VARIANTS, merge).map((words) => words.flat());
}

/** Too many alternatives are treated as unknown. */
function merge(alternatives: readonly (readonly ShellWord[])[]): readonly ShellWord[] {
  const [first = NO_WORD] = alternatives.flat();
  return [{ ...first, value: undefined, splits: true, plain: false }];
}
