/** Determines what a shell line would do to files, command by command, as far as that is known before it runs. */
import { isAbsolute, resolve } from 'node:path';
import { basename } from 'node:path/posix';
import { type AffectedPaths, type FileFilter, NOTHING } from '../shell/affected-paths.js';
import {
  changesTheShell,
  type Effects,
  effectsOf,
  goesElsewhere,
  hasUnknownFiles,
  isHarmlessText,
  maySetGlobs,
  obeysInput,
  traces,
} from '../shell/effects.js';
import { doubtfulTexts, pathsInText } from '../shell/mentions.js';
import { LISTED } from '../shell/pieces.js';
import {
  readShellLine,
  type ShellCommand,
  type ShellLine,
  type ShellRedirect,
  type ShellWord,
} from '../shell/read-line.js';
import { type GitStart, readBefore } from '../shell/reading-git.js';
import { expandWord } from './expand-word.js';
import { givenProblem, isCheckout, repositoryProblem, topOf } from './git-repository.js';
import { foldersListed, lookUpListed } from './listed-files.js';
import { repositoriesNamed } from './named-repositories.js';
import { followLinks, isDirectory, isThere, linksIn, type Place, placeInShell } from './paths.js';
import { reachesFile } from './rule-bash.js';

export interface AnalysedCommand {
  readonly command: ShellCommand;
  /** `reads`: it certainly only reads. `edits`: it only reads and does simple file operations. */
  readonly kind: 'reads' | 'edits' | 'unknown';
  /** What it reads and writes: complete if the kind is known, otherwise what could be determined. */
  readonly reads: readonly Place[];
  readonly writes: readonly Place[];
  /** Directories it enters without reading their content. */
  readonly visits: readonly Place[];
  /** Directories whose files it reads too. */
  readonly searches: readonly SearchedFolder[];
  /** Some of the files it works on are only known when it runs. */
  readonly unclear: boolean;
  /** Some of the files it reads are named by the program's own pattern, or only by their directory. */
  readonly unclearReads: boolean;
  /** Files named in its words; what it does with them is unknown. */
  readonly mentions: readonly Place[];
  /** Directories whose files it may read, copy or send. */
  readonly given: readonly SearchedFolder[];
  /** Relative paths, and texts that may be paths, if the directory is unknown. */
  readonly adrift: readonly { readonly path: string; readonly isPath: boolean }[];
  /**
   * Why it may do more than its words say: git would run programs configured by the repository, or a wildcard may stand
   * for an option. Only a rule for exactly this line, or for all lines, covers it then.
   */
  readonly problem: string | undefined;
}

export interface SearchedFolder {
  readonly path: string;
  readonly filter: FileFilter;
}

export interface AnalysedLine {
  /** Why there may be commands that were not found. */
  readonly unreadable: string | undefined;
  /** The environment variables whose values it may show by itself, without a command that prints them. */
  readonly revealed: readonly string[];
  readonly commands: readonly AnalysedCommand[];
}

/** Longer lines are not analysed. */
const MAX_WORDS = 300;
const MAX_EXPANSIONS = 20;
/** Ignore files and the configuration of ripgrep. */
const SETS_FILTERS = /ignore|RIPGREP_CONFIG/i;

export interface AnalysisContext {
  readonly cwd: string;
  readonly home: string;
  /** Whether git may run programs configured by its repository. */
  readonly trustRepository: boolean;
}

/** Contract: never throws; reads the file system and changes nothing. */
export function analyseLine(line: string, context: AnalysisContext): AnalysedLine {
  const { cwd, home } = context;
  const read = readShellLine(line, { cwd, variables: { HOME: home }, substitute: topOfCheckout });
  const count = read.commands.reduce((sum, { words, redirects }) => sum + words.length + redirects.length, 0);
  if (count > MAX_WORDS)
    return { unreadable: `it has more than ${MAX_WORDS} words`, revealed: [], commands: [] };
  const analysis = new LineAnalysis(context, line, read);
  const commands = read.commands.map((command) => analysis.analyse(command));
  // A repeated command may depend on what the others have changed by then.
  const isSettled = !read.repeats || commands.every(({ kind }) => kind === 'reads');
  return {
    unreadable: read.unreadable,
    revealed: read.commands.some(traces) ? read.environment : [...read.revealed, ...analysis.givenToWrappers],
    commands: isSettled ? commands : commands.map((each) => ({ ...each, kind: 'unknown' as const })),
  };
}

/** `$(git rev-parse --show-toplevel)`, where git surely finds the repository that we find. */
function topOfCheckout(words: readonly string[], folder: string | undefined): string | undefined {
  if (folder === undefined || words.join(' ') !== 'git rev-parse --show-toplevel') return undefined;
  const top = topOf(folder);
  const isFound = top !== undefined && isCheckout(top) && repositoryProblem(folder, false) === undefined;
  return isFound ? top : undefined;
}

class LineAnalysis {
  readonly #home: string;
  readonly #trustsRepository: boolean;
  readonly #start: readonly string[];
  /** Commands that only run another one, with the words of that one. */
  readonly #wrappers: ReadonlyMap<ShellCommand, ReadonlySet<ShellWord>>;
  /** Whether one of the commands may execute its input. */
  readonly #isTextRun: boolean;
  /** The line may change which hidden files are searched. */
  readonly #setsFilters: boolean;
  /** Wildcards may stand for the dot at the start of a name, and letters for capitals. */
  readonly #globsLoosely: boolean;
  /** Whether words still have their usual meaning. */
  #isCertain: boolean;
  /** Whether links still lead where they lead now. */
  #areLinksStable = true;
  #expansions = 0;

  constructor(
    { cwd, home, trustRepository }: AnalysisContext,
    line: string,
    { unreadable, commands }: ShellLine,
  ) {
    this.#home = home;
    this.#setsFilters = SETS_FILTERS.test(line);
    this.#globsLoosely = commands.some(maySetGlobs);
    this.#trustsRepository = trustRepository;
    this.#start = [...new Set([cwd, followLinks(cwd) ?? cwd])];
    this.#isCertain = unreadable === undefined;
    this.#wrappers = new Map(
      commands.flatMap(({ carrier, wrapped, words }) =>
        carrier && wrapped ? [[carrier, new Set(words)] as const] : [],
      ),
    );
    this.#isTextRun = commands.some(obeysInput);
  }

  /**
   * The variables that may hold a secret in the own words of commands that only run another one. A program shows what it does
   * not understand, and a shell says in its errors what it was called as.
   */
  get givenToWrappers(): readonly string[] {
    return [...this.#wrappers].flatMap(([{ words }, carried]) =>
      words.flatMap((word) => (carried.has(word) ? [] : word.environment)),
    );
  }

  analyse(command: ShellCommand): AnalysedCommand {
    const folders = this.#foldersOf(command);
    const expanded = this.#expand(command, folders);
    const carried = this.#wrappers.get(command);
    const effects = carried ? this.#effectsOfWrapper(command, carried) : effectsOf(command, this.#isTextRun);
    const problem =
      this.#gitProblem(command, effects.known === undefined, folders) ??
      (expanded === undefined ? optionProblem(command) : undefined);
    const links = this.#linksAmongListed(command);
    const isKnown = links !== undefined && this.#isKnown(command, effects.known, expanded, problem);
    const known = isKnown ? effects.known : undefined;
    const touched = known ?? effects.likely;
    const inputs = command.redirects.filter(({ operator }) => operator === '<' || operator === '<>');
    const outputs = command.redirects.filter(
      (each) => each.operator !== '<' && reachesFile(each.operator, each.target),
    );
    const texts = [
      ...touched.reads,
      ...inputs.flatMap(({ target: { value, listing } }) => value ?? (listing ? LISTED : [])),
      ...(expanded ?? []),
    ].filter((text) => text !== '/dev/null');
    const reads = this.#places(texts, folders);
    const written = touched.writes.flatMap((path) => [path, ...this.#matched(path, folders)]);
    const writes = this.#places([...written, ...textsOf(outputs)], folders);
    // Links may be among what is listed: they must not lead elsewhere.
    const reached = touched.reads.length > 0 || inputs.length > 0 ? (links ?? []) : [];
    const followed = touched.follows ? reads.filter(isDirectory).flatMap(linksIn) : [];
    const visits = this.#places([...(touched.visits ?? []), ...reached, ...followed], folders);
    const isDone =
      known !== undefined &&
      outputs.length === 0 &&
      command.redirects.every(isReadable) &&
      (this.#areLinksStable || reads.length + writes.length === 0) &&
      (command.folders !== undefined || reads.length + writes.length + visits.length === 0);
    const kind = !isDone ? 'unknown' : writes.length > 0 ? 'edits' : 'reads';
    this.#updateState(command, kind);
    const mentioned = effects.mentions.flatMap(pathsInText);
    const goes = goesElsewhere(command);
    const isAdrift = command.folders === undefined || goes === 'surely' || isGitElsewhere(command);
    const given = effects.given.folders;
    const isFile = links !== undefined && !touched.deep && this.#areLinksStable;
    const listed = isFile && !isAdrift ? foldersListed(command) : undefined;
    const isSearching = touched.deep !== undefined && touched.deep !== false && gitOf(command) === undefined;
    return {
      ...{ command, kind, reads, writes, visits, problem },
      searches: touched.deep
        ? reads
            .filter(isDirectory)
            .map(({ real, path }) => ({ path: real ?? path, filter: this.#filter(touched.deep) }))
        : [],
      unclear:
        (!listed && hasUnknownFiles(command, carried !== undefined)) || (!carried && expanded === undefined),
      unclearReads:
        touched.unclear === true ||
        effects.given.unclear ||
        (isAdrift && given.some(({ path }) => isRelative(path))) ||
        (isAdrift && (isSearching || command.words.some(({ globs }) => globs)) && texts.some(isRelative)),
      mentions: this.#found(mentioned, folders),
      given: [
        ...(listed ?? []),
        ...given.flatMap(({ path, filter }) =>
          this.#places([path.replace(/^~(?=\/|$)/, this.#home)], folders)
            .filter(isDirectory)
            .map((place) => ({ path: place.real ?? place.path, filter })),
        ),
      ],
      adrift:
        isAdrift || goes !== undefined
          ? [
              ...texts.map((path) => ({ path, isPath: isAdrift })),
              ...mentioned.map((path) => ({ path, isPath: false })),
            ].filter(({ path }) => isRelative(path))
          : [],
    };
  }

  /** The links among the files whose names it gets from another command; undefined if a name may be something else. */
  #linksAmongListed({ words, redirects, feed, folders }: ShellCommand): readonly string[] | undefined {
    const named = [...words, ...redirects.map(({ target }) => target)].flatMap(({ listing, splits }) =>
      listing ? [{ listing, splits }] : [],
    );
    if (feed?.output.kind === 'files' && feed.appended) named.push({ listing: feed.output, splits: false });
    const links: string[] = [];
    for (const { listing, splits } of named) {
      // Elsewhere the same names are other files.
      if (listing.base?.join('\0') !== folders?.join('\0')) return undefined;
      const found = lookUpListed(listing, splits);
      if (found === undefined) return undefined;
      links.push(...found.links);
    }
    return links;
  }

  #filter(deep: AffectedPaths['deep']): FileFilter {
    if (typeof deep !== 'object') return {};
    return this.#setsFilters && deep.visible ? {} : deep;
  }

  /** The command it runs is analysed separately; the words before it may name files. */
  #effectsOfWrapper(command: ShellCommand, carried: ReadonlySet<ShellWord>): Effects {
    const own = command.words.filter((word) => !carried.has(word));
    const line = own.findIndex(({ value = '' }) => /^-[a-zA-Z]*c$/.test(value));
    const words = EVALUATES.has(own[0]?.value ?? '') ? [] : own.slice(0, line < 0 ? undefined : line);
    const mentions = doubtfulTexts(
      { ...command, words, redirects: [] },
      { isUnderstood: false, isTextRun: false },
    );
    return { known: NOTHING, likely: NOTHING, mentions, given: { folders: [], unclear: false } };
  }

  #isKnown(
    { words }: ShellCommand,
    known: AffectedPaths | undefined,
    expanded: readonly string[] | undefined,
    problem: string | undefined,
  ): boolean {
    if (!this.#isCertain || known === undefined || expanded === undefined || problem !== undefined)
      return false;
    const isCounted = known.writes.length > 0 || known.counted === true;
    return !(isCounted && words.some(({ globs }) => globs));
  }

  #gitProblem(
    { words: [name, ...args] }: ShellCommand,
    writes: boolean,
    folders: readonly string[],
  ): string | undefined {
    if (this.#trustsRepository || basename(name?.value ?? '') !== 'git') return undefined;
    const named = repositoriesNamed(args);
    if (named.includes(undefined)) return 'which repository git uses is only known when it runs';
    const elsewhere = folders.flatMap((folder) => named.map((path = '') => resolve(folder, path)));
    const given = writes ? args.flatMap(({ value = '' }) => value.replace(/^--[\w-]+=/, '')) : [];
    return [
      ...[...folders, ...elsewhere].map((folder) => repositoryProblem(folder, writes)),
      ...folders.flatMap((folder) => given.map((address) => givenProblem(folder, address))),
    ].find((problem) => problem !== undefined);
  }

  /** Where the command may run, including resolved links. */
  #foldersOf(command: ShellCommand): readonly string[] {
    const { folders } = command;
    const known = folders?.flatMap((folder) => [folder, followLinks(folder) ?? folder]) ?? this.#start;
    const start = gitOf(command);
    if (start === undefined) return [...new Set(known)];
    // `HEAD:file` starts at the top of the repository, wherever git runs in it.
    const reached = known.map((folder) => resolve(folder, ...start.folders));
    return [...new Set([...known, ...reached, ...reached.flatMap((folder) => topOf(folder) ?? [])])];
  }

  /** What glob words may expand to; undefined if that could be an option or is unknown. */
  #expand({ words }: ShellCommand, folders: readonly string[]): readonly string[] | undefined {
    const found: string[] = [];
    for (const { value, globs } of words.slice(1)) {
      if (!globs || value === undefined) continue;
      for (const cwd of folders) {
        this.#expansions += 1;
        const names =
          this.#expansions > MAX_EXPANSIONS ? undefined : expandWord(value, cwd, this.#globsLoosely);
        if (names === undefined || names.some((name) => name.startsWith('-') && name !== value))
          return undefined;
        found.push(...names);
      }
    }
    return found;
  }

  /** The files that a glob among the written paths stands for. */
  #matched(path: string, folders: readonly string[]): readonly string[] {
    if (!/[*?[]/.test(path) || this.#expansions > MAX_EXPANSIONS) return [];
    return folders.flatMap((folder) => expandWord(path, folder, this.#globsLoosely) ?? []);
  }

  #places(paths: readonly string[], folders: readonly string[]): readonly Place[] {
    return [...new Set(paths)].flatMap((path) => {
      // The shell has already expanded the home directory: a remaining tilde is part of the name.
      const text = path.startsWith('~') ? `./${path}` : path;
      return folders.map((folder) => placeInShell(text, folder, this.#home));
    });
  }

  /** The existing files among possible paths. */
  #found(paths: readonly string[], folders: readonly string[]): readonly Place[] {
    return folders.flatMap((folder) =>
      [...new Set(paths)]
        .flatMap((path) => (/[*?]/.test(path) ? this.#matching(path, folder) : [path]))
        .filter((path) => isThere(path.replace(/^~(?=\/)/, this.#home), folder))
        .map((path) => placeInShell(path, folder, this.#home)),
    );
  }

  /** A program's own patterns do not match leading dots either, as in the shell. */
  #matching(pattern: string, folder: string): readonly string[] {
    if (!/\w/.test(pattern) || this.#expansions > MAX_EXPANSIONS) return [];
    this.#expansions += 1;
    const isHidden = /(?:^|\/)\.[^/]*$/.test(pattern);
    const found = expandWord(pattern, folder, true) ?? [];
    return found.filter((path) => isHidden || !basename(path).startsWith('.'));
  }

  #updateState(command: ShellCommand, kind: AnalysedCommand['kind']): void {
    if (kind === 'unknown' && changesTheShell(command)) this.#isCertain = false;
    if (kind === 'unknown' || command.words[0]?.value === 'mv') this.#areLinksStable = false;
  }
}

/** Their words are lines, which are read separately. */
const EVALUATES = new Set(['eval', 'trap']);

/** Git's options before its command; undefined for other programs. */
function gitOf({ words: [name, ...args] }: ShellCommand): GitStart | undefined {
  if (basename(name?.value ?? '') !== 'git') return undefined;
  return readBefore(args.map(({ value, raw }) => value ?? raw));
}

function isGitElsewhere(command: ShellCommand): boolean {
  const start = gitOf(command);
  return (
    start !== undefined && (start.isElsewhere || command.assignments.some(({ name }) => /^GIT_/.test(name)))
  );
}

const isRelative = (path: string): boolean => !isAbsolute(path);

/** A wildcard at the start of a word may stand for a file with the name of an option: `find *` in a folder with `-delete`. */
function optionProblem({ words }: ShellCommand): string | undefined {
  const word = words.slice(1).find(({ value = '', globs }) => globs && /^[-*?[]/.test(value));
  return word && `\`${word.raw}\` may stand for a file whose name is an option; write \`./${word.raw}\``;
}

const textsOf = (redirects: readonly ShellRedirect[]): readonly string[] =>
  redirects.flatMap(({ target }) => target.value ?? []);

/** Whether the source of the command's input is known now. */
function isReadable({ operator, target }: ShellRedirect): boolean {
  if (operator === '<') return (target.value !== undefined && !target.globs) || target.listing !== undefined;
  if (operator === '<>') return target.value !== undefined && !target.globs;
  return !operator.startsWith('<<') || isHarmlessText(target);
}
