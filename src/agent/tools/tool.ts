/** What a tool is: a name, a checked input, a bounded run, and one of two outcomes. */
import { z } from 'zod';
import { toTimerMs } from '../../base/async/timeout.js';
import { HookError, show } from '../../base/errors.js';
import type { ToolHost } from './host.js';

export type ToolBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
    };

/** What the model reads. */
export type ToolContent = string | readonly ToolBlock[];

/** What came of a call: something for the model to read, or an error that tells it what to do. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly content: ToolContent;
      /** What hooks see as `tool_response`: JSON data. */
      readonly response: unknown;
    }
  /** `interrupted`: somebody ended it; it did not fail by itself. */
  | { readonly ok: false; readonly error: string; readonly interrupted?: boolean };

/** What one call may know and change of the agent that makes it. */
export interface ToolContext {
  /** Relative paths start here. */
  readonly cwd: string;
  /** The agent goes on in another directory from now on. Does nothing, and never throws, once the call is over. */
  setCwd(path: string): void;
  /** Aborted when the call must end: by the agent, or because its time is over. */
  readonly signal: AbortSignal;
  /** Shell files that are read before a shell command runs, in this order. */
  readonly environmentFiles: readonly string[];
  /** The id of the call, as the model gave it. */
  readonly toolUseId: string;
  /**
   * Whether the agent may read a file, given by its absolute path. Tools that find files on their own leave the others out.
   * Absent: there are no rules. Must not throw.
   */
  readonly mayRead?: ((path: string) => boolean) | undefined;
  /** The loop that runs the tool. */
  readonly host?: ToolHost | undefined;
}

export type CheckedInput<Input> =
  | { readonly ok: true; readonly value: Input }
  /** A text that tells the model what to change. */
  | { readonly ok: false; readonly error: string };

/**
 * Something a model can call. `defineTool` makes one from a zod schema; one that is written by hand is checked on
 * use.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** Further names under which it is called and under which permission rules know it. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** JSON Schema of an object, as the model gets it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * The fields of its input that hold a path, or a list of paths. They are absolute in everything that hooks, rules and
   * `run` get: `~` is the home directory, and relative paths start where the agent is.
   */
  readonly paths?: readonly string[];
  /** It changes nothing: a promise of whoever wrote it, so permissions may rely on it. */
  readonly readOnly: boolean;
  /** All it changes is what the agent keeps for itself, so nobody has to permit it. */
  readonly harmless?: boolean;
  /** It may run beside others of its kind. */
  readonly concurrent: boolean;
  /** When a run is ended. */
  readonly timeoutMs: number;
  /** The server, for a tool that comes from one. */
  readonly mcpServer?: string;
  /** The typed input, or a text that tells the model what to change. What it throws is such a text too. */
  check(input: unknown): CheckedInput<Input>;
  /** Contract: heeds `context.signal`. What it throws becomes an error for the model. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
  /**
   * What the model reads of a response that a hook has put in the place of the tool's own; undefined: as JSON. Must not
   * throw.
   */
  show?(response: unknown): ToolContent | undefined;
}

/** The names of those fields of an input that can hold a path: a text or a list of texts. */
export type PathField<Input> = {
  [Field in keyof Input & string]-?: NonNullable<Input[Field]> extends string | readonly string[]
    ? Field
    : never;
}[keyof Input & string];

/** What `defineTool` makes a tool of. */
export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly input: Schema;
  /**
   * The fields that hold a path, or a list of paths, such as `['source', 'targets']`. They are absolute in everything that
   * hooks, rules and `run` get: `~` is the home directory, and relative paths start where the agent is. Rules about
   * `Read(path)` and `Edit(path)` that deny or ask are about them too. Default: none.
   */
  readonly paths?: readonly PathField<z.input<Schema>>[];
  /** It changes nothing, so permissions let it pass. Default: false. */
  readonly readOnly?: boolean;
  /** All it changes is what the agent keeps for itself, so nobody has to permit it. Default: false. */
  readonly harmless?: boolean;
  /** It may run beside others of its kind. Default: as `readOnly`. */
  readonly concurrent?: boolean;
  /** Seconds. Default: 60. */
  readonly timeout?: number;
  /** Contract: heeds `context.signal`. What it throws becomes an error for the model. */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
  /**
   * What the model reads of a response that a hook has put in the place of the tool's own; undefined: as JSON. Must not
   * throw.
   */
  show?(response: unknown): ToolContent | undefined;
}

export const DEFAULT_TOOL_TIMEOUT_SECONDS = 60;

/** What the model APIs take as a name. */
const NAME = /^[\w-]{1,128}$/;

/**
 * A tool whose input is checked by a zod schema. Throws a HookError for a name that no model could call and for a
 * timeout that no timer can hold.
 */
export function defineTool<Schema extends z.ZodObject>(
  definition: ToolDefinition<Schema>,
): Tool<z.output<Schema>> {
  const { name, description, input, readOnly = false, timeout = DEFAULT_TOOL_TIMEOUT_SECONDS } = definition;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new HookError(
      'invalid_option',
      `The name of a tool is ${show(name)}; give up to 128 letters, digits, _ and -.`,
    );
  const paths: readonly string[] = definition.paths ?? [];
  const unknown = paths.find((field) => !Object.hasOwn(input.shape, field));
  if (unknown !== undefined)
    throw new HookError(
      'invalid_option',
      `The tool ${name} names ${show(unknown)} among its paths, and its input has no such field.`,
    );
  return Object.freeze({
    name,
    description,
    inputSchema: modelSchema(input),
    ...(paths.length > 0 && { paths }),
    readOnly,
    concurrent: definition.concurrent ?? readOnly,
    ...(definition.aliases && { aliases: definition.aliases }),
    ...(definition.harmless && { harmless: true }),
    ...(definition.show && { show: definition.show }),
    timeoutMs: toolTimeoutMs(name, timeout),
    check: (value: unknown) => checkWith(name, input, value),
    run: (value: z.output<Schema>, context: ToolContext) => definition.run(value, context),
  });
}

/** The typed input, or a text that tells the model what to change. Never throws. */
export function checkInput<Input>(tool: Tool<Input>, input: unknown): CheckedInput<Input> {
  try {
    return tool.check(input);
  } catch (error) {
    return { ok: false, error: `The input of ${tool.name} cannot be checked: ${show(error)}` };
  }
}

/** Whole milliseconds for a tool's timeout. Throws `invalid_timeout`. */
export function toolTimeoutMs(name: string, seconds: number): number {
  try {
    return toTimerMs(seconds);
  } catch (cause) {
    throw new HookError(
      'invalid_timeout',
      `The timeout of the tool ${name} is ${show(seconds)}; give seconds as a number above 0.`,
      { cause },
    );
  }
}

function modelSchema(input: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

function checkWith<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  value: unknown,
): CheckedInput<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map(describeIssue);
  return {
    ok: false,
    error: `The input of ${name} does not fit its schema:\n${issues.join('\n')}\nCorrect it and call ${name} again.`,
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'input' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `- ${where}: unknown: ${issue.keys.join(', ')}`;
  return `- ${where}: ${issue.message}`;
}
