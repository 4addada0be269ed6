/**
 * Whether a program loads or runs a file that it is given. Only the program knows: a file counts unless its name says that
 * it is data, or the program is known to read, check or write what it is given.
 */
import { basename } from 'node:path/posix';
import { checksFiles, isChecker } from '../../../shell/checking-programs.js';
import { isKnownProgram } from '../../../shell/effects.js';
import { interpreterOf } from '../../../shell/interpreters.js';
import { readInvocation } from '../../../shell/invocations.js';
import type { Run } from './commands.js';
import { TOOLS } from './definition-table.js';
import { isData, isLibrary } from './kinds-of-files.js';
import { isExecutable, isFile, pathFrom } from './places.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Scripts, and settings that can name programs. Not what hooks write: logs, reports, lists, JSON. */
export const LOADED =
  /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|ksh|pyw?|rb|pl|pm|php|lua|ps1|tcl|exp|awk|sed|jq|el|vim|r|jl|groovy|gradle|kts|csx?|fsx|exs|hs|mk|sql|gdb|m4|bc|dc|cmake|cfg|conf|cnf|ini|ya?ml|toml|[a-z]*rc)$|(?:^|\/)[\w.]*rc$/i;
const RUN_WORDS = /^(?:run|exec|execute|eval|play)$/;
/** Their words are those of another program, which is followed by itself. */
const WRAPS = list('npm npx pnpm yarn bun bunx uv uvx poetry pdm rye hatch kubectl');
const WRITES = /out|log|report|cache|dest|target|result|write|junit|xml/i;
const CONFIGURES = /conf|rc\b|^-[cF]$|setup|init|plugin|preset|script|bootstrap|specs|import-?map|settings/i;
/** They set variables, which can make programs load code. */
const SETS_VARIABLES = /^--?env-?(?:file|path)?\b/;
/** Options that load what follows, of a program that checks files. */
const LOADS = /^-[rpg]$|require|import|load|file$|module|formatter|reporter|transform|rule/i;
/** The same of an interpreter. */
const PRELOADS = /^-[rpftLlisuS]$/;
const NAMES_TASKS = /^-{1,2}\w*(?:file|config\w*)$|^-[fcCIs]$/;
/** Settings of programs that otherwise only read. */
const SETTINGS_OF: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-K|--config)$/,
  wget: /^--config$/,
  less: /^(?:-k|--lesskey-\w+)$/,
  scp: /^-F$/,
  openssl: /^-{1,2}config$/,
  gpg: /^--options$/,
  yq: /^--from-file$/,
};
/** They compute what their operands say. */
const CALCULATES = list('bc dc');

/** Contract: pure. `option`: the option in front of the word, or in it. */
export type IsLoaded = (path: string, word: string, option: string | undefined) => boolean;

export function loadedBy(run: Run): IsLoaded {
  const { program, args } = run;
  const isInterpreter = interpreterOf(program) !== undefined;
  const settings = Object.hasOwn(SETTINGS_OF, program) ? SETTINGS_OF[program] : undefined;
  const words = args.map(({ value = '' }) => value);
  const operands = args.flatMap(({ value = '' }) => (value.startsWith('-') ? [] : [value])).slice(0, 3);
  const runsAll =
    !isInterpreter && !WRAPS.has(program) && operands.slice(0, 2).some((word) => RUN_WORDS.test(word));
  const checks = checksFiles(program, words);
  const isLoading = (option: string): boolean =>
    LOADS.test(option) || (isInterpreter ? PRELOADS.test(option) : !checks);
  const takesData = checks || WRAPS.has(program) || (isInterpreter && hasCode(run));
  // `foo lint ./guard.sh`: only its words say that it checks.
  const mayRun = checks && !isChecker(program) && !isInterpreter && !WRAPS.has(program);
  return (path, word, option) => {
    if (isLibrary(path) || CALCULATES.has(program)) return true;
    if (isKnownProgram(program) && !isInterpreter)
      return option !== undefined && settings?.test(option) === true;
    if (option !== undefined && WRITES.test(option)) return false;
    if (option !== undefined && SETS_VARIABLES.test(option)) return true;
    if (option !== undefined && TOOLS.has(program) && NAMES_TASKS.test(option)) return true;
    if (option !== undefined && CONFIGURES.test(option)) return option.length > 2 || !isData(path);
    if (word.startsWith('@')) return true;
    if (option !== undefined && !checks && /conf|settings/i.test(basename(path))) return true;
    if (option !== undefined && LOADED.test(path) && (word.startsWith('-') || isLoading(option))) return true;
    if (takesData) return mayRun && isExecutable(path);
    return !isData(path) || runsAll;
  };
}

/** Whether an interpreter has what it runs, so that its operands are data. */
function hasCode({ program, args, folders = [] }: Run): boolean {
  const interpreter = interpreterOf(program);
  const found = interpreter && readInvocation(args, interpreter);
  const script = found?.script?.value;
  return (
    interpreter?.runsNoOperand === true ||
    found?.code !== undefined ||
    found?.module !== undefined ||
    (script !== undefined && folders.some((folder) => isFile(pathFrom(folder, script))))
  );
}
