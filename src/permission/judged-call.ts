/** A call as permissions look at it: its names, the files it is about, and whether a rule is about it. */
import { knownPath, usualPaths } from './call-paths.js';
import { filesBelow } from './files-below.js';
import { type Place, placeOf } from './places.js';
import { type PermissionRule, ruleApplies, ruleCoversAll, ruleMatches } from './rule.js';
import type { RuleContext } from './rule-judge.js';
import { editsFiles, pathFieldOf } from './rule-tools.js';
import type { PermissionState } from './state.js';
import { type StudiedCommand, type StudiedLine, studyLine } from './study-line.js';
import type { PermissionCall } from './types.js';

/** What a rule is held against: an input under one of the names of the tool. */
interface Facet {
  readonly name: string;
  /** As it is written, and with its path as where that leads; each in all spellings. */
  readonly inputs: readonly (readonly unknown[])[];
  /** Nobody knows where its path leads. */
  readonly lost: boolean;
}

export class JudgedCall {
  readonly call: PermissionCall;
  readonly names: readonly string[];
  /** The line, for the tool that runs shell lines; null when there is none in its input. */
  readonly line: StudiedLine | null | undefined;
  /** The tool edits files, whatever it says about itself. */
  readonly edits: boolean;
  /** The files it is about; undefined when they cannot be told. */
  readonly places: readonly Place[] | undefined;
  readonly #state: PermissionState;
  readonly #facets: readonly Facet[];
  /** Paths in rules start at the root, wherever the agent has gone. */
  readonly #context: RuleContext;
  /** Null: not looked for yet. */
  #filesSearched: readonly string[] | undefined | null = null;

  constructor(call: PermissionCall, state: PermissionState) {
    const { root, home } = state;
    this.call = call;
    this.names = [call.toolName, ...(call.aliases ?? [])];
    this.#state = state;
    this.#context = { cwd: root, root, home };
    this.edits = this.names.some(editsFiles);
    this.line = this.names.includes('Bash') ? this.#studyLine() : undefined;
    this.places = this.#findPlaces();
    this.#facets = this.names.map((name) => this.#facet(name));
  }

  get command(): string | undefined {
    const command = (this.call.input as { readonly command?: unknown } | null | undefined)?.command;
    return typeof command === 'string' ? command : undefined;
  }

  /** Whether a rule that forbids or asks is about some part of it, seen from the root or from where the agent is. */
  isCaughtBy(rule: PermissionRule): boolean {
    return (
      this.#facets.some(({ name, inputs }) =>
        inputs.flat().some((input) => this.#matches(rule, name, input)),
      ) || this.#names(rule, this.#concernedFiles(rule))
    );
  }

  /** Whether a rule that forbids or asks may be about some part of a shell line: what that does is not known. */
  mayBeCaughtBy(rule: PermissionRule): boolean {
    if (!this.line) return false;
    if (rule.specifier === undefined) return false;
    const { unreadable, commands } = this.line;
    if (rule.tool !== 'Read' && !editsFiles(rule.tool))
      return this.#facets.some(({ name, inputs }) =>
        inputs.flat().some((input) => ruleApplies(rule, name, input, this.#context)),
      );
    if (unreadable !== undefined || commands.some(({ unclear }) => unclear)) return true;
    if (rule.tool !== 'Read') return commands.some(({ writes }) => writes.some(isLost));
    return (
      this.#searched === undefined ||
      commands.some(({ reads, mentions }) => [...reads, ...mentions].some(isLost)) ||
      this.#names(
        rule,
        this.#filesIn(({ mentions }) => mentions),
      )
    );
  }

  /** Whether a rule that allows is about all of it. */
  isCoveredBy(rule: PermissionRule): boolean {
    return this.#facets.some(
      ({ name, inputs, lost }) =>
        inputs.every((spellings) =>
          spellings.some((input) => ruleCoversAll(rule, name, input, this.#context)),
        ) &&
        // A rule about every call of the tool needs no path.
        !(lost && rule.specifier !== undefined),
    );
  }

  #matches(rule: PermissionRule, name: string, input: unknown): boolean {
    const { cwd } = this.call;
    const contexts = [this.#context, ...(cwd === this.#context.cwd ? [] : [{ ...this.#context, cwd }])];
    return contexts.some((context) => ruleMatches(rule, name, input, context));
  }

  #names(rule: PermissionRule, paths: readonly string[]): boolean {
    const field = pathFieldOf(rule.tool)?.field ?? '';
    return paths.some((path) => this.#matches(rule, rule.tool, { [field]: path }));
  }

  /** A rule about files is also about the files that a shell line reads or writes. */
  #concernedFiles({ tool, specifier }: PermissionRule): readonly string[] {
    if (specifier === undefined || !this.line) return [];
    if (editsFiles(tool)) return this.#filesIn(({ writes }) => writes);
    return tool === 'Read' ? [...this.#filesIn(({ reads }) => reads), ...(this.#searched ?? [])] : [];
  }

  /** All spellings of files that the commands of the line name. */
  #filesIn(pick: (command: StudiedCommand) => readonly Place[]): readonly string[] {
    const places = this.line?.commands.flatMap(pick) ?? [];
    return [...new Set(places.flatMap((place) => this.#ways(place).flat()))];
  }

  /** The files that the line reads because it reads a whole directory; undefined when they cannot be told. */
  get #searched(): readonly string[] | undefined {
    if (this.#filesSearched !== null) return this.#filesSearched;
    const folders = this.line?.commands.flatMap(({ searches }) => searches) ?? [];
    const found = folders.map(filesBelow);
    const { directories } = this.#state;
    this.#filesSearched = found.includes(undefined)
      ? undefined
      : found.flatMap((files = []) => files.flatMap((file) => directories.spellings(file)));
    return this.#filesSearched;
  }

  #studyLine(): StudiedLine | null {
    if (this.command === undefined) return null;
    const { home, trustRepository } = this.#state;
    return studyLine(this.command, { cwd: this.call.cwd, home, trustRepository });
  }

  #findPlaces(): readonly Place[] | undefined {
    const { input, cwd } = this.call;
    const known = this.names.filter((name) => pathFieldOf(name) !== undefined);
    const paths = known.length === 0 ? usualPaths(input) : known.map((name) => knownPath(name, input, cwd));
    const places = paths?.flatMap((path) =>
      path === undefined ? [] : [placeOf(path, cwd, this.#state.home)],
    );
    return places !== undefined && places.length === paths?.length ? places : undefined;
  }

  #facet(name: string): Facet {
    const { input, cwd } = this.call;
    const field = pathFieldOf(name)?.field;
    const path = knownPath(name, input, cwd);
    if (field === undefined || path === undefined)
      return { name, inputs: [[input]], lost: field !== undefined };
    const place = placeOf(path, cwd, this.#state.home);
    const inputs = this.#ways(place).map((spellings) =>
      spellings.map((spelling) => ({ ...(input as object), [field]: spelling })),
    );
    return { name, inputs, lost: place.real === undefined };
  }

  /** As it is written, and where it leads; each in all spellings. */
  #ways({ path, real }: Place): readonly (readonly string[])[] {
    const { directories } = this.#state;
    return [directories.spellings(path), ...(real === undefined ? [] : [directories.spellings(real)])];
  }
}

/** Where it leads is not known. */
function isLost({ real }: Place): boolean {
  return real === undefined;
}
