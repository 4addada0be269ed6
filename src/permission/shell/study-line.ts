/** What a shell line would do to files, command by command, as far as that can be known before it runs. */
import { followLinks, type Place, placeInShell } from '../places.js';
import { reachesFile } from '../rule-bash.js';
import { readShellLine } from './bash-command.js';
import { expandWord } from './glob.js';
import type { ShellCommand, ShellRedirect } from './line.js';
import {
  changesTheShell,
  guessTouched,
  isHarmlessText,
  isSpelledOut,
  type Program,
  programOf,
  studyOf,
} from './program.js';
import { isOrdinaryRepository, studyGit } from './reading-git.js';
import { NOTHING, type Touched } from './touched.js';

export interface StudiedCommand {
  readonly command: ShellCommand;
  /** `reads`: it surely does nothing but read. `edits`: nothing but that and simple work on files. */
  readonly kind: 'reads' | 'edits' | 'unknown';
  /** What it reads and writes: all of it if the kind is known, otherwise what could be found out. */
  readonly reads: readonly Place[];
  readonly writes: readonly Place[];
  /** It reads every file below a directory. */
  readonly searches: boolean;
}

export interface StudiedLine {
  /** False: there may be commands that were not found. */
  readonly readable: boolean;
  /** False: it is more than commands in a row or in a pipe, so that none of them is surely what it looks like. */
  readonly simple: boolean;
  readonly commands: readonly StudiedCommand[];
}

/** Characters that some shells or people take for white space, and others do not. */
const DECEPTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\0-\x08\x0b-\x1f\x7f\x85\xa0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/;
const MOST_PLACES_TO_BE = 8;
/** Of a longer line nothing is looked up. */
const MOST_WORDS = 300;
const MOST_EXPANSIONS = 20;

/** Contract: never throws; looks at the file system and changes nothing. */
export function studyLine(line: string, cwd: string, home: string): StudiedLine {
  const { commands, readable, simple } = readShellLine(line);
  const count = commands.reduce((sum, { words, redirects }) => sum + words.length + redirects.length, 0);
  if (count > MOST_WORDS || DECEPTIVE.test(line)) return { readable: false, simple: false, commands: [] };
  const shell = new ShellState(cwd, home, readable && simple);
  return { readable, simple, commands: commands.map((command) => shell.study(command)) };
}

/** What is known of the shell as the line goes on. */
class ShellState {
  /** Where it may be: whether a `cd` happens can depend on the command before it. */
  #cwds: readonly string[];
  readonly #home: string;
  /** Words mean what they usually mean. */
  #isSure: boolean;
  /** Links still lead where they lead now. */
  #isUnchanged = true;
  #hasMoved = false;
  #expansions = 0;

  constructor(cwd: string, home: string, isSure: boolean) {
    this.#cwds = [...new Set([cwd, followLinks(cwd) ?? cwd])];
    this.#home = home;
    this.#isSure = isSure;
  }

  study(command: ShellCommand): StudiedCommand {
    const program = programOf(command);
    const expanded = program && this.#expand(program);
    const known = program && expanded && this.#understand(program);
    const touched = known ?? (program ? guessTouched(program) : NOTHING);
    const inputs = command.redirects.filter(({ operator }) => operator === '<');
    const outputs = command.redirects.filter(
      (each) => each.operator !== '<' && reachesFile(each.operator, each.target),
    );
    const readTexts = [...touched.reads, ...textsOf(inputs), ...(expanded ?? [])];
    const reads = this.#places(readTexts.filter((text) => text !== '/dev/null'));
    const writes = this.#places([...touched.writes, ...textsOf(outputs)]);
    const isKnown =
      this.#isSure &&
      known !== undefined &&
      outputs.length === 0 &&
      command.redirects.every(isReadable) &&
      (this.#isUnchanged || reads.length + writes.length === 0);
    const kind = !isKnown ? 'unknown' : writes.length > 0 ? 'edits' : 'reads';
    this.#goOn(program, touched, kind);
    return { command, kind, reads, writes, searches: touched.searches === true };
  }

  #understand(program: Program): Touched | undefined {
    if (!program.bare || !isSpelledOut(program)) return undefined;
    const words = program.words.map(({ plain }) => plain);
    if (program.name === 'git')
      return !this.#hasMoved && this.#cwds.every(isOrdinaryRepository) ? studyGit(words) : undefined;
    const touched = studyOf(program)?.(words);
    // A star among files to change, or where the number of files counts, is one too many.
    const isCounted =
      touched !== undefined && (touched.writes.length > 0 || touched.moves || program.name === 'uniq');
    return isCounted && program.words.some(({ expands }) => expands) ? undefined : touched;
  }

  /** What words with stars may become; undefined when that could be an option, or is not known. */
  #expand({ words }: Program): readonly string[] | undefined {
    const found: string[] = [];
    for (const { plain } of words.filter(({ expands }) => expands)) {
      for (const cwd of this.#cwds) {
        this.#expansions += 1;
        const names = this.#expansions > MOST_EXPANSIONS ? undefined : expandWord(plain, cwd);
        if (names === undefined || names.some((name) => name.startsWith('-') && name !== plain))
          return undefined;
        found.push(...names);
      }
    }
    return found;
  }

  #places(paths: readonly string[]): readonly Place[] {
    return [...new Set(paths)].flatMap((path) =>
      this.#cwds.map((cwd) => placeInShell(path, cwd, this.#home)),
    );
  }

  #goOn(program: Program | undefined, touched: Touched, kind: StudiedCommand['kind']): void {
    if (kind === 'unknown' && changesTheShell(program)) this.#isSure = false;
    if (kind === 'unknown' || program?.name === 'mv') this.#isUnchanged = false;
    if (program?.name !== 'cd') return;
    this.#hasMoved = true;
    const [to] = touched.reads;
    if (to === undefined) return;
    const next = this.#cwds.flatMap((cwd) => {
      const { path, real } = placeInShell(to, cwd, this.#home);
      return real === undefined ? [path] : [path, real];
    });
    const all = [...new Set([...this.#cwds, ...next])];
    this.#cwds = all.slice(0, MOST_PLACES_TO_BE);
    if (all.length > MOST_PLACES_TO_BE) this.#isSure = false;
  }
}

const textsOf = (redirects: readonly ShellRedirect[]): readonly string[] =>
  redirects.filter(({ target }) => !target.dynamic).map(({ target }) => target.plain);

/** Where the input of a command comes from is known now. */
function isReadable({ operator, target }: ShellRedirect): boolean {
  if (operator === '<') return !target.dynamic && !target.expands;
  return operator !== '<<<' || isHarmlessText(target);
}
