/** Variables that make programs run additional files. */
import { interpreterOf } from '../../../shell/interpreters.js';
import { readInvocation } from '../../../shell/invocations.js';
import type { Run } from './commands.js';
import type { ExecutedFiles, Setting } from './executed-files.js';
import { addGiven, addNamedFiles, addNamedModules } from './given-files.js';
import { addLibraries, addPackage, followClassPath } from './libraries.js';
import { pathFrom } from './places.js';
import { wordOf } from './quote.js';

/** Each with the interpreter whose options it holds. */
const HOLDS_OPTIONS: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  RUBYOPT: 'ruby',
  PERL5OPT: 'perl',
};
const NAMES_FILES =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|MAKEFILES|PYTHONSTARTUP|GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|R_PROFILE(?:_USER)?|R_ENVIRON(?:_USER)?|INPUTRC|OPENSSL_CONF|WGETRC|SCREENRC|LESSKEY(?:IN|_SYSTEM)?|KUBECONFIG|AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE|BUNDLE_GEMFILE|npm_config_userconfig|NPM_CONFIG_USERCONFIG|RIPGREP_CONFIG_PATH)$/;
/** Folders with files that programs run or read on startup, under names that only they know. */
const NAMES_FOLDERS =
  /^(?:HOME|ZDOTDIR|XDG_CONFIG_HOME|GIT_EXEC_PATH|GIT_DIR|GIT_TEMPLATE_DIR|PYTHONHOME|LD_LIBRARY_PATH|DYLD_(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH|GCONV_PATH|OPENSSL_(?:ENGINES|MODULES)|AWKLIBPATH|TCLLIBPATH|EMACSLOADPATH|PHPRC|PHP_INI_SCAN_DIR|JULIA_(?:LOAD|DEPOT)_PATH|GEM_(?:HOME|PATH)|R_(?:LIBS|LIBS_USER|HOME)|LUA_C?PATH(?:_5_\d)?|GOROOT|CARGO_HOME|RUSTUP_HOME|CURL_HOME|DOCKER_CONFIG)$/;
/** The value is a single path. */
const ONE_FILE =
  /^(?:BASH_ENV|ENV|PYTHONSTARTUP|GIT_CONFIG.*|R_.*|INPUTRC|OPENSSL_CONF|WGETRC|SCREENRC|LESSKEY.*|AWS_.*|BUNDLE_.*|npm_.*|NPM_.*|RIPGREP_.*)$/;
/** Names of Python's modules, also as `module.function`. */
const NAMES_MODULES =
  /^(?:PYTEST_PLUGINS|PYTEST_ADDOPTS|PYTHONBREAKPOINT|PYTHONWARNINGS|DJANGO_SETTINGS_MODULE|FLASK_APP|CELERY_\w+)$/;
/** Code, or options in which files are named. */
const HOLDS_CODE =
  /^(?:PERL5DB|LUA_INIT(?:_5_\d)?|VIMINIT|EXINIT|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|\w+_OPTS|PYTEST_ADDOPTS|CLASSPATH|RAKEOPT|\w+FLAGS)$/;
const HOLDS_A_LINE =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|PAGER|EDITOR|VISUAL)$/;

export function followVariable(
  name: string,
  value: string | undefined,
  setting: Setting,
  executed: ExecutedFiles,
): void {
  const isFolderOfOurs = (value ?? '')
    .split(/[:;]/)
    .some((path) => isOurs(path.replace(/\/?\?.*$/s, ''), setting, executed));
  if (NAMES_FOLDERS.test(name) && isFolderOfOurs)
    executed.fail(`What programs run of the folder that \`${name}\` names is only known when the hook runs`);
  const folders = setting.folder === undefined ? undefined : [setting.folder];
  const given = { program: '', args: (value ?? '').split(/[\s'"()]+/).map(wordOf), folders, setting };
  if (name === 'PYTHONPATH')
    for (const path of (value ?? '').split(':')) addNamedFiles(path, folders, executed);
  if (name === 'CLASSPATH') followClassPath(value ?? '', folders, executed);
  if (NAMES_MODULES.test(name)) addNamedModules(given.args, given, executed);
  if (HOLDS_CODE.test(name)) addGiven(given.args, folders, executed);
  const matters = Object.hasOwn(HOLDS_OPTIONS, name) || NAMES_FILES.test(name) || HOLDS_A_LINE.test(name);
  if (!matters || value === '') return;
  if (value === undefined)
    executed.fail(`What \`${name}\` makes programs run is only known when the hook runs`);
  else if (HOLDS_A_LINE.test(name)) executed.readLine(value, { ...setting, depth: setting.depth + 1 });
  else {
    const options = { ...given, program: HOLDS_OPTIONS[name] ?? '', args: value.split(/\s+/).map(wordOf) };
    addLibraries(options, executed);
    if (name === 'NODE_OPTIONS') addPreloads(options, executed);
    for (const file of filesIn(name, value)) addFile(file, name, setting, executed);
  }
}

/** `--require name`, found in `NODE_PATH` or installed. */
function addPreloads(run: Pick<Run, 'args' | 'folders' | 'setting'>, executed: ExecutedFiles): void {
  for (const name of filesOf(
    'node',
    run.args.map(({ value = '' }) => value),
  ))
    if (!name.includes('/') || name.startsWith('@')) addPackage(name, run, executed);
}

function isOurs(path: string, { folder }: Setting, executed: ExecutedFiles): boolean {
  return path !== '' && executed.isOurs(pathFrom(folder ?? '/', path));
}

function addFile(file: string, name: string, { folder }: Setting, executed: ExecutedFiles): void {
  if (file.startsWith('/') || folder !== undefined) executed.addFound([pathFrom(folder ?? '/', file)]);
  else executed.fail(`In which folder the file of \`${name}\` lies is only known when the hook runs`);
}

/** Names without a slash are packages and system libraries, except where only a file is possible. */
function filesIn(name: string, value: string): readonly string[] {
  if (ONE_FILE.test(name)) return [value];
  const program = HOLDS_OPTIONS[name];
  const words = program === undefined ? value.split(/[\s:]+/) : filesOf(program, value.split(/\s+/));
  return words.filter((word) => /^(?:MAKEFILES|KUBECONFIG)$/.test(name) || word.includes('/'));
}

/** What an interpreter with these options loads first. */
function filesOf(program: string, options: readonly string[]): readonly string[] {
  const interpreter = interpreterOf(program);
  const invocation =
    interpreter &&
    readInvocation(
      options.map((value) => ({ value })),
      interpreter,
    );
  return (invocation?.preloads ?? []).map(({ file }) => file.value);
}
