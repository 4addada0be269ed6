/** Variables that make programs run additional files. */
import { interpreterOf } from '../../../shell/interpreters.js';
import { readInvocation } from '../../../shell/invocations.js';
import type { ExecutedFiles, Setting } from './executed-files.js';
import { addLibraries } from './libraries.js';
import { pathFrom } from './places.js';
import { wordOf } from './quote.js';

/** Each with the interpreter whose options it holds. */
const HOLDS_OPTIONS: Readonly<Record<string, string>> = {
  NODE_OPTIONS: 'node',
  RUBYOPT: 'ruby',
  PERL5OPT: 'perl',
};
const NAMES_FILES =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|DYLD_INSERT_LIBRARIES|MAKEFILES|PYTHONSTARTUP|GIT_CONFIG(?:_GLOBAL|_SYSTEM)?)$/;
/** Folders with files that programs run or read on startup, under names that only they know. */
const NAMES_FOLDERS = /^(?:HOME|ZDOTDIR|XDG_CONFIG_HOME|GIT_EXEC_PATH|GIT_DIR|GIT_TEMPLATE_DIR)$/;
/** The value is a single path. */
const ONE_FILE = /^(?:BASH_ENV|ENV|PYTHONSTARTUP|GIT_CONFIG.*)$/;
const HOLDS_A_LINE =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|PAGER|EDITOR|VISUAL)$/;

export function followVariable(
  name: string,
  value: string | undefined,
  setting: Setting,
  executed: ExecutedFiles,
): void {
  if (NAMES_FOLDERS.test(name) && value !== undefined && isOurs(value, setting, executed))
    executed.fail(`What programs run of the folder that \`${name}\` names is only known when the hook runs`);
  const matters = Object.hasOwn(HOLDS_OPTIONS, name) || NAMES_FILES.test(name) || HOLDS_A_LINE.test(name);
  if (!matters || value === '') return;
  if (value === undefined)
    executed.fail(`What \`${name}\` makes programs run is only known when the hook runs`);
  else if (HOLDS_A_LINE.test(name)) executed.readLine(value, { ...setting, depth: setting.depth + 1 });
  else {
    const args = value.split(/\s+/).map(wordOf);
    const folders = setting.folder === undefined ? undefined : [setting.folder];
    addLibraries({ program: HOLDS_OPTIONS[name] ?? '', args, folders, setting }, executed);
    for (const file of filesIn(name, value)) addFile(file, name, setting, executed);
  }
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
  const interpreter = interpreterOf(HOLDS_OPTIONS[name] ?? '');
  const options = value.split(/\s+/).map((text) => ({ value: text }));
  const words = interpreter
    ? (readInvocation(options, interpreter)?.preloads ?? []).map(({ file }) => file.value)
    : value.split(/[\s:]+/);
  return words.filter((word) => name === 'MAKEFILES' || word?.includes('/') === true);
}
