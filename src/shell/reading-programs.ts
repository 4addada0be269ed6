/**
 * Programs that only read, with the options under which that is true. Conservative: a program or option that is not
 * listed needs permission. Deliberately excludes whatever runs other programs, writes where an option says, or follows
 * links on its own.
 */

import {
  type AffectedPaths,
  type Analyse,
  analyseWith,
  type FileFilter,
  isSimplePattern,
  NOTHING,
  readsNothing,
  readsOperands,
} from './affected-paths.js';
import { type Arguments, knownOptions } from './arguments.js';
import { READING_TEXTS } from './reading-texts.js';
import { isOrdinaryVariable } from './variables.js';

const CHECKSUM = readsOperands(knownOptions('bt', 'binary text tag zero'));

const grep = analyseWith(
  knownOptions(
    'EFGPivwxcLloqsbHhnTZarIzyUe:m:A:B:C:#',
    'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-with-matches files-without-match only-matching quiet silent no-messages byte-offset with-filename no-filename line-number initial-tab null text recursive null-data regexp= max-count= after-context= before-context= context= include= exclude= exclude-dir= label= binary-files= directories= devices=',
  ),
  ({ operands, options, values }) => {
    const files = options.has('-e') || options.has('--regexp') ? operands : operands.slice(1);
    const deep = options.has('-r') || options.has('--recursive') || options.has('--directories');
    return {
      reads: deep && files.length === 0 ? ['.'] : files,
      writes: [],
      deep: deep && filterOfGrep(values),
    };
  },
);

/** If one option leaves files out and another one brings them back, the last that matches decides: then all count. */
function filterOfGrep(values: Arguments['values']): FileFilter {
  const valuesOf = (name: string): readonly string[] =>
    values.flatMap(([option, value]) => (option === name && isSimplePattern(value) ? [value] : []));
  const [only, except] = [valuesOf('--include'), valuesOf('--exclude')];
  const isPlain = values.every(([option, value]) => option !== '--include' || isSimplePattern(value));
  return {
    ...(only.length > 0 && isPlain && except.length === 0 && { only }),
    ...(only.length === 0 && isPlain && { except: [...except, ...valuesOf('--exclude-dir')] }),
  };
}

const HIDDEN_TOO = ['-u', '-.', '--hidden', '--no-ignore', '--no-ignore-vcs', '--unrestricted'];
/** The types of ripgrep that have no hidden files among them. */
const TYPES: Readonly<Record<string, string>> = {
  c: '*.c *.h *.H *.in *.cats',
  css: '*.css *.scss',
  go: '*.go',
  html: '*.ejs *.htm *.html',
  java: '*.java *.jsp *.jspx *.properties',
  js: '*.js *.jsx *.vue *.cjs *.mjs',
  json: '*.json *.lock *.sarif',
  md: '*.markdown *.md *.mdown *.mkdn *.mdwn *.mkd *.mdx',
  py: '*.py *.pyi',
  rust: '*.rs',
  toml: '*.toml *.lock',
  ts: '*.ts *.tsx *.cts *.mts',
  yaml: '*.yaml *.yml',
};

/** `-g` and `-t` bring hidden files back that they match; unknown types and patterns may bring back any. */
function filterOfRipgrep({ options, values }: Arguments): FileFilter | true {
  if (HIDDEN_TOO.some((name) => options.has(name)) || options.has('--iglob')) return true;
  const valuesOf = (...names: string[]): readonly string[] =>
    values.flatMap(([option, value]) => (names.includes(option) ? [value] : []));
  const globs = valuesOf('-g', '--glob');
  const types = valuesOf('-t', '--type');
  const except = globs.flatMap((glob) => (glob.startsWith('!') ? [glob.slice(1)] : []));
  const only = [
    ...globs.filter((glob) => !glob.startsWith('!')),
    ...types.flatMap((type) => (Object.hasOwn(TYPES, type) ? (TYPES[type] ?? '').split(' ') : [''])),
  ];
  if (!only.every(isSimplePattern)) return true;
  if (only.length > 0) return { only };
  return { except: except.filter(isSimplePattern), visible: true };
}

const ripgrep = analyseWith(
  knownOptions(
    'FPiSsvwxclnNoHIqabU0uphe:g:t:T:A:B:C:m:d:M:r:E:j:',
    'fixed-strings pcre2 ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match line-number no-line-number only-matching with-filename no-filename quiet text byte-offset multiline multiline-dotall null hidden no-ignore no-ignore-vcs unrestricted heading no-heading column no-column trim vimgrep json stats pretty color= colors= regexp= glob= iglob= type= type-not= type-list after-context= before-context= context= max-count= max-depth= max-columns= max-filesize= replace= encoding= threads= sort= sortr= no-messages no-config passthru crlf debug context-separator= one-file-system no-ignore-parent no-ignore-global max-columns-preview block-buffered line-buffered field-match-separator=',
  ),
  (args) => {
    const { operands, options } = args;
    const isPattern = !['-e', '--regexp', '--files', '--type-list'].some((name) => options.has(name));
    const files = isPattern ? operands.slice(1) : operands;
    return { reads: files.length === 0 ? ['.'] : files, writes: [], deep: filterOfRipgrep(args) };
  },
);

/** Tests of `find`; those in the first list take a value. */
const FIND_VALUED =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|maxdepth|mindepth|type|size|[acm]time|[acm]min|perm|user|group|links|printf|[ac]?newer|newermt)$/;
const FIND_ALONE =
  /^(?:-(?:print0?|prune|not|and|or|[ao]|empty|depth|mount|xdev|ls|true|false|quit|readable|executable|writable|daystart)|[!()])$/;

function find(words: readonly string[]): AffectedPaths | undefined {
  const start = words[0] === '-P' ? 1 : 0;
  let at = start;
  while (at < words.length && !/^(?:-|[!(]$)/.test(words[at] ?? '')) at += 1;
  const reads = words.slice(start, at);
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    // What it runs is a command of its own.
    if (word === '-exec') {
      const end = words.findIndex(
        (each, index) => index > at && (each === ';' || (each === '+' && words[index - 1] === '{}')),
      );
      if (end < 0) return undefined;
      at = end;
    } else if (FIND_VALUED.test(word)) at += 1;
    else if (!FIND_ALONE.test(word)) return undefined;
  }
  return { reads: reads.length === 0 ? ['.'] : reads, writes: [] };
}

/** `-v` and `-R` take names of variables, in which a shell evaluates subscripts. */
function test(words: readonly string[]): AffectedPaths | undefined {
  return words.some((word) => word === '-v' || word === '-R' || word.includes('[')) ? undefined : NOTHING;
}

/** `-v` and `%n` set variables. */
function printf(words: readonly string[]): AffectedPaths | undefined {
  const [format = ''] = words;
  return format.startsWith('-') || /%[-+ #0'\d*.$hlLqjzt]*n/.test(format) ? undefined : NOTHING;
}

/** A second operand of `uniq` is written. */
const uniq = analyseWith(
  knownOptions(
    'cdDuizf:s:w:',
    'count repeated unique ignore-case zero-terminated skip-fields= skip-chars= check-chars=',
  ),
  ({ operands }) => (operands.length > 1 ? undefined : { reads: operands, writes: [], counted: true }),
);

/** An operand without a plus sets the clock. */
const date = analyseWith(
  knownOptions('uRI?jd:', 'utc universal rfc-email rfc-3339= iso-8601 date='),
  ({ operands }) => (operands.every((operand) => operand.startsWith('+')) ? NOTHING : undefined),
);

const cd = analyseWith(knownOptions(), ({ operands }) => {
  const [to, more] = operands;
  return to === undefined || more !== undefined || to === '-' || to === ''
    ? undefined
    : { reads: operands, writes: [], counted: true };
});

/** Shell options that only make it stop earlier or print more. */
const set: Analyse = (words) =>
  // Without any it prints every variable.
  words.length > 0 &&
  words.every(
    (word) =>
      /^[-+](?:[euxv]+|[eux]*o|E|T)$/.test(word) ||
      /^(?:pipefail|errexit|nounset|xtrace|verbose)$/.test(word),
  )
    ? NOTHING
    : undefined;

const OWN_NAME = /^[a-z_][a-z0-9_]*$/;

/** Names in lower case: the reader follows what they are set to. */
const declare: Analyse = (words) =>
  words.length > 0 &&
  words.every((word) => /^-[aAgr]$/.test(word) || OWN_NAME.test(word.split(/\+?=/, 1)[0] ?? ''))
    ? NOTHING
    : undefined;

const forgets: Analyse = (words) => (words.every((word) => OWN_NAME.test(word)) ? NOTHING : undefined);

/** A file becomes an array. */
const mapfile = analyseWith(knownOptions('td:n:s:'), ({ operands }) =>
  operands.length === 1 && operands.every(isOrdinaryVariable) ? NOTHING : undefined,
);

/** `read` without a terminal or another file to read from. */
const read = analyseWith(knownOptions('rsd:n:N:p:t:'), ({ operands }) =>
  operands.every(isOrdinaryVariable) ? NOTHING : undefined,
);

export const READING_PROGRAMS: Readonly<Record<string, Analyse>> = {
  ...READING_TEXTS,
  ':': () => NOTHING,
  true: () => NOTHING,
  false: () => NOTHING,
  echo: () => NOTHING,
  printf,
  test,
  '[': (words) => (words.at(-1) === ']' ? test(words.slice(0, -1)) : undefined),
  cd,
  set,
  read,
  ...{ declare, local: declare, typeset: declare, unset: forgets, mapfile, readarray: mapfile },
  exit: readsNothing(knownOptions(), { operands: 1 }),
  return: readsNothing(knownOptions(), { operands: 1 }),
  shift: readsNothing(knownOptions(), { operands: 1 }),
  break: readsNothing(knownOptions()),
  continue: readsNothing(knownOptions()),
  wait: readsNothing(knownOptions()),
  expr: () => NOTHING,
  pwd: readsNothing(knownOptions('LP'), { operands: 0 }),
  whoami: readsNothing(knownOptions(), { operands: 0 }),
  id: readsNothing(knownOptions('agGnru')),
  uname: readsNothing(knownOptions('asnrvmpio'), { operands: 0 }),
  hostname: readsNothing(knownOptions('fsidI'), { operands: 0 }),
  nproc: readsNothing(knownOptions('', 'all'), { operands: 0 }),
  date,
  sleep: readsNothing(knownOptions()),
  seq: readsNothing(knownOptions('wf:s:')),
  which: readsNothing(knownOptions('a')),
  type: readsNothing(knownOptions('aptPf')),
  command: analyseWith(knownOptions('vV'), ({ options }) => (options.size > 0 ? NOTHING : undefined)),
  basename: readsNothing(knownOptions('azs:', 'multiple suffix= zero')),
  dirname: readsNothing(knownOptions('z', 'zero')),
  realpath: readsOperands(
    knownOptions('emLPsqz', 'canonicalize-existing canonicalize-missing logical physical no-symlinks quiet'),
  ),
  readlink: readsOperands(
    knownOptions('femnqsvz', 'canonicalize canonicalize-existing canonicalize-missing'),
  ),
  ls: readsOperands(
    knownOptions(
      '1AaBbCcdFfgGhiklmNnopQqRrSstTuUvXxZ',
      'all almost-all author escape color directory classify full-time group-directories-first no-group human-readable si inode recursive reverse size file-type format= hide= ignore= sort= time= time-style= indicator-style= quoting-style= width=',
    ),
    { orHere: true },
  ),
  tree: readsOperands(
    knownOptions('adfhpsugDFrtCnNiJvcL:I:P:', 'dirsfirst noreport prune du gitignore filesfirst metafirst'),
    {
      orHere: true,
    },
  ),
  find,
  cat: readsOperands(
    knownOptions(
      'AbEenstTuv',
      'show-all number number-nonblank squeeze-blank show-ends show-tabs show-nonprinting',
    ),
  ),
  tac: readsOperands(knownOptions('brs:', 'before regex separator=')),
  nl: readsOperands(knownOptions('pb:f:h:i:l:n:s:v:w:', 'body-numbering= number-format= number-width=')),
  head: readsOperands(knownOptions('qvzn:c:#', 'lines= bytes= quiet silent verbose zero-terminated')),
  tail: readsOperands(knownOptions('qvzfn:c:#', 'lines= bytes= quiet silent verbose zero-terminated')),
  wc: readsOperands(knownOptions('clmwL', 'bytes chars lines words max-line-length')),
  sort: readsOperands(
    knownOptions(
      'bdfghiMnRrVuczsmk:t:',
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort unique check stable merge zero-terminated key= field-separator=',
    ),
  ),
  uniq,
  cut: readsOperands(
    knownOptions(
      'nszb:c:d:f:',
      'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
    ),
  ),
  tr: readsNothing(knownOptions('cCdst', 'complement delete squeeze-repeats truncate-set1')),
  comm: readsOperands(knownOptions('123z', 'check-order nocheck-order total output-delimiter=')),
  paste: readsOperands(knownOptions('szd:', 'serial delimiters=')),
  rev: readsOperands(knownOptions()),
  od: readsOperands(knownOptions('abcdfilosxvA:j:N:t:w?', 'address-radix= skip-bytes= read-bytes= format=')),
  grep,
  egrep: grep,
  fgrep: grep,
  rg: ripgrep,
  stat: readsOperands(knownOptions('Lftc:', 'dereference file-system terse format= printf=')),
  file: readsOperands(
    knownOptions('biLhNn0kr', 'brief mime mime-type mime-encoding dereference no-dereference'),
  ),
  du: readsOperands(
    knownOptions(
      'abchkmsxS0lPd:t:',
      'all bytes total human-readable max-depth= summarize one-file-system apparent-size si exclude= threshold=',
    ),
    { orHere: true },
  ),
  df: readsOperands(knownOptions('ahHikmlPTt:x:', 'all human-readable inodes local print-type total')),
  diff: readsOperands(
    knownOptions(
      'qsuceyabBwiEtTdU:C:W:I:',
      'brief report-identical-files unified context side-by-side suppress-common-lines ignore-case ignore-all-space ignore-space-change ignore-blank-lines strip-trailing-cr text minimal color width= label=',
    ),
    { deep: true, follows: true },
  ),
  cmp: readsOperands(knownOptions('blsi:n:', 'print-bytes verbose quiet silent bytes= ignore-initial=')),
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  cksum: readsOperands(knownOptions()),
};
