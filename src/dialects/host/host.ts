/**
 * The description of another host: how its hooks are written, called and answered. Its dialect, the bridge and the
 * installer all read this one description.
 */
import type { Matches } from '../../config/dialect.js';
import type { JsonNode } from '../../config/json-file.js';
import type { Source } from '../../config/loaded.js';
import type { AnyEvent } from '../../events/types.js';
import type { Exit } from '../fault.js';
import type { JsonRules } from './json-rules.js';

export type Json = Readonly<Record<string, unknown>>;

/** What an answer can do. The order is that of the tables in the documentation. */
export const ABILITIES = [
  'refuse',
  'ask',
  'allow',
  'rewrite',
  'replace',
  'context',
  'stop',
  'message',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** An answer, independent of any host's words. A host reads its hooks' answers into this, and writes ours from it. */
export interface Answer {
  /** The reason. On an event that ends a turn: the agent goes on, and reads it. */
  readonly refuse?: string | undefined;
  readonly ask?: string | undefined;
  readonly allow?: boolean | undefined;
  /** The whole new tool input. */
  readonly rewrite?: Json | undefined;
  /** What the model reads instead of the tool's output. */
  readonly replace?: string | undefined;
  /** The new output is no refusal. */
  readonly isNoRefusal?: boolean | undefined;
  readonly context?: string | undefined;
  /** Why the run ends. */
  readonly stop?: string | undefined;
  /** For people. */
  readonly message?: string | undefined;
  /** The hook failed, and why. */
  readonly failure?: string | undefined;
  /** What the host ignores. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Names of fields: ours, and the host's; null: the host does not send it. A dot leads into an object, a number into a list:
 * `preToolUse.toolName`, `workspace_roots.0`.
 */
export type FieldNames = Readonly<Record<string, string | null>>;

/** One event of a host in one spelling. */
export interface HostEvent {
  readonly name: string;
  /** What an answer can do there. The host ignores everything else. */
  readonly can: readonly Ability[];
  /** The form of its answers where it is special: a permission for a tool, before it runs or when it is asked for. */
  readonly form?: 'before-tool' | 'permission' | undefined;
  /** What its matchers are compared with; `text`: the whole value, literally; `other`: something that we do not match. */
  readonly matches: 'pattern' | 'text' | 'nothing' | 'other';
  readonly fields?: FieldNames;
  /** A rewritten input is merged over the old one, so that it cannot remove a field. */
  readonly mergesRewrite?: boolean;
  /** The decisions of a hook after which its other hooks do not run. */
  readonly endsAt?: readonly ('deny' | 'ask')[];
  /** One hook after another: the next one reads a rewritten input merged over the old one. */
  readonly mergesForNext?: boolean;
  /** Its timeouts in seconds, if they differ from those of other events. */
  readonly timeout?: { readonly default: number; readonly max: number };
  /** Fired so often, or so unreliably, that the installer leaves it out. */
  readonly notInstalled?: string;
}

/** A tool of the host and our name for it. */
export interface HostTool {
  readonly ours: string;
  readonly theirs: string;
  /** Fields of its input whose names differ: ours, and the host's, which may be a path as in `FieldNames`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Where one tool of the host is several of ours: the fields of the host's input that make it this one. */
  readonly when?: Readonly<Record<string, string>>;
  /** The field of its input that names the folder it runs in: hooks read it as `cwd`. */
  readonly folder?: string;
  /** Its whole input is one text, which is this field of ours. */
  readonly text?: string;
}

/** What the process of a hook prints, and its exit code. */
export interface Written {
  readonly stdout?: Json | undefined;
  /** In place of `stdout`, for a host that reads plain text. */
  readonly text?: string | undefined;
  readonly stderr?: string | undefined;
  readonly exit: number;
}

/** What reading an answer may depend on. */
export interface ReadContext {
  readonly event: AnyEvent;
  readonly own: HostEvent;
  /** The input in our names. */
  readonly input: Json;
}

/**
 * One of the ways in which a host spells its events; most have one. Where a host has an event for each kind of tool, those
 * of each kind are a spelling.
 */
export interface Spelling {
  /** The name of its dialect. */
  readonly id: string;
  /** By our name. One event of the host may stand for two of ours. */
  readonly events: Readonly<Record<string, HostEvent>>;
  /** Events that we have no counterpart for. */
  readonly otherEvents: readonly string[];
  /** The fields of every event. */
  readonly fields: FieldNames;
  readonly tools: readonly HostTool[];
  /** The tools that its events are about, by our name. Default: all. */
  covers?(tool: string): boolean;
  /** Whether the installer writes its events. Default: those of the first spelling. */
  readonly installed?: boolean;
  /** Fields of ours that its events stand for, so that the host does not send them. */
  readonly fixed?: Json;
  /** How the host names the tools of MCP servers; ours is `mcp__server__tool`. Undefined for any other name. */
  readonly mcp?: { fromHost(name: string): string | undefined; toHost(name: string): string | undefined };
  /** Fields that the host adds: from the input in our names. */
  added?(event: AnyEvent, input: Json): Json;
  /** Fields of ours that only a calculation gives: from the host's input. */
  derived?(given: Json): Json;
  /** Whether the host fires this although nothing happened. */
  isEmpty?(event: AnyEvent, input: Json): boolean;
  /** What a call does that our tools do in several calls, as inputs of their own. */
  partsOf?(input: Json): readonly Json[];
  /** Fields whose value means nothing, with the value that the bridge uses instead. */
  readonly unreliable?: Json;
  /** Throws a HookError for a matcher that the host drops. */
  compileMatcher(pattern: string): Matches;
  /** Why the host never runs hooks with this matcher on an event, although it is valid. null: an entry with null. */
  matchesNothing?(pattern: string | null, event: AnyEvent): string | undefined;
  /** The output of a tool as the model reads it, from the host's form, and back. */
  readonly response?: { fromHost(value: unknown): unknown; toHost(value: unknown): unknown };
  /** Contract: pure, never throws. The result is limited to what the event can do. */
  read(exit: Exit, context: ReadContext): Answer;
  /** Contract: pure. The answer has only what the event can do, and no empty reason. */
  write(answer: Answer, context: ReadContext): Written;
}

/** A file of the host with hooks. */
export interface HostFile {
  readonly layer: 'user' | 'project';
  /** Relative to the user's folder for the host, or to the project. A name with `*` stands for all such files. */
  readonly path: string;
  /** `script`: each file is a program for the event that it is named after. `module`: code of the host's own kind. */
  readonly format: 'json' | 'toml' | 'script' | 'module';
  /** A person's own file in a project: the installer leaves it alone. */
  readonly isPersonal?: boolean;
}

/** Entries that have files to themselves, where a host has no list of hooks that they could be added to. */
export interface OwnFiles {
  /** Whether each event has a file, whose name takes the place of `*`; otherwise one file has all of them. */
  readonly perEvent: boolean;
  /** The text of a file. The lines are for a shell. */
  write(entries: readonly OwnEntry[]): string;
  /** The lines of a file that we wrote, by the host's name of their event; undefined: it is somebody else's. */
  linesIn(text: string): Readonly<Record<string, string>> | undefined;
  /** How the host starts a file for an event: a program and its arguments. */
  start(file: string, event: string): readonly [program: string, ...args: string[]];
}

export interface OwnEntry {
  /** The host's name of the event. */
  readonly name: string;
  readonly line: string;
}

/** An installation in one of the host's files, for a host that runs only what was approved there. */
export interface Installed {
  readonly scope: HostFile['layer'];
  readonly file: string;
  /** The names of the events that have an entry of ours, each with its place in the list and the entry itself. */
  readonly entries: readonly { readonly name: string; readonly index: number; readonly written: Json }[];
  readonly workspace: string;
  /** The content of a file in the user's folder for the host, parsed; undefined if there is none, or it cannot be parsed. */
  readUserFile(path: string): Promise<Json | undefined>;
}

/** Why the host ignores a whole file, as a clause. */
export interface Voided {
  readonly what: string;
  readonly source: Source;
}

/** The key of a file that switches off hooks: all of them, or those that the other fields name. */
export interface SwitchedOff {
  readonly key: string;
  /** Those of the file alone, not of other files. */
  readonly ofFile?: true;
  /** Names or command lines. */
  readonly names?: readonly string[];
  /** Where they stand. */
  readonly places?: readonly HookPlace[];
}

/** The file, the host's name of the event, the number of the group, and that of the hook in it. */
export type HookPlace = `${string}:${string}:${number}:${number}`;

export interface Host {
  /** Its name on the command line. */
  readonly name: string;
  readonly title: string;
  /** The version that was seen to work like this; null: known from documentation alone. */
  readonly verified: string | null;
  /** The installer uses the first. */
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly order: 'sequential' | 'parallel';
  /** Whether its first refusal ends the fire. */
  readonly firstRefusalEnds?: boolean;
  readonly timeout: {
    readonly unitMs: number;
    /** The keys of an entry that hold it; the first one is written. None: it cannot be chosen. */
    readonly keys: readonly string[];
    /** Whether a number may stand in a text. */
    readonly inTexts?: boolean;
    /** The default. */
    readonly seconds: number;
    /** A shorter one is raised to this, in seconds. */
    readonly min?: number;
    /** A longer one is cut to this, in seconds. Where the host does not say how long it waits: how long the bridge does. */
    readonly max?: number;
  };
  /** Variables for its hooks. What depends on the session is empty without one. */
  environment(projectDir: string, sessionId: string, transcript?: string): Readonly<Record<string, string>>;
  /** The user's folder for it: the variable that names it, and its default below the home folder. */
  readonly home: {
    readonly variable?: string;
    readonly folder: string;
    /** Its own folder in that one. */
    readonly below?: string;
  };
  /** In the order in which their hooks run. */
  readonly files: readonly HostFile[];
  /** Whether only the first of the files that exist counts. */
  readonly readsFirstFile?: boolean;
  /**
   * `groups`: hooks in matcher groups, as Claude Code has them. `entries`: each hook with its own matcher. `list`: one list of
   * all hooks, each with its event. `own`: files of their own.
   */
  readonly shape: 'groups' | 'entries' | 'list' | 'own';
  /** For the shape `own`. */
  readonly own?: OwnFiles;
  /** The keys of an entry that hold the command line; the first one is written. */
  readonly commandKeys: readonly [string, ...string[]];
  /**
   * The types of its hooks that are commands. Set: it skips an entry without a type, and one that is not in a group. Default:
   * `command`, which need not be said.
   */
  readonly types?: readonly string[];
  /** Whether its command lines are for bash. Default: for the shell of the system. */
  readonly usesBash?: boolean;
  /** Whether an entry with `async: true` runs in the background, and decides nothing. */
  readonly runsInBackground?: boolean;
  /** Whether it skips a hook whose name an earlier one of the file has, with the same event and matcher. */
  readonly skipsNamesakes?: boolean;
  /** Whether a hook that is there twice runs twice, although its hooks run all at once. */
  readonly runsDuplicates?: boolean;
  /** Whether it also takes one group where a list of them is expected. */
  readonly takesOneGroup?: boolean;
  /** What it finds wrong with a file, so that it ignores the file. `events`: the names that it knows. */
  voids?(root: JsonNode, events: readonly string[]): Voided | undefined;
  /** The switches in one of its files that turn hooks off. The dialect and the status of an installation obey them. */
  switchedOff?(content: Json, source: Pick<Source, 'file' | 'layer'>): readonly SwitchedOff[];
  /** Whether an entry says that it is a command. Default: true. */
  readonly hasTypes?: boolean;
  /** Whether its refusals are exit code 2 itself, with the reason on stderr. */
  readonly refusesByExit?: boolean;
  /** Which JSON it reads. */
  readonly json: JsonRules;
  /** Keys beside `hooks` that a new file needs. */
  readonly newFile: Json;
  /** A program whose presence shows that the host is installed. */
  readonly program: string;
  /** Whether it runs the hooks of `.claude/settings.json` itself. */
  readonly runsClaudeSettings?: boolean;
  /** Why its hooks may not run although they are installed, and what to do. */
  readonly trust?: string;
  /** The events whose installed entries the host skips, because they or the folder are not approved there. */
  skips?(installed: Installed): Promise<readonly string[]>;
  /** What it cannot do, as sentences. */
  readonly cannot: readonly string[];
}
