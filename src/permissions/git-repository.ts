/** Checks whether git can be used in a folder without running programs that the folder configures. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Settings that name a program which reading commands run, and those that include other settings. */
const RUNS_WHEN_READING =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|gitproxy|askpass|alternaterefscommand)|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|process)|pager\..*|interactive\.difffilter|gpg\..*program|include(?:if\..*)?\.path|uploadpack\..*)$/;
const RUNS_WHEN_WRITING =
  /^(?:core\.(?:hookspath|editor)|sequence\.editor|filter\..*\.smudge|merge\..*\.driver|mergetool\..*|difftool\..*|credential\..*helper|remote\..*\.(?:uploadpack|receivepack|proxy|vcs)|url\..*|protocol\.ext\.allow|gpg\..*|commit\.gpgsign|tag\.gpgsign|tar\..*\.command|trailer\..*\.(?:command|cmd)|man\..*\.(?:cmd|path)|browser\..*\.(?:cmd|path)|web\.browser|instaweb\.httpd|guitool\..*\.cmd|gc\.recentobjectshook|sendemail\..*(?:cmd|smtpserver)|lfs\.customtransfer\..*\.path|lfs\.extension\..*\.(?:clean|smudge))$/;
/** Settings that run a program with some values: a tool or strategy given by a path, a command behind `!`. */
const RUNS_WITH_VALUE: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:(?:diff|merge)\.(?:gui)?tool|pull\.(?:twohead|octopus))$/, /\//],
  [/^submodule\..*\.update$/, /^!/],
];
const MAX_CONFIG_BYTES = 256 * 1024;

/**
 * Why git would run programs of the repository when it only reads, or also writes, there; undefined if it would not.
 */
export function repositoryProblem(folder: string, writes: boolean): string | undefined {
  const found = repositoryOf(folder);
  if (found === undefined || typeof found === 'string') return found;
  const setting = [...found.settings].find(
    ([name, value]) => runsWhenReading(name, value) || (writes && runsWhenWriting(name, value)),
  )?.[0];
  if (setting !== undefined)
    return `the git configuration of ${found.top} sets ${setting}, which can run a program`;
  const hook = hooksOf(found).find((name) => writes || name === 'post-index-change');
  return hook === undefined ? undefined : `${found.top} has the git hook ${hook}, which runs a program`;
}

/** The programs that git may run because of a repository. */
export interface RepositoryPrograms {
  readonly top: string;
  /** Its settings that can run a program, with their values. */
  readonly settings: Readonly<Record<string, string>>;
  /** Its hooks, as absolute paths. */
  readonly hooks: readonly string[];
}

/** Undefined if there are none, or if it cannot be determined. */
export function repositoryPrograms(folder: string): RepositoryPrograms | undefined {
  const found = repositoryOf(folder);
  if (found === undefined || typeof found === 'string') return undefined;
  const settings = [...found.settings].filter(
    ([name, value]) => runsWhenReading(name, value) || runsWhenWriting(name, value),
  );
  const hooks = hooksOf(found).map((name) => join(hooksFolder(found), name));
  if (settings.length + hooks.length === 0) return undefined;
  return { top: found.top, settings: Object.fromEntries(settings), hooks };
}

interface Repository {
  readonly top: string;
  /** The `.git` folder, or the one that it points to. */
  readonly directory: string;
  readonly settings: ReadonlyMap<string, string>;
}

/**
 * The repository that git would find from here. Git also accepts a directory that only looks like the inside of one;
 * its configuration can run programs, and its files are not protected.
 */
function repositoryOf(folder: string): Repository | string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'HEAD'))) return `${at} looks like the inside of a git repository`;
    const directory = join(at, '.git');
    if (existsSync(directory)) return readRepository(at, directory);
    if (dirname(at) === at) return undefined;
  }
}

/** The top folder of the checkout that contains a folder. */
export function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function readRepository(top: string, directory: string): Repository | string {
  try {
    const real = statSync(directory).isDirectory() ? directory : linkedFrom(top, readText(directory));
    const common = existsSync(join(real, 'commondir'))
      ? resolve(real, readText(join(real, 'commondir')).trim())
      : real;
    const texts = [join(common, 'config'), join(real, 'config.worktree')].filter(existsSync).map(readText);
    return { top, directory: common, settings: readSettings(texts.join('\n')) };
  } catch {
    return `the git configuration of ${top} cannot be read`;
  }
}

/** A worktree or a submodule has a file that names its repository. */
function linkedFrom(top: string, text: string): string {
  const path = /^gitdir:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? '';
  return isAbsolute(path) ? path : join(top, path);
}

function readText(file: string): string {
  if (statSync(file).size > MAX_CONFIG_BYTES) throw new Error(`${file} is too large`);
  return readFileSync(file, 'utf8');
}

/** Names in lower case, because git ignores case. A value that cannot be read counts by its name. */
function readSettings(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, name, quoted, rest = ''] =
      /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (name !== undefined)
      section = [name, ...(quoted === undefined ? [] : [quoted])].join('.').toLowerCase();
    const [, key, value = 'true'] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/.exec(name === undefined ? line : rest) ?? [];
    if (key !== undefined) settings.set(`${section}.${key.toLowerCase()}`, value.replace(/^"(.*)"$/, '$1'));
  }
  return settings;
}

function runsWhenReading(name: string, value: string): boolean {
  return RUNS_WHEN_READING.test(name) && !isHarmless(value);
}

function runsWhenWriting(name: string, value: string): boolean {
  return (
    (RUNS_WHEN_WRITING.test(name) && !isHarmless(value)) ||
    RUNS_WITH_VALUE.some(([setting, kind]) => setting.test(name) && kind.test(value))
  );
}

function isHarmless(value: string): boolean {
  return /^(?:true|false|yes|no|on|off|0|1|cat|)$/i.test(value);
}

function hooksFolder({ directory, top, settings }: Repository): string {
  const path = settings.get('core.hookspath');
  return path === undefined ? join(directory, 'hooks') : resolve(top, path);
}

function hooksOf(repository: Repository): readonly string[] {
  try {
    return readdirSync(hooksFolder(repository)).filter((name) => /^[a-z-]+$/.test(name));
  } catch {
    return [];
  }
}
