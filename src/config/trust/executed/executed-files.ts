/** Collects the files that a line executes, by following it as a shell would, and records what cannot be followed. */
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../../base/files/inside.js';
import { quoted } from '../../../base/text/shell-word.js';
import { assignedBy } from '../../../shell/assigned-variables.js';
import { readShellLine, type ShellCommand, type ShellWord } from '../../../shell/read-line.js';
import { followCommand } from './commands.js';
import { findGitTop } from './git-top.js';
import { madeBy } from './made-files.js';
import { isExecutable, isFile, matchesOf, pathFrom, shebangOf } from './places.js';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where a line runs, and with which variables. */
export interface Setting {
  readonly folder: string | undefined;
  readonly variables: Variables;
  /** The nesting of lines within scripts, which is limited. */
  readonly depth: number;
}

export interface ExecutedFile {
  /** Whether the line cannot work without it. */
  readonly needed: boolean;
  /** Started directly, not read by an interpreter. */
  readonly program: boolean;
  /** Whether a command names it by its path as its program, so that it has to be executable. */
  readonly started?: boolean;
}

const MAX_DEPTH = 6;
const MAX_FILES = 500;
/** A path of this form is a stream or device, not a file. */
const STREAM = /^\/(?:dev|proc)\/(?!null$|shm\/)/;

export class ExecutedFiles {
  readonly files = new Map<string, ExecutedFile>();
  /** Files of which only some values matter. */
  readonly parts = new Map<string, Map<string, unknown>>();
  /** Folders where a file could appear that would run instead, and files in which a setting could. */
  readonly folders = new Set<string>();
  /** What only a running shell knows, as sentences without a full stop. */
  readonly unknown = new Set<string>();
  /** What is more than is looked at, as sentences without a full stop: a guess that leaves something out counts too. */
  readonly exceeded = new Set<string>();
  readonly roots: readonly string[];
  readonly #tested = new Set<string>();
  readonly #read = new Set<string>();
  /** What earlier commands of the line write, and from which archives and patches they take it. */
  readonly #made = new Set<string>();
  readonly #unpacked = new Set<string>();

  /** Collects for a guess: whether what is followed is a command at all is not certain. */
  readonly isGuess: boolean;

  constructor(roots: readonly string[], { isGuess = false } = {}) {
    this.roots = roots;
    this.isGuess = isGuess;
  }

  readLine(line: string, setting: Setting): void {
    const { folder, variables, depth } = setting;
    const key = JSON.stringify([line, folder, variables['PATH']]);
    if (this.#read.has(key)) return;
    this.#read.add(key);
    if (depth > MAX_DEPTH) {
      this.fail('It runs scripts that run scripts, too deeply nested');
      return;
    }
    const { commands, unlisted, tested, repeats } = readShellLine(line, {
      cwd: folder,
      variables,
      complete: true,
      substitute: (words, from) => this.#substitute(words, from, variables),
    });
    if (unlisted !== undefined) this.fail(`The line ${shorten(line)} cannot be followed: ${unlisted}`);
    for (const path of [...tested, ...commands.flatMap(testedBy)]) this.#tested.add(path);
    let current = setting;
    // In a loop, what is written at its end runs at its beginning.
    if (depth === 0 && repeats) for (const command of commands) this.#noteMade(command);
    for (const command of commands) {
      current = { ...current, variables: { ...current.variables, ...stayingVariables(command) } };
      followCommand(command, current, this);
      // A script that is run as a whole may build what it runs.
      if (depth === 0) this.#noteMade(command);
    }
  }

  #noteMade(command: ShellCommand): void {
    const { files, sources } = madeBy(command);
    for (const folder of command.folders ?? []) {
      for (const path of files) this.#made.add(pathFrom(folder, path));
      for (const path of sources) this.#unpacked.add(pathFrom(folder, path));
    }
  }

  /** Records something that an approval cannot cover. */
  fail(why: string): void {
    this.unknown.add(why);
  }

  /** Records that a part of the line was not looked at because it is too long. */
  exceed(why: string): void {
    this.exceeded.add(why);
    this.fail(why);
  }

  failWord({ raw }: ShellWord): void {
    this.fail(`What ${shorten(raw)} stands for is only known when the hook runs`);
  }

  /** The absolute paths that a word may refer to. Empty if unknown, which is recorded. */
  pathsOf(word: ShellWord, folders: readonly string[] | undefined): readonly string[] {
    const { value, globs, splits } = word;
    const isStream = value !== undefined && (STREAM.test(value) || word.raw.startsWith('<('));
    const bases = value?.startsWith('/') ? ['/'] : folders;
    if (value === undefined || splits || isStream) {
      this.failWord(word);
      return [];
    }
    if (bases === undefined) {
      this.fail(`In which folder ${shorten(word.raw)} lies is only known when the hook runs`);
      return [];
    }
    if (!globs) return bases.map((base) => pathFrom(base, value));
    const found = bases.flatMap((base) => matchesOf(base, value) ?? []);
    for (const base of bases) this.folders.add(dirname(pathFrom(base, value)));
    if (found.length === 0) this.fail(`No file matches ${shorten(word.raw)}, or too many do`);
    return found;
  }

  /** Adds the paths that exist, or else the first one. */
  addFound(paths: readonly string[], { program = false, started = false } = {}): void {
    const there = paths.filter(isFile);
    for (const path of there.length > 0 ? there : paths.slice(0, 1))
      this.add(path, { needed: true, program, started });
  }

  /** A path that is `needed` and does not exist is an error. */
  add(path: string, { needed, program, started = false }: ExecutedFile): void {
    if (this.#made.has(path))
      this.fail(
        `The line itself writes \`${basename(path)}\` before it runs, so what it holds is only known when the hook runs`,
      );
    if (this.#unpacked.size > 0 && this.isOurs(path)) this.#addUnpacked();
    const before = this.files.get(path);
    this.files.set(path, {
      needed: (needed && !this.#tested.has(path)) || before?.needed === true,
      program: program && before?.program !== false,
      started: started || before?.started === true,
    });
    this.folders.add(dirname(path));
    if (this.files.size > MAX_FILES)
      throw new Error('The hook runs too many files. Put them into one script.');
  }

  #addUnpacked(): void {
    const sources = [...this.#unpacked].filter((path) => this.isOurs(path) && isFile(path));
    this.#unpacked.clear();
    for (const path of sources) this.add(path, { needed: false, program: false });
  }

  addPart(path: string, name: string, value: unknown): void {
    const parts = this.parts.get(path) ?? new Map<string, unknown>();
    this.parts.set(path, parts.set(name, value));
    this.folders.add(dirname(path));
  }

  /** Adds a program by its path, and follows the interpreter named in its first line. */
  addProgram(paths: readonly string[], setting: Setting): void {
    this.addFound(paths, { program: true, started: true });
    for (const path of paths.filter((each) => this.isOurs(each))) {
      const shebang = shebangOf(path);
      if (shebang !== undefined && /^[\w\s./:=@%+,-]+$/.test(shebang))
        this.readLine(`${shebang} ${quoted(path)}`, { ...setting, depth: setting.depth + 1 });
    }
  }

  /** Inside the workspace or the plugin. */
  isOurs(path: string): boolean {
    return this.roots.some((root) => isInside(path, root));
  }

  /** Follows a guess: its files are added only if they exist and are ours, and what it leaves out. */
  guess(follow: (trial: ExecutedFiles) => void): void {
    const trial = new ExecutedFiles(this.roots, { isGuess: true });
    follow(trial);
    for (const [path, { program }] of trial.files)
      if (this.isOurs(path) && (program ? isExecutable(path) : isFile(path)))
        this.add(path, { needed: false, program });
    for (const [path, parts] of trial.parts)
      if (isFile(path)) for (const [name, value] of parts) this.addPart(path, name, value);
    for (const folder of trial.folders) this.folders.add(folder);
    for (const why of trial.exceeded) this.exceed(why);
  }

  #substitute(
    [name = '', ...args]: readonly string[],
    folder: string | undefined,
    variables: Variables,
  ): string | null | undefined {
    const [first = '', ...more] = args;
    if (name === 'git' && args.join(' ') === 'rev-parse --show-toplevel') {
      const isElsewhere = variables['GIT_DIR'] !== undefined || variables['GIT_WORK_TREE'] !== undefined;
      const found = folder === undefined || isElsewhere ? undefined : findGitTop(folder);
      for (const file of found ? [found.config, ...found.beside] : []) this.folders.add(file);
      if (found?.worktree !== undefined) this.addPart(found.config, 'core.worktree', found.worktree);
      if (folder !== undefined) this.folders.add(folder);
      return found ? found.top : found;
    }
    if (name === 'echo' && !/^-|\\/.test(first)) return args.join(' ');
    if (name === 'dirname' && more.length === 0 && first !== '') return dirname(first);
    const finds = name === 'which' || (name === 'command' && first === '-v');
    const program = name === 'which' ? first : more[0];
    return finds && program !== undefined && args.length === (name === 'which' ? 1 : 2)
      ? findProgram(program, variables)
      : undefined;
  }
}

/** The variables that later commands have too, but for PATH, which every command knows by itself. */
function stayingVariables(command: ShellCommand): Variables {
  const { words, assignments } = command;
  const isOwn = words.length > 0 && assignments.length > 0;
  const set = isOwn ? [] : assignedBy(command).filter(({ name }) => name !== 'PATH');
  return Object.fromEntries(set.map(({ name, value }) => [name, value]));
}

/** Null if there is none, so that `which` fails. */
function findProgram(name: string, variables: Variables): string | null {
  const folders = (variables['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function shorten(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 77)}...` : text}\``;
}

/** Files that a command only tests for: `[ -f file ]`. A tested file may be missing. */
function testedBy({ words: [name, ...args], folders }: ShellCommand): readonly string[] {
  if (name?.value !== 'test' && name?.value !== '[') return [];
  return args.flatMap(({ value }, index) => {
    const isTested = /^-[efrsx]$/.test(args[index - 1]?.value ?? '');
    return isTested && value !== undefined ? (folders ?? []).map((folder) => pathFrom(folder, value)) : [];
  });
}
