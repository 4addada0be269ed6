/** Checks whether git can be used in a folder without running programs that the folder configures. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type GitSetting, readGitConfig, runsBySetting } from './git-config.js';

const MAX_CONFIG_BYTES = 256 * 1024;

/**
 * Why git would run programs of the repository when it only reads, or also writes, there; undefined if it would not.
 */
export function repositoryProblem(folder: string, writes: boolean): string | undefined {
  for (const found of repositoriesOf(folder)) {
    if (typeof found === 'string') return found;
    const problem = problemOf(found, writes) ?? (writes ? remoteProblem(found) : undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Pushing to a repository on this machine runs its hooks. */
function remoteProblem({ top, settings }: Repository): string | undefined {
  return settings
    .filter(({ name }) => /^remote\..*\.(?:url|pushurl)$/.test(name))
    .map(({ value }) => givenProblem(top, value.replaceAll('"', '')))
    .find((problem) => problem !== undefined);
}

function problemOf(found: Repository, writes: boolean): string | undefined {
  const setting = found.settings.find((each) => {
    if (each.name === 'core.worktree') return resolve(found.real, each.value) !== found.top;
    const runs = runsBySetting(each);
    return runs === 'reading' || (writes && runs === 'writing');
  })?.name;
  if (setting !== undefined)
    return `the git configuration of ${found.top} sets ${setting}, which can run a program or lead elsewhere`;
  const hook = hooksOf(found).find((name) => writes || name === 'post-index-change');
  return hook === undefined ? undefined : `${found.top} has the git hook ${hook}, which runs a program`;
}

/**
 * Why a command that is given a place, by a path or an address, would run programs of a repository there: pushing runs its
 * hooks, and what is added as a submodule is looked into from then on. Its own remotes do not count.
 */
export function givenProblem(folder: string, address: string): string | undefined {
  const place = resolve(folder, address.replace(/^file:\/\/(?:localhost)?(?=\/)/, ''));
  if (existsSync(join(place, '.git'))) {
    const { found } = readRepository(place);
    return typeof found === 'string' ? found : problemOf(found, true);
  }
  if (!isComplete(place)) return undefined;
  try {
    const settings = readGitConfig(readText(join(place, 'config')));
    if (settings !== undefined)
      return problemOf({ top: place, directory: place, real: place, settings }, true);
  } catch {
    // The same as a configuration that is not understood.
  }
  return `the git configuration of ${place} cannot be read`;
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
  const found = repositoriesOf(folder);
  const [first] = found;
  const known = found.flatMap((each) => (typeof each === 'string' ? [] : [each]));
  if (first === undefined || known.length < found.length) return undefined;
  const settings: Record<string, string> = {};
  for (const each of known.flatMap((repository) => repository.settings)) {
    if (runsBySetting(each) === undefined) continue;
    const before = settings[each.name];
    settings[each.name] = before === undefined ? each.value : `${before}\n${each.value}`;
  }
  const hooks = known.flatMap((each) => hooksOf(each).map((name) => join(hooksFolder(each), name)));
  if (Object.keys(settings).length + hooks.length === 0) return undefined;
  return { top: (first as Repository).top, settings, hooks };
}

interface Repository {
  readonly top: string;
  /** The `.git` folder, or the one that it points to. */
  readonly directory: string;
  /** The same, but of a worktree its own. */
  readonly real: string;
  readonly settings: readonly GitSetting[];
}

/**
 * The repositories that git may use from here: the one that it finds, and the submodules that it looks into. A sentence
 * stands for one that cannot be read. Git also accepts a directory that only looks like the inside of a repository; its
 * configuration can run programs, and its files are not protected.
 */
function repositoriesOf(folder: string): readonly (Repository | string)[] {
  const found: (Repository | string)[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'HEAD'))) return [...found, `${at} looks like the inside of a git repository`];
    if (existsSync(join(at, '.git'))) {
      found.push(...readWithSubmodules(at));
      // Git goes on above a `.git` that is none.
      if (isRepository(join(at, '.git'))) return found;
    }
    if (dirname(at) === at) return found;
  }
}

function isComplete(directory: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(directory, name)));
}

/** What `HEAD` of a repository holds: the name of a branch, or the id of a commit. */
const HEAD = /^(?:ref:\s*refs\/\S.*|[0-9a-f]{40}|[0-9a-f]{64})\s*$/;

/** Whether git surely accepts it, instead of going on above. */
function isRepository(directory: string): boolean {
  try {
    for (const name of ['objects', 'refs']) accessSync(join(directory, name), constants.X_OK);
    return HEAD.test(readText(join(directory, 'HEAD')));
  } catch {
    return false;
  }
}

/** Whether git surely takes this folder for the top of a checkout. A file that leads to no repository is an error. */
export function isCheckout(top: string): boolean {
  const place = join(top, '.git');
  return isRepository(place) || statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}

/** The top folder of the checkout that contains a folder. */
export function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const MAX_SUBMODULES = 200;

/** `git status` and `git diff` run git in every submodule that is checked out. */
function readWithSubmodules(top: string): readonly (Repository | string)[] {
  const found: (Repository | string)[] = [];
  const open = [top];
  for (let at = 0; at < open.length; at++) {
    if (at > MAX_SUBMODULES) return [...found, `${top} has too many submodules to look at`];
    const folder = open[at] as string;
    if (!existsSync(join(folder, '.git'))) continue;
    const repository = readRepository(folder);
    found.push(repository.found);
    if (repository.submodules === undefined)
      return [...found, `which submodules ${folder} has cannot be determined`];
    open.push(...repository.submodules.map((path) => join(folder, path)));
  }
  return found;
}

function readRepository(top: string): {
  readonly found: Repository | string;
  readonly submodules: readonly string[] | undefined;
} {
  const directory = join(top, '.git');
  try {
    const real = statSync(directory).isDirectory() ? directory : linkedFrom(top, readText(directory));
    const common = existsSync(join(real, 'commondir'))
      ? resolve(real, readText(join(real, 'commondir')).trim())
      : real;
    const texts = [join(common, 'config'), join(real, 'config.worktree')].filter(existsSync).map(readText);
    const settings = texts.map(readGitConfig);
    const index = join(real, 'index');
    const known = settings.flatMap((each) => each ?? []);
    return {
      found: settings.includes(undefined)
        ? `the git configuration of ${top} is written in a way that is not understood`
        : { top, directory: common, real, settings: known },
      submodules: existsSync(index) ? submodulesIn(readFileSync(index)) : [],
    };
  } catch {
    return { found: `the git configuration of ${top} cannot be read`, submodules: [] };
  }
}

/** The mode of a submodule in an index, and where it and the path are in an entry. */
const SUBMODULE = Buffer.from([0, 0, 0xe0, 0]);
const [HEADER, MODE_AT, PATH_AT] = [12, 24, 62];

/** The paths of submodules. Undefined if a format of the index is not known. */
function submodulesIn(index: Buffer): readonly string[] | undefined {
  const paths: string[] = [];
  const version = index.readUInt32BE(4);
  for (let at = index.indexOf(SUBMODULE); at >= 0; at = index.indexOf(SUBMODULE, at + 1)) {
    if (version !== 2 && version !== 3) return undefined;
    // Entries are aligned, so that other fields of the same value are seen only by chance.
    if ((at - HEADER - MODE_AT) % 8 !== 0) continue;
    const start = at - MODE_AT + PATH_AT;
    const path = index.toString('utf8', start, index.indexOf(0, start + 2));
    paths.push(path, path.slice(2));
  }
  return paths;
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

function hooksFolder({ directory, top, settings }: Repository): string {
  const path = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
  return path === undefined ? join(directory, 'hooks') : resolve(top, path);
}

function hooksOf(repository: Repository): readonly string[] {
  try {
    return readdirSync(hooksFolder(repository)).filter((name) => /^[a-z-]+$/.test(name));
  } catch {
    return [];
  }
}
