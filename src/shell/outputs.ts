/** What a command prints, if that follows from its words: a number, ids of commits, or names of files. */
import { isSimplePattern } from './affected-paths.js';
import { knownOptions, readArguments } from './arguments.js';
import type { Listing, Output, ShellCommand, ShellRedirect } from './line.js';

type Print = (words: readonly string[], command: ShellCommand) => Output | undefined;

const NUMBER: Output = { kind: 'number' };
const REVISION: Output = { kind: 'revision' };
const NAME: Output = { kind: 'text', isName: true };

/** What it prints if its options are among these, and `isTrue` of them and of its operands. */
const prints =
  (
    output: Output,
    letters: string,
    names: string,
    isTrue: (operands: readonly string[], options: ReadonlySet<string>) => boolean = () => true,
  ): Print =>
  (words) => {
    const args = readArguments(words, knownOptions(letters, names));
    return args && isTrue(args.operands, args.options) ? output : undefined;
  };

const listing = (command: ShellCommand, more: Partial<Listing>): Listing => ({
  ...{ kind: 'files', base: command.folders, folders: ['.'], except: [] },
  ...{ regular: false, visible: false, flat: false, fromTop: false, nulls: false, whole: false },
  ...more,
});

/** `*\/name/*`, `./name/*`. */
const BELOW = /^(\*|\.)\/([\w.-]+)\/\*$/;
/** `*\/name`. */
const ANYWHERE = /^\*\/([\w.-]+)$/;

/** Wildcards stand for something below the current folder; undefined if they may not. */
function foldersIn(words: readonly string[]): readonly string[] | undefined {
  const isOpen = words.some((word) => /[*?[]/.test(word) && /^\/|^~|(?:^|\/)\.\.(?:\/|$)/.test(word));
  const plain = words.filter((word) => !/[*?[]/.test(word));
  if (isOpen) return undefined;
  return plain.length < words.length || words.length === 0 ? [...plain, '.'] : plain;
}

/** Only with tests and actions that print nothing but names. */
const find: Print = (words, command) => {
  const first = words.findIndex((word) => /^(?:-|[!(]$)/.test(word));
  const folders = foldersIn(words.slice(0, first < 0 ? undefined : first));
  const tests = first < 0 ? [] : words.slice(first);
  if (tests.some((word) => /^-(?:ls|printf|fprint|fls|exec|ok|delete|L|H|P|D|O|files)/.test(word)))
    return undefined;
  const isNegated = (at: number): boolean => /^(?:!|-not)$/.test(tests[at - 1] ?? '');
  const isOpen =
    tests.some((word) => /^(?:-o|-or|,)$/.test(word)) ||
    tests.some((word, at) => word === '(' && isNegated(at));
  const isRegular = tests.some((word, at) => word === '-type' && tests[at + 1] === 'f' && !isNegated(at));
  const left = tests.flatMap((word, at) => {
    const [, from, name = ''] = BELOW.exec(tests[at + 1] ?? '') ?? [];
    return word === '-path' && isNegated(at) && from !== undefined ? [from === '.' ? `./${name}` : name] : [];
  });
  const isPruned =
    tests[0] === '-path' && tests[2] === '-prune' && tests[3] === '-o' && !tests.includes('-depth');
  const pruned = isPruned ? (ANYWHERE.exec(tests[1] ?? '')?.[1] ?? []) : [];
  const depth = tests[tests.indexOf('-maxdepth') + 1];
  const [only = ''] = tests.flatMap((word, at) =>
    word === '-name' && !isNegated(at) ? (tests[at + 1] ?? '') : [],
  );
  return (
    folders &&
    listing(command, {
      folders,
      except: isOpen ? [pruned].flat() : [...left, pruned].flat(),
      regular: isRegular && !isOpen,
      ...(!isOpen && isSimplePattern(only) && { only }),
      flat: tests.includes('-maxdepth') && depth === '1',
      nulls: tests.includes('-print0'),
    })
  );
};

/** Files that git tracks: without a revision, since its files are not here. */
const tracked =
  (
    letters: string,
    names: string,
    more: { readonly pattern?: boolean; readonly needs?: string; readonly fromTop?: boolean } = {},
  ) =>
  (words: readonly string[], command: ShellCommand): Output | undefined => {
    const end = words.indexOf('--');
    const args = readArguments(end < 0 ? words : words.slice(0, end), knownOptions(letters, names));
    if (args === undefined || args.operands.length > (more.pattern ? 1 : 0)) return undefined;
    // Of a file above the current folder the name leads out of it.
    if (words.some((word) => /^(?:\/|:|~)|(?:^|\/)\.\.(?:\/|$)/.test(word))) return undefined;
    if (more.needs !== undefined && !more.needs.split(' ').some((name) => args.options.has(name)))
      return undefined;
    const nulls = args.options.has('-z') || args.options.has('--null');
    return listing(command, {
      folders: [],
      regular: more.pattern === true,
      fromTop: more.fromTop === true,
      nulls,
    });
  };

const listsTracked = tracked('zcmd', 'cached modified deleted');
const GIT: Readonly<Record<string, Print>> = {
  'merge-base': prints(REVISION, 'a', 'all octopus independent fork-point'),
  'rev-parse': (words, command) =>
    /^--(?:abbrev-ref HEAD|show-toplevel|git-dir|absolute-git-dir)$/.test(words.join(' '))
      ? NAME
      : prints(REVISION, 'q', 'short verify quiet')(words, command),
  branch: (words) => (words.join(' ') === '--show-current' ? NAME : undefined),
  'rev-list': (words, command) =>
    words.includes('--count')
      ? prints(NUMBER, 'n?#', `count ${RANGE}`)(words, command)
      : prints(REVISION, 'n?#', RANGE)(words, command),
  log: (words, command) => {
    const format = words.find((word) => /^--(?:pretty|format)/.test(word)) ?? '';
    const [, letter] = /^--(?:pretty=)?(?:t?format[:=])%([HhTtPp]|[ac]t)$/.exec(format) ?? [];
    const output =
      letter === undefined ? undefined : /t$/.test(letter) && letter.length > 1 ? NUMBER : REVISION;
    return output && prints(output, 'n?#', `${RANGE} pretty format follow`)(words, command);
  },
  'ls-files': (words, command) => {
    // Its operands are paths or patterns, which select among the files.
    const options = words.filter((word) => word.startsWith('-') && word !== '--');
    const paths = words.filter((word) => !word.startsWith('-'));
    return listsTracked([...options, '--', ...paths], command);
  },
  diff: tracked('zMw', 'name-only diff-filter= ignore-space-change no-renames', {
    ...{ needs: '--name-only', fromTop: true },
  }),
  grep: tracked('zliwEFIL', 'name-only files-with-matches files-without-match null', {
    pattern: true,
    needs: '-l -L --name-only --files-with-matches --files-without-match',
  }),
};
const RANGE =
  'all branches tags remotes since until after before max-count max-parents min-parents author grep merges no-merges first-parent reverse skip';

const LISTS = /^-[a-zA-Z]*[lL]|^--files-with/;

/** `grep -rl`, `rg -l`: the pattern is the first operand. */
const searched =
  (more: Partial<Listing>, nulls: RegExp) =>
  (words: readonly string[], command: ShellCommand): Output | undefined => {
    const isList = words.some((word) => LISTS.test(word) || word === '--files');
    const isOther = words.some((word) =>
      /^(?:-[a-zA-Z]*[cRHnof]|-L|--(?:count|with-f|follow|color|colour|heading|json|vimgrep|pre|stats|null-data))/.test(
        word,
      ),
    );
    if (!isList || isOther) return undefined;
    // Also the pattern, and values of options: a folder of that name is looked at too.
    const operands = words.filter((word) => !word.startsWith('-'));
    const except = words.flatMap((word) => /^--exclude-dir=([\w.-]+)$/.exec(word)?.[1] ?? []);
    const folders = foldersIn(operands.length > 1 ? operands : [...operands, '.']);
    const isHidden = words.some((word) => /^(?:-[a-zA-Z]*[u.]|--(?:hid|no-ig|unr))/.test(word));
    const nullEnds = words.some((word) => nulls.test(word));
    return (
      folders &&
      listing(command, {
        folders,
        except,
        nulls: nullEnds,
        ...more,
        visible: more.visible === true && !isHidden,
      })
    );
  };

const fd: Print = (words, command) => {
  if (words.some((word) => /^(?:-[^-]*[xXlL]|--(?:exec|list|follow|base))/.test(word))) return undefined;
  const operands = words.filter(
    (word, at) => !word.startsWith('-') && !/^-[etdESc]$/.test(words[at - 1] ?? ''),
  );
  const folders = foldersIn(operands.length > 1 ? operands : ['.']);
  const only = words.some(
    (word, at) => /^-t(?:f|file)$|^--type=f/.test(word) || (word === '-t' && words[at + 1] === 'f'),
  );
  const visible = !words.some((word) => /^-[^-]*[HIu]|^--(?:hid|no-ig|unr)/.test(word));
  const nulls = words.some((word) => /^-[^-]*0|^--print0/.test(word));
  return folders && listing(command, { folders, regular: only, visible, nulls });
};

/** Of folders it prints names without them; of files, what it is given. */
const ls: Print = (words, command) => {
  const args = readArguments(words, knownOptions('1tArSXvcuU'));
  if (args === undefined) return undefined;
  const isHere = args.operands.length === 0;
  const folders = foldersIn(args.operands);
  const isPattern = command.words
    .slice(1)
    .every(({ globs, value }) => globs || value?.startsWith('-') === true);
  return folders && (isHere || isPattern) ? listing(command, { folders, flat: isHere }) : undefined;
};

/** They print some of the lines that they get. */
const FILTERS: Readonly<Record<string, Print>> = {
  head: prints(NUMBER, 'qn:#', 'lines=', noOperands),
  tail: prints(NUMBER, 'qn:#', 'lines=', noOperands),
  sort: prints(NUMBER, 'bdfghnMrRuVk:t:', 'reverse unique numeric-sort version-sort random-sort', noOperands),
  uniq: prints(NUMBER, '', '', noOperands),
  tac: prints(NUMBER, '', '', noOperands),
  cat: prints(NUMBER, '', '', noOperands),
  shuf: prints(NUMBER, 'n:', '', noOperands),
  grep: prints(
    NUMBER,
    'vEFiwxPe:m:',
    'invert-match extended-regexp fixed-strings ignore-case',
    (given, options) => given.length === (options.has('-e') ? 0 : 1),
  ),
  sed: prints(
    NUMBER,
    'n',
    'quiet',
    (given) => given.length === 1 && /^(?:\d+(?:,\d+)?[pqd]|\$[pd])$/.test(given[0] ?? ''),
  ),
};

function noOperands(operands: readonly string[]): boolean {
  return operands.length === 0;
}

const DIGITS = /^\+(?:%[sYmdHMSjuNCyewVU])+$/;
const isNumber = (text: string): boolean => /^-?\d+$/.test(text);

const PRINTS: Readonly<Record<string, Print>> = {
  find,
  fd,
  fdfind: fd,
  ls,
  grep: (words, command) =>
    count(words, command) ??
    searched({ regular: words.some((word) => /^-[a-z]*r/.test(word)) }, /^-[a-zA-Z]*Z|^--null$/)(
      words,
      command,
    ),
  rg: searched({ regular: true, visible: true }, /^-[a-zA-Z]*0|^--null$/),
  git: ([name = '', ...rest], command) => (Object.hasOwn(GIT, name) ? GIT[name]?.(rest, command) : undefined),
  mktemp: prints(NAME, 'dqut', 'directory quiet dry-run', noOperands),
  pwd: prints(NAME, 'LP', '', noOperands),
  realpath: prints(NAME, 'emLPsq', 'canonicalize-existing canonicalize-missing logical physical'),
  wc: prints(NUMBER, 'clmw', 'lines words bytes chars', noOperands),
  nproc: prints(NUMBER, '', 'all', noOperands),
  date: prints(NUMBER, 'ud:', 'utc date=', (given) => given.length === 1 && DIGITS.test(given[0] ?? '')),
  seq: prints(NUMBER, '', '', (given) => given.every(isNumber)),
  stat: (words) =>
    /^-c$|^--format$/.test(words[0] ?? '') &&
    /^%[sYXZWahu]$/.test(words[1] ?? '') &&
    words.length === 3 &&
    !words[2]?.startsWith('-') &&
    words[1] !== '%h'
      ? NUMBER
      : undefined,
};

/** Of a single file or of its input; of several it prints their names too. */
const count = prints(
  NUMBER,
  'cEFiwvxPe:',
  'count ignore-case',
  (given, options) =>
    (options.has('-c') || options.has('--count')) && given.length <= (options.has('-e') ? 1 : 2),
);

/** Undefined if it may be any text. Contract: pure. */
export function printedBy(command: ShellCommand): Output | undefined {
  const [name, ...args] = command.words;
  const program = name?.value ?? '';
  const values = args.map(({ value, sample, listing: listed }) => value ?? (listed ? undefined : sample));
  const isUnclear = command.assignments.length > 0 || command.carrier !== undefined || command.calls === true;
  if (isUnclear || !values.every((value) => value !== undefined)) return undefined;
  const isInput = ({ operator }: ShellRedirect): boolean => operator === '<';
  if (!command.redirects.every((each) => isInput(each) || isSilenced(each))) return undefined;
  const hasFile = command.redirects.some(isInput);
  const { input } = command;
  if (
    input !== undefined &&
    !hasFile &&
    Object.hasOwn(FILTERS, program) &&
    FILTERS[program]?.(values, command)
  )
    return passed(input, program, values);
  // `tr -d ' '` leaves digits.
  if (program === 'tr' && input?.kind === 'number' && !hasFile && values[0] === '-d') return NUMBER;
  if (program === 'grep' && args.some(({ globs }) => globs)) {
    if (count(values, command) !== undefined) return undefined;
  }
  return Object.hasOwn(PRINTS, program) ? PRINTS[program]?.(values, command) : undefined;
}

/** A filter for lines takes names that end with a null character for one line, unless an option says so. */
function passed(input: Output, program: string, words: readonly string[]): Output | undefined {
  const isPlain = input.kind !== 'files' || !input.nulls;
  return isPlain || (program === 'cat' && words.length === 0) ? input : undefined;
}

function isSilenced({ operator, descriptor, target }: ShellRedirect): boolean {
  return descriptor === 2 && operator.startsWith('>') && target.value === '/dev/null';
}
