/** The simple commands at the start of a line, the operators between them, and any unclosed quote. */
import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type Pipeline,
  parse,
  type Statement,
  type Word,
} from 'unbash';
import { refuseLine } from './read-line.js';

/** An unquoted variable at the start of a path, as in `$DIR/file`. */
export interface UnquotedVariable {
  /** As written: `$DIR`. */
  readonly text: string;
  readonly name: string;
  /** The rest of the word after it. */
  readonly rest: string;
}

export interface SequencedWord {
  readonly text: string;
  readonly unquoted: UnquotedVariable | undefined;
}

export interface SequencedCommand {
  /** As written, to be parsed separately. */
  readonly text: string;
  /** Without assignments and redirections. */
  readonly words: readonly SequencedWord[];
  /** The operator after it: `&&`, `||`, `|`, `;` or `&`; undefined at the end of the line. */
  readonly next: string | undefined;
  /** Nothing that follows in the line runs, or is useful, without it. */
  readonly decisive: boolean;
}

export interface Sequence {
  /** Up to the first command that is not simple, such as a loop: it is unknown what runs after it, and how often. */
  readonly commands: readonly SequencedCommand[];
  /** The unclosed quote or bracket; every shell rejects the line. */
  readonly open: string | undefined;
}

const OPENS: Readonly<Record<string, string>> = {
  'unterminated single quote': "'",
  'unterminated double quote': '"',
  'unterminated backtick': '`',
  'unterminated command substitution': '$(',
};
/** Here-documents, `case`, and quotes that only some shells know: shells differ in where these end. */
const DOUBTFUL = /<<|<\(|>\(|\$['"]|\bcase\b|\$\{[^}]*['"`$\\{]/;

/** Contract: pure, never throws. Undefined if the line cannot be read. */
export function readSequence(line: string): Sequence | undefined {
  if (refuseLine(line) !== undefined) return undefined;
  try {
    return sequenceOf(line, parse(line));
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}

function sequenceOf(line: string, { commands, errors = [] }: ParsedScript): Sequence {
  if (errors.length > 0) {
    const { message } = errors.find((error) => Object.hasOwn(OPENS, error.message)) ?? errors[0] ?? {};
    const open = message === undefined || DOUBTFUL.test(line) ? undefined : OPENS[message];
    return { commands: [], open };
  }
  const steps = stepsOf(commands, undefined);
  const end = steps.findIndex(({ node }) => node === undefined);
  const simple = end < 0 ? steps : steps.slice(0, end);
  return {
    commands: simple.map((step, index) => ({
      text: line.slice(step.node?.pos, step.node?.end),
      words: step.node ? wordsIn(step.node) : [],
      next: step.next,
      decisive: steps.slice(index, -1).every(({ next }) => next === '&&' || next === '|'),
    })),
    open: undefined,
  };
}

interface Step {
  /** Undefined if it is not a simple command. */
  readonly node: Command | undefined;
  readonly next: string | undefined;
}

function stepsOf(statements: readonly Statement[], after: string | undefined): readonly Step[] {
  return statements.flatMap(({ command, background }, index) => {
    const isLast = index === statements.length - 1;
    return stepsIn(command, background ? '&' : isLast ? after : ';', index === 0);
  });
}

function stepsIn(
  node: CommandNode | Pipeline | AndOr | CompoundList,
  next: string | undefined,
  isFirst: boolean,
): readonly Step[] {
  switch (node.type) {
    case 'Command':
      return [{ node, next }];
    case 'AndOr':
      return node.commands.flatMap((command, index) =>
        stepsIn(command, node.operators[index] ?? next, isFirst && index === 0),
      );
    case 'Pipeline':
      return node.commands.flatMap((command, index) =>
        stepsIn(command, index === node.commands.length - 1 ? next : '|', isFirst && index === 0),
      );
    case 'Subshell':
    case 'BraceGroup': {
      const compound: Step = { node: undefined, next };
      if (!isFirst) return [compound];
      const inside = stepsOf(node.body.commands, next);
      // What a subshell sets is lost after it.
      return next === undefined ? inside : [...inside, compound];
    }
    default:
      return [{ node: undefined, next }];
  }
}

function wordsIn({ name, suffix }: Command): readonly SequencedWord[] {
  const words = [...(name ? [name] : []), ...suffix.flatMap((part) => (part.type === 'Word' ? [part] : []))];
  return words.map((word) => ({ text: word.text, unquoted: unquotedIn(word) }));
}

function unquotedIn({ text, pos, parts = [] }: Word): UnquotedVariable | undefined {
  for (const [index, part] of parts.entries()) {
    const after = parts[index + 1];
    const name = nameOf(part);
    if (name !== undefined && after?.type === 'Literal' && after.value.startsWith('/'))
      return { text: part.text, name, rest: text.slice(part.end - pos) };
  }
  return undefined;
}

/** The name in `$name` or `${name}`. */
function nameOf(part: NonNullable<Word['parts']>[number]): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1);
  const isPlain =
    part.type === 'ParameterExpansion' && !part.prefix && !part.index && part.operation === undefined;
  return isPlain ? part.parameter : undefined;
}
