/** Git commands that change nothing, with the options under which that is true. */

import {
  type AffectedPaths,
  type Analyse,
  analyseWith,
  NOTHING,
  readsNothing,
  readsOperands,
} from './affected-paths.js';
import { knownOptions } from './arguments.js';

/**
 * Options before the command. Excludes `-c`, `-C`, `--git-dir` and similar ones, which select a program or a
 * repository.
 */
const BEFORE = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']);

const DIFF_NAMES =
  'cached staged merge-base patch no-patch raw stat numstat shortstat dirstat summary name-only name-status color no-color color-words word-diff word-diff-regex check full-index binary abbrev find-renames find-copies diff-filter minimal patience histogram diff-algorithm anchored ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-submodules inter-hunk-context function-context unified text exit-code quiet no-ext-diff no-textconv no-renames no-prefix relative submodule pickaxe-all pickaxe-regex ita-invisible-in-index';
const DIFF_LETTERS = 'pusRabwWzDB?M?C?U?S?G?l?';
const LOG_NAMES =
  'oneline graph decorate no-decorate all branches tags remotes author committer grep all-match invert-grep since after until before max-count skip pretty format abbrev-commit no-abbrev-commit date follow reverse merges no-merges first-parent topo-order date-order author-date-order left-right cherry-pick cherry-mark boundary no-walk walk-reflogs source full-history simplify-merges ancestry-path show-pulls no-notes parents children perl-regexp extended-regexp fixed-strings regexp-ignore-case reflog exclude ignore-missing mailmap no-mailmap encoding simplify-by-decoration decorate-refs decorate-refs-exclude cc min-parents max-parents diff-merges no-decorate-refs';
const LOG_LETTERS = 'n?L?giEFmc#';

/** Showing a signature runs the program that verifies it. */
const withoutSignatures =
  (read: Analyse): Analyse =>
  (words) =>
    words.some((word) => /%G|signature/.test(word)) ? undefined : read(words);

/**
 * No option takes the next word as its value here: such a value counts as a file, as does a revision. That does no
 * harm, while a file mistaken for a value would not be checked.
 */
const history = (letters: string, names: string): Analyse => {
  const read = readsOperands(knownOptions(letters, names));
  return withoutSignatures(read);
};

const LOG = history(LOG_LETTERS + DIFF_LETTERS, `${LOG_NAMES} ${DIFF_NAMES}`);

/** With one of these nothing is created: the following names select what to show. */
const ASKS_FOR_A_LIST = ['--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at'];
const LIST_NAMES = 'list contains no-contains merged no-merged points-at sort format ignore-case';

/** Unless a list is requested, a name would be created. */
const listing = (letters: string, names = ''): Analyse =>
  withoutSignatures(
    analyseWith(knownOptions(letters, `${LIST_NAMES} ${names}`), ({ operands, options }) => {
      const asked = ASKS_FOR_A_LIST.some((name) => options.has(name)) || options.has('-l');
      return operands.length === 0 || asked ? NOTHING : undefined;
    }),
  );

/** Settings of a name like these may hold a secret; a name is one of git's own, `section.key`. */
const MAY_BE_SECRET = /token|header|pass|secret|key|credential|helper|cookie|proxy|smtp|auth|^url\./i;

/** The name of one setting. Lists are excluded: they show every secret. */
const readsSetting = analyseWith(
  knownOptions('', 'get get-all global local system worktree show-origin show-scope bool int type all'),
  ({ operands: [name = '', ...more] }) =>
    more.length === 0 && /^[\w-]+\.[\w./-]+$/.test(name) && !MAY_BE_SECRET.test(name) ? NOTHING : undefined,
);

/** With a second name it changes the first. */
const symbolicReference = analyseWith(knownOptions('q', 'short quiet'), ({ operands }) =>
  operands.length === 1 ? NOTHING : undefined,
);

/** Subcommands of `reflog` change it. */
const reflog: Analyse = (words) =>
  words.some((word) => /^(?:expire|delete|drop|exists|write|list)$/.test(word)) ? undefined : LOG(words);

const COMMANDS: Readonly<Record<string, Analyse>> = {
  reflog,
  config: readsSetting,
  'symbolic-ref': symbolicReference,
  whatchanged: LOG,
  'diff-tree': history(`${DIFF_LETTERS}rtmc`, `${DIFF_NAMES} no-commit-id root always pretty format oneline`),
  'diff-index': history(DIFF_LETTERS, `${DIFF_NAMES}`),
  'diff-files': history(DIFF_LETTERS, `${DIFF_NAMES}`),
  cherry: readsOperands(knownOptions('v', 'abbrev')),
  'name-rev': readsOperands(knownOptions('', 'tags all name-only always')),
  'show-ref': readsNothing(
    knownOptions('dhsq', 'head heads tags branches hash verify abbrev dereference quiet'),
  ),
  'show-branch': readsNothing(knownOptions('ar', 'all remotes current topo-order sha1-name list')),
  'for-each-ref': history(
    '',
    'count sort format contains no-contains merged no-merged points-at ignore-case',
  ),
  'count-objects': readsNothing(knownOptions('vH', 'verbose human-readable'), { operands: 0 }),
  'check-ignore': readsOperands(knownOptions('qvn', 'quiet verbose non-matching no-index')),
  'cat-file': readsOperands(
    knownOptions('etps', 'batch-check batch batch-all-objects buffer unordered follow-symlinks'),
  ),
  'check-attr': readsOperands(knownOptions('az', 'all cached')),
  'check-ref-format': readsNothing(knownOptions('', 'branch normalize allow-onelevel')),
  'range-diff': history(DIFF_LETTERS, DIFF_NAMES),
  var: readsNothing(knownOptions(), { operands: 1 }),
  status: readsOperands(
    knownOptions(
      'sbvzu?',
      'short branch porcelain long verbose untracked-files ignored show-stash ahead-behind no-ahead-behind no-renames column',
    ),
  ),
  log: LOG,
  show: LOG,
  diff: history(DIFF_LETTERS, DIFF_NAMES),
  'rev-list': history(LOG_LETTERS, `${LOG_NAMES} count objects`),
  shortlog: history('snec#', 'summary numbered email all no-merges since until author group'),
  blame: history('wslefnbcM?C?L?', 'line-porcelain porcelain show-name show-number show-email root date'),
  branch: listing('avr', 'all remotes verbose show-current color no-color column'),
  tag: listing('ln'),
  remote: readsNothing(knownOptions('v', 'verbose'), { operands: 0 }),
  'rev-parse': readsOperands(
    knownOptions(
      'q',
      'abbrev-ref short verify quiet symbolic symbolic-full-name show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir absolute-git-dir git-path local-env-vars is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository all branches tags remotes',
    ),
  ),
  'ls-files': readsOperands(
    knownOptions(
      'cdmoiskutvz',
      'cached deleted modified others ignored stage unmerged killed directory exclude-standard exclude full-name error-unmatch eol deduplicate abbrev',
    ),
  ),
  'ls-tree': readsOperands(knownOptions('drtlz', 'name-only name-status full-name full-tree long abbrev')),
  describe: readsOperands(
    knownOptions('', 'all tags contains always long dirty abbrev exact-match match exclude first-parent'),
  ),
  'merge-base': readsOperands(knownOptions('a', 'all is-ancestor fork-point octopus independent')),
  grep: analyseWith(
    knownOptions(
      'EFGPivwIhHlLcnoqWpe?A?B?C?m?#',
      'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case invert-match word-regexp line-number column files-with-matches files-without-match name-only count only-matching quiet heading break show-function function-context cached untracked full-name max-depth after-context before-context context max-count threads color no-color and or not all-match',
    ),
    ({ operands, options }) => ({
      reads: options.has('-e') ? operands : operands.slice(1),
      writes: [],
    }),
  ),
};

/** The first words of commands that only show something; the rest is read like the arguments of another command. */
const SHOWING: Readonly<Record<string, Analyse>> = {
  'stash list': LOG,
  'stash show': LOG,
  'reflog show': LOG,
  'remote show': readsNothing(knownOptions(), { operands: 0 }),
  'remote get-url': readsNothing(knownOptions('', 'all push')),
  'worktree list': readsNothing(knownOptions('vz', 'porcelain verbose'), { operands: 0 }),
  'config get': (words) => readsSetting(words),
};

export function analyseGit(words: readonly string[]): AffectedPaths | undefined {
  let at = 0;
  const visits = ['.'];
  for (; BEFORE.has(words[at] ?? '') || words[at] === '-C'; at++)
    if (words[at] === '-C') visits.push(words[++at] ?? '');
  const [command = '', second = ''] = words.slice(at);
  const showing = SHOWING[`${command} ${second}`];
  if (showing) {
    const shown = showing(words.slice(at + 2));
    return shown && { ...shown, deep: true, visits };
  }
  const read = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  const touched = read?.(words.slice(at + 1));
  if (!touched) return undefined;
  const named = namedByGit(words.slice(at + 1), touched.reads);
  // It lists names, whatever its patterns match.
  const isUnclear = command !== 'ls-files' && (named.unclear === true || HANDS_OUT.has(command));
  return { ...touched, ...named, unclear: isUnclear, visits };
}

/** They search, print or copy files of the repository that only git knows. */
const HANDS_OUT = new Set('archive bundle cat-file checkout-index fast-export grep unpack-file'.split(' '));
/** They show nothing of the files below a directory. */
const SHOWS_NOTHING = new Set(
  'add checkout clean commit fetch push reset restore rm stage stash switch'.split(' '),
);

/** What git affects if its words are not understood. */
export function touchedByGit(words: readonly string[]): Pick<AffectedPaths, 'reads' | 'deep' | 'unclear'> {
  const { command = '' } = readBefore(words);
  const operands = words.filter((word) => !word.startsWith('-'));
  const named = namedByGit(words, operands);
  return {
    ...named,
    deep: !SHOWS_NOTHING.has(command),
    unclear: named.unclear === true || HANDS_OUT.has(command),
  };
}

export interface GitStart {
  readonly command: string | undefined;
  /** The directories it changes to first, in order. */
  readonly folders: readonly string[];
  /** Whether an option sets the repository or its work tree. */
  readonly isElsewhere: boolean;
}

/** Parses the options before git's command. */
export function readBefore(words: readonly string[]): GitStart {
  const folders: string[] = [];
  let isElsewhere = false;
  let at = 0;
  for (; words[at]?.startsWith('-') === true; at++) {
    const word = words[at] ?? '';
    isElsewhere ||= /^--(?:git-dir|work-tree|namespace)/.test(word);
    if (word === '-C') folders.push(words[at + 1] ?? '');
    if (/^(?:-[Cc]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source))$/.test(word))
      at += 1;
  }
  return { command: words[at], folders, isElsewhere };
}

/** `-L1,5:file` shows lines of a file. */
const LINES_OF = /^-L[^:]*:(.+)$/s;
const MAGIC = /^:(?:\([\w,:=-]*\)|[/!^])/;

/**
 * The files that words refer to: as paths, in `HEAD:file`, `:0:file` and `-L1,5:file`, and as git's own patterns, which
 * are unclear. A revision counts as a file too, which does no harm.
 */
function namedByGit(
  words: readonly string[],
  operands: readonly string[],
): Pick<AffectedPaths, 'reads' | 'deep' | 'unclear'> {
  const lines = words.flatMap((word) => LINES_OF.exec(word)?.[1] ?? []);
  const named = [...operands, ...lines].flatMap((operand) => [operand, ...behindColons(operand)]);
  const unclear = [...operands, ...lines].some((operand) => MAGIC.test(operand) || /[*?[]/.test(operand));
  return { reads: named, deep: true, unclear };
}

/** `HEAD^{/fix: x}:file` has more than one. */
function behindColons(operand: string): readonly string[] {
  const pieces = operand.split(':');
  return pieces.slice(1).map((_, index) =>
    pieces
      .slice(index + 1)
      .join(':')
      .replace(/^\([^)]*\)|^[/!^]/, ''),
  );
}
