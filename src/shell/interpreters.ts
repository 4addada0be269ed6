/** Programs that run a file given as an argument, and the options that determine which one. */
import { basename } from 'node:path/posix';

export interface Interpreter {
  /** Options without a value. After any other option, the position of the file is uncertain. */
  readonly flags: RegExp;
  /** Options with a value, in the same word or the next. */
  readonly valued?: readonly string[];
  /** Options whose value is a file that is run too. */
  readonly preloads?: readonly string[];
  /** Options whose value is code, so that no file follows. */
  readonly code?: readonly string[];
  /** Such options can be repeated, and all of their code is run. */
  readonly repeatsCode?: boolean;
  /** The option whose value is a module, so that no file follows. */
  readonly module?: string;
  /** Single letters can be combined: `-um` is `-u -m`. */
  readonly clusters?: boolean;
  /** The subcommand that must, or may, come before the options. */
  readonly subcommand?: { readonly words: readonly string[]; readonly required: boolean };
  /** Extensions that the program tries to append. */
  readonly endings?: readonly string[];
  /** A directory can be run as well. */
  readonly directory?: boolean;
  /** A word is a file only if it matches; otherwise it may be a task, a package or code. */
  readonly onlyFiles?: RegExp;
  /** Its operands are code and data; only options name files to run. */
  readonly runsNoOperand?: boolean;
  /** Without a file it runs its input. */
  readonly readsInput?: boolean;
  /** The file is read by a shell, which fails on Windows line endings, and may be found in PATH. */
  readonly shell?: boolean;
  /** Its exit code for a missing file means deny. */
  readonly refusesWhenMissing?: boolean;
}

const list = (words: string): readonly string[] => words.split(' ');

const NO_FLAGS = /^$/;
const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py)$/;
const MODULE_OPTIONS = {
  valued: list(
    '-C --conditions --input-type --title --stack-trace-limit --icu-data-dir --openssl-config --redirect-warnings --diagnostic-dir --dns-result-order --disable-warning --unhandled-rejections --max-http-header-size --tls-cipher-list --tls-keylog --trace-event-categories --trace-event-file-pattern --report-dir --report-directory --report-filename --report-signal --test-name-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard --watch-path --localstorage-file --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --heapsnapshot-signal --experimental-default-type --tsconfig -P --project -O --compiler-options',
  ),
  preloads: list(
    '-r --require --import --loader --experimental-loader --env-file --env-file-if-exists --preload --snapshot-blob',
  ),
  code: list('-e --eval -p --print -pe'),
  repeatsCode: true,
  clusters: true,
  directory: true,
  readsInput: true,
};
const NODE: Interpreter = {
  ...MODULE_OPTIONS,
  flags: /^--(?:no-warnings|enable-source-maps|experimental-(?:strip|transform)-types|trace-warnings)$/,
  subcommand: { words: ['inspect'], required: false },
  endings: ['.js', '.json', '.node'],
};
const TYPESCRIPT: Interpreter = {
  ...MODULE_OPTIONS,
  flags: NO_FLAGS,
  subcommand: { words: ['watch'], required: false },
  endings: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
};
const SHELL: Interpreter = {
  flags: /^[-+][efux]+$/,
  valued: list('-o -O +o +O'),
  preloads: list('--rcfile --init-file'),
  code: ['-c'],
  clusters: true,
  readsInput: true,
  shell: true,
};
const PYTHON: Interpreter = {
  flags: /^-[uBEIsSO]+$/,
  valued: list('-W -X -Q --check-hash-based-pycs'),
  code: ['-c'],
  module: '-m',
  clusters: true,
  directory: true,
  readsInput: true,
  refusesWhenMissing: true,
};
const POWERSHELL: Interpreter = {
  flags: NO_FLAGS,
  valued: list(
    '-ExecutionPolicy -ep -ex -WorkingDirectory -wd -Version -OutputFormat -InputFormat -WindowStyle -w',
  ),
  preloads: list('-File -f -file'),
  code: list('-Command -command -c -EncodedCommand -e -ec'),
  onlyFiles: /\.ps1$/i,
};
const AWK: Interpreter = {
  flags: NO_FLAGS,
  valued: list('-F -v --field-separator --assign'),
  preloads: list('-f --file -E --exec -i --include'),
  runsNoOperand: true,
};
/** Runs its first operand, and has no options that matter. */
const PLAIN: Interpreter = { flags: NO_FLAGS, code: list('-e --eval'), repeatsCode: true, readsInput: true };
const ended = (ending: RegExp): Interpreter => ({
  flags: NO_FLAGS,
  subcommand: { words: ['run'], required: false },
  onlyFiles: ending,
});

const named = (names: string, interpreter: Interpreter): [string, Interpreter][] =>
  list(names).map((name) => [name, interpreter]);

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ...named('sh bash dash zsh ksh ash mksh rbash', SHELL),
  ...named('node nodejs', NODE),
  ...named('tsx ts-node ts-node-esm ts-node-dev tsnd vite-node esno jiti babel-node', TYPESCRIPT),
  ...named('python pythonw pypy', PYTHON),
  ...named('ipython ipython3 bpython', { ...PYTHON, refusesWhenMissing: false }),
  [
    'ruby',
    {
      flags: /^-w$/,
      valued: list('-I -C -E -F'),
      preloads: ['-r'],
      code: ['-e'],
      repeatsCode: true,
      clusters: true,
      readsInput: true,
    },
  ],
  [
    'perl',
    {
      flags: /^-[wT]+$/,
      valued: list('-I -M -m'),
      code: list('-e -E'),
      repeatsCode: true,
      clusters: true,
      readsInput: true,
    },
  ],
  [
    'php',
    {
      flags: NO_FLAGS,
      valued: list('-d -c -S -t'),
      preloads: list('-f -F'),
      code: list('-r -B -R -E'),
      repeatsCode: true,
      readsInput: true,
    },
  ],
  ...named('pwsh powershell pwsh.exe powershell.exe', POWERSHELL),
  ...named('awk gawk mawk nawk', AWK),
  [
    'sed',
    { flags: NO_FLAGS, valued: list('-e -l --expression'), preloads: list('-f --file'), runsNoOperand: true },
  ],
  ['osascript', { flags: NO_FLAGS, valued: list('-l -s'), code: ['-e'], readsInput: true }],
  ['Rscript', PLAIN],
  ['expect', { flags: NO_FLAGS, preloads: ['-f'], code: ['-c'], readsInput: true }],
  [
    'java',
    {
      flags: NO_FLAGS,
      valued: list(
        '-cp -classpath --class-path -p --module-path -m --module --source --release --add-modules --add-exports --add-opens',
      ),
      preloads: ['-jar'],
      onlyFiles: /\.java$/,
    },
  ],
  ...named(
    'raku sbcl fish nu xonsh guile julia tclsh wish groovy elixir escript racket runghc runhaskell coffee zx gjs qjs',
    PLAIN,
  ),
  ...named('lua luajit', { ...PLAIN, valued: ['-l'], clusters: true }),
  ['swift', ended(/\.swift$/)],
  ['dart', ended(/\.dart$/)],
  ['crystal', ended(/\.cr$/)],
  ['kotlin', ended(/\.(?:jar|kts)$/)],
  ['scala', ended(/\.(?:sc|scala|jar)$/)],
  ['dotnet', ended(/\.(?:dll|csx?)$/)],
  [
    'deno',
    {
      flags: /^(?:-A|-q|--quiet|--no-check|--allow-[\w-]+(?:=.*)?)$/,
      valued: list('--config -c --import-map --lock --location --ext --cert --seed'),
      preloads: list('--preload --require --env-file'),
      subcommand: { words: list('run test bench serve'), required: true },
      onlyFiles: SCRIPT_FILE,
    },
  ],
  [
    'bun',
    {
      flags: NO_FLAGS,
      valued: list('--cwd --config -c --tsconfig-override --port --conditions'),
      preloads: list('-r --preload --require --import --env-file'),
      code: list('-e --eval -p --print'),
      subcommand: { words: list('run test'), required: false },
      onlyFiles: SCRIPT_FILE,
    },
  ],
  ['uv', { flags: /^(?:-q|--quiet)$/, subcommand: { words: ['run'], required: true }, onlyFiles: /\.py$/ }],
]);

/** The interpreter of this name, also with a version or a path: `/usr/bin/python3.11`. */
export function interpreterOf(program: string): Interpreter | undefined {
  return INTERPRETERS.get(basename(program).replace(/^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/, '$1'));
}

/** Whether a program of this name reads a line as a POSIX shell does. */
export function isShell(program: string): boolean {
  return interpreterOf(program)?.shell === true;
}
