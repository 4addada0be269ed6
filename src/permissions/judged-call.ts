/** A call as seen by permissions: its names, the files it is about, and whether a rule matches it. */

import { isInside } from '../base/files/inside.js';
import { foldCase } from '../base/text/fold-case.js';
import { type AnalysedLine, analyseLine, type SearchedFolder } from './analyse-line.js';
import { knownPath, pathsIn } from './call-paths.js';
import { filesBelow } from './files-below.js';
import { followLinks, type Place, placeOf } from './paths.js';
import { type PermissionRule, ruleApplies, ruleCoversAll, ruleMatches } from './rule.js';
import { linesReading, linesRunning } from './rule-code.js';
import { codeWritten, linesWritten, readsUnseen } from './rule-feed.js';
import type { RuleContext } from './rule-judge.js';
import { folderOf, mayBeNamed } from './rule-path.js';
import { editsFiles, needsContent, pathFieldOf } from './rule-tools.js';
import type { PermissionState } from './state.js';
import type { PermissionCall } from './types.js';

/** What a rule is checked against: an input under one of the tool's names. */
interface Facet {
  readonly name: string;
  /** The input as written, and with its path resolved; each in all spellings. */
  readonly inputs: readonly (readonly unknown[])[];
}

/** Stands for a path that cannot be resolved: deny and ask rules match it, allow rules do not. */
const UNRESOLVED = null;
type Spelling = string | typeof UNRESOLVED;

export class JudgedCall {
  readonly call: PermissionCall;
  readonly names: readonly string[];
  /** The line, for the tool that runs shell lines; null if its input has none. */
  readonly line: AnalysedLine | null | undefined;
  /** Whether the tool edits files, whatever it declares. */
  readonly edits: boolean;
  /** The files the call is about; undefined if they cannot be determined. */
  readonly places: readonly Place[] | undefined;
  /** A path in the call whose target cannot be determined. */
  readonly unresolved: string | undefined;
  readonly #state: PermissionState;
  readonly #facets: readonly Facet[];
  /** Paths in rules start at the root, wherever the agent is. */
  readonly #context: RuleContext;
  /**
   * The files that the line reads because it reads a whole directory; undefined if they cannot be determined, null if
   * not computed yet.
   */
  #filesSearched: readonly string[] | undefined | null = null;
  /** What code in another language starts and opens, as calls of their own; undefined if that is not known. */
  #fromCode: readonly JudgedCall[] | undefined | null = null;
  /** All spellings of what it reads and writes in addition to the tool's own path. */
  readonly #files: { readonly reads: readonly Spelling[]; readonly writes: readonly Spelling[] };

  constructor(call: PermissionCall, state: PermissionState) {
    const { root, home } = state;
    this.call = call;
    this.names = [call.toolName, ...(call.aliases ?? [])];
    this.#state = state;
    this.#context = { cwd: root, root, home };
    this.edits = this.names.some(editsFiles);
    this.line = this.names.includes('Bash') ? this.#analyseLine() : undefined;
    this.places = this.#findPlaces();
    const { reads, writes } = this.#findFiles();
    this.unresolved = [...(this.places ?? []), ...reads, ...writes].find(
      ({ real }) => real === undefined,
    )?.path;
    this.#files = { reads: this.#spellingsOf(reads), writes: this.#spellingsOf(writes) };
    this.#facets = this.names.map((name) => this.#facet(name));
  }

  get command(): string | undefined {
    const command = (this.call.input as { readonly command?: unknown } | null | undefined)?.command;
    return typeof command === 'string' ? command : undefined;
  }

  /** Whether a deny or ask rule matches some part of it. */
  isCaughtBy(rule: PermissionRule): boolean {
    return (
      this.#facets.some(({ name, inputs }) =>
        inputs.flat().some((input) => this.#matches(rule, name, input)),
      ) || this.#namesOne(rule, this.#concernedFiles(rule))
    );
  }

  /** Whether a deny or ask rule may match some part of a shell line whose effects are unknown. */
  mayBeCaughtBy(rule: PermissionRule): boolean {
    if (!this.line || rule.specifier === undefined) return false;
    const { unreadable, commands } = this.line;
    if (rule.tool !== 'Read' && !editsFiles(rule.tool))
      return this.#facets.some(({ name, inputs }) =>
        inputs.flat().some((input) => ruleApplies(rule, name, input, this.#context)),
      );
    if (unreadable !== undefined || commands.some(({ unclear }) => unclear)) return true;
    if (rule.tool !== 'Read') return false;
    const { specifier } = rule;
    const mentions = commands.flatMap((command) => command.mentions);
    return (
      !this.#searched ||
      commands.some(({ unclearReads }) => unclearReads) ||
      this.#namesOne(rule, this.#spellingsOf(mentions)) ||
      this.#isGivenTo(rule, specifier) ||
      !this.#started ||
      this.#started.some((call) => call.isCaughtBy(rule) || call.mayBeCaughtBy(rule)) ||
      commands.some(({ adrift }) => adrift.some(({ path, isPath }) => mayBeNamed(specifier, path, isPath)))
    );
  }

  /** Whether one of the given deny or ask rules about paths matches a file. */
  isFileCaughtBy(rules: readonly PermissionRule[], place: Place): boolean {
    const paths = this.#spellingsOf([place]);
    return rules.some((rule) => this.#namesOne(rule, paths));
  }

  /** Whether an allow rule covers all of it. */
  isCoveredBy(rule: PermissionRule): boolean {
    return this.#facets.some(({ name, inputs }) =>
      inputs.every((spellings) => spellings.some((input) => ruleCoversAll(rule, name, input, this.#context))),
    );
  }

  #namesOne(rule: PermissionRule, paths: readonly Spelling[]): boolean {
    const field = pathFieldOf(rule.tool)?.field;
    return field !== undefined && paths.some((path) => this.#matches(rule, rule.tool, { [field]: path }));
  }

  /** Relative to the root, or to the agent's current directory. */
  #matches(rule: PermissionRule, name: string, input: unknown): boolean {
    const { cwd } = this.call;
    return (
      ruleMatches(rule, name, input, this.#context) ||
      (cwd !== this.#context.cwd && ruleMatches(rule, name, input, { ...this.#context, cwd }))
    );
  }

  /** A rule about files also applies to the files that a shell line, or a tool that declares its paths, works on. */
  #concernedFiles({ tool, specifier }: PermissionRule): readonly Spelling[] {
    if (specifier === undefined) return [];
    if (editsFiles(tool)) return this.#files.writes;
    return tool === 'Read' ? [...this.#files.reads, ...(this.#searched ?? [])] : [];
  }

  get #started(): readonly JudgedCall[] | undefined {
    if (this.#fromCode === null) this.#fromCode = this.#readCode();
    return this.#fromCode;
  }

  #readCode(): readonly JudgedCall[] | undefined {
    const found: JudgedCall[] = [];
    const commands = this.line?.commands.map(({ command }) => command) ?? [];
    const written = linesRunning(codeWritten({ commands }));
    if (written === undefined || readsUnseen(commands)) return undefined;
    for (const text of [...written, ...linesWritten({ commands })])
      found.push(new JudgedCall({ ...this.call, input: { command: text } }, this.#state));
    for (const command of commands) {
      const lines = linesReading(command);
      if (lines === undefined) return undefined;
      const folders = command.folders ?? [this.call.cwd];
      for (const text of lines)
        for (const cwd of folders)
          found.push(new JudgedCall({ ...this.call, cwd, input: { command: text } }, this.#state));
    }
    return found;
  }

  get #searched(): readonly string[] | undefined {
    if (this.#filesSearched === null)
      this.#filesSearched = this.#filesIn(this.line?.commands.flatMap(({ searches }) => searches) ?? []);
    return this.#filesSearched;
  }

  /** Whether a program of the line is given a directory with a file that the rule names. */
  #isGivenTo(rule: PermissionRule, specifier: string): boolean {
    const given = this.line?.commands.flatMap((command) => command.given) ?? [];
    if (given.length === 0) return false;
    const contexts = [this.#context, { ...this.#context, cwd: this.call.cwd }];
    const named = contexts.flatMap((context) => folderOf(specifier, context) ?? []);
    const tops = named.flatMap((folder) => [folder, followLinks(folder) ?? folder]).map(foldCase);
    const isNear = (folder: string): boolean =>
      tops.some((top) => isInside(folder, top) || isInside(top, folder));
    const near = given.filter(({ path }) => isNear(foldCase(path)));
    const files = this.#filesIn(near);
    return files === undefined || this.#namesOne(rule, files);
  }

  /** Undefined if they cannot be determined. */
  #filesIn(folders: readonly SearchedFolder[]): readonly string[] | undefined {
    const found = [...new Map(folders.map((each) => [JSON.stringify(each), each])).values()].map(filesBelow);
    const { directories } = this.#state;
    return found.includes(undefined)
      ? undefined
      : found.flatMap((files = []) => files.flatMap((file) => directories.spellings(file)));
  }

  #analyseLine(): AnalysedLine | null {
    if (this.command === undefined) return null;
    const { home, trustRepository } = this.#state;
    return analyseLine(this.command, { cwd: this.call.cwd, home, trustRepository });
  }

  #findPlaces(): readonly Place[] | undefined {
    const { input, cwd, paths: declared } = this.call;
    const known = this.names.filter((name) => pathFieldOf(name) !== undefined);
    if (known.length === 0) return pathsIn(input, declared)?.map((path) => this.#placeOf(path));
    const paths = [
      ...known.map((name) => knownPath(name, input, cwd)),
      ...(pathsIn(input, this.#furtherFields()) ?? [undefined]),
    ];
    const places = paths.flatMap((path) => (path === undefined ? [] : [this.#placeOf(path)]));
    return places.length === paths.length ? places : undefined;
  }

  /** Fields declared by the tool, other than the one its rules use. */
  #furtherFields(): readonly string[] {
    const known = this.names.map((name) => pathFieldOf(name)?.field);
    return (this.call.paths ?? []).filter((field) => !known.includes(field));
  }

  #findFiles(): { readonly reads: readonly Place[]; readonly writes: readonly Place[] } {
    const { input, readOnly } = this.call;
    const commands = this.line?.commands ?? [];
    const further = this.#furtherFields();
    const declared = pathsIn(input, further)?.map((path) => this.#placeOf(path)) ?? [
      { path: further.join(', '), real: undefined },
    ];
    const edited = this.names.some(needsContent) ? (this.places ?? []) : [];
    return {
      reads: [...commands.flatMap(({ reads }) => reads), ...declared, ...edited],
      writes: [...commands.flatMap(({ writes }) => writes), ...(readOnly ? [] : declared)],
    };
  }

  #placeOf(path: string): Place {
    return placeOf(path, this.call.cwd, this.#state.home);
  }

  #facet(name: string): Facet {
    const { input, cwd } = this.call;
    const field = pathFieldOf(name)?.field;
    if (field === undefined) return { name, inputs: [[input]] };
    const path = knownPath(name, input, cwd);
    const forms = path === undefined ? [[UNRESOLVED]] : this.#spellingsByForm(this.#placeOf(path));
    const inputs = forms.map((spellings) =>
      spellings.map((spelling) => ({ ...(input as object), [field]: spelling })),
    );
    return { name, inputs };
  }

  #spellingsOf(places: readonly Place[]): readonly Spelling[] {
    return [...new Set(places.flatMap((place) => this.#spellingsByForm(place).flat()))];
  }

  /** The path as written, and its target; each in all spellings. */
  #spellingsByForm({ path, real }: Place): readonly (readonly Spelling[])[] {
    const { directories } = this.#state;
    return [directories.spellings(path), real === undefined ? [UNRESOLVED] : directories.spellings(real)];
  }
}
