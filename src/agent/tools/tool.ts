/** Tools: a name, a validated input, a run with a timeout, and an outcome. */
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

/** The outcome of a call: content for the model, or an error that says what to change. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly content: ToolContent;
      /** What hooks see as `tool_response`: JSON data. */
      readonly response: unknown;
    }
  /** `interrupted`: the call was aborted; it did not fail. */
  | { readonly ok: false; readonly error: string; readonly interrupted?: boolean };

/** How far a running call is. */
export interface ToolProgress {
  /** What it has printed so far. */
  readonly totalLines?: number | undefined;
  readonly totalBytes?: number | undefined;
}

/** What a call can read and change of its agent. */
export interface ToolContext {
  /** The base of relative paths. */
  readonly cwd: string;
  /** Changes the agent's working directory. Has no effect after the call has ended; never throws. */
  setCwd(path: string): void;
  /** Aborted when the call must end, by an abort of the run or by its timeout. */
  readonly signal: AbortSignal;
  /** Shell files to source before a shell command, in this order. */
  readonly environmentFiles: readonly string[];
  /** The id of the call, as the model gave it. */
  readonly toolUseId: string;
  /**
   * Whether the agent may read a file, given by its absolute path. Tools that search for files skip the others. If
   * absent, there are no rules. Must not throw.
   */
  readonly mayRead?: ((path: string) => boolean) | undefined;
  /** Tells the people who watch how far the call is. May be called often; the loop emits at most one message a second. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
  /** The loop that runs the tool. */
  readonly host?: ToolHost | undefined;
}

export type CheckedInput<Input> =
  | { readonly ok: true; readonly value: Input }
  /** An error that tells the model what to change. */
  | { readonly ok: false; readonly error: string };

/**
 * A tool that a model can call. `defineTool` creates one from a zod schema; one written by hand is validated when it
 * is used.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** Other names that calls and permission rules can use. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** JSON Schema of an object, sent to the model. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * The input fields that hold a path or a list of paths. Hooks, rules and `run` get them as absolute paths: `~` is
   * the home directory, and relative paths are resolved against the agent's directory.
   */
  readonly paths?: readonly string[];
  /** The tool changes nothing. Permissions trust this. */
  readonly readOnly: boolean;
  /** The tool changes only the agent's own state, so it needs no permission. */
  readonly harmless?: boolean;
  /** The tool may run in parallel with other concurrent tools. */
  readonly concurrent: boolean;
  /** The timeout of a run. */
  readonly timeoutMs: number;
  /** The name of the MCP server, for a tool that comes from one. */
  readonly mcpServer?: string;
  /**
   * Returns the typed input, or an error that tells the model what to change. If it throws, the message is used as
   * that error.
   */
  check(input: unknown): CheckedInput<Input>;
  /** Contract: ends when `context.signal` is aborted. If it throws, the model reads the error. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
  /** Formats a response that a hook has replaced for the model; undefined formats it as JSON. Must not throw. */
  show?(response: unknown): ToolContent | undefined;
}

/** The names of input fields that can hold a path: a string or a list of strings. */
export type PathField<Input> = {
  [Field in keyof Input & string]-?: NonNullable<Input[Field]> extends string | readonly string[]
    ? Field
    : never;
}[keyof Input & string];

/** The definition of a tool for `defineTool`. */
export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly input: Schema;
  /**
   * The input fields that hold a path or a list of paths, such as `['source', 'targets']`. Hooks, rules and `run` get
   * them as absolute paths: `~` is the home directory, and relative paths are resolved against the agent's directory.
   * Deny and ask rules for `Read(path)` and `Edit(path)` apply to them too. Default: none.
   */
  readonly paths?: readonly PathField<z.input<Schema>>[];
  /** The tool changes nothing, so permissions allow it. Default: false. */
  readonly readOnly?: boolean;
  /** The tool changes only the agent's own state, so it needs no permission. Default: false. */
  readonly harmless?: boolean;
  /** The tool may run in parallel with other concurrent tools. Default: the value of `readOnly`. */
  readonly concurrent?: boolean;
  /** The timeout in seconds. Default: 60. */
  readonly timeout?: number;
  /** Contract: ends when `context.signal` is aborted. If it throws, the model reads the error. */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
  /** Formats a response that a hook has replaced for the model; undefined formats it as JSON. Must not throw. */
  show?(response: unknown): ToolContent | undefined;
}

const DEFAULT_TOOL_TIMEOUT_SECONDS = 60;

/** Tool names that model APIs accept. */
const NAME = /^[\w-]{1,128}$/;

/**
 * Creates a tool whose input is validated by a zod schema. Throws a HookError if the name or the timeout is invalid,
 * or `paths` names an unknown field.
 */
export function defineTool<Schema extends z.ZodObject>(
  definition: ToolDefinition<Schema>,
): Tool<z.output<Schema>> {
  const { name, description, input, readOnly = false, timeout = DEFAULT_TOOL_TIMEOUT_SECONDS } = definition;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new HookError(
      'invalid_option',
      `A tool name must be up to 128 letters, digits, _ and -, not ${show(name)}.`,
    );
  const paths: readonly string[] = definition.paths ?? [];
  const unknown = paths.find((field) => !Object.hasOwn(input.shape, field));
  if (unknown !== undefined)
    throw new HookError(
      'invalid_option',
      `The tool ${name} lists ${show(unknown)} in \`paths\`, but its input has no such field.`,
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

/** Returns the typed input, or an error that tells the model what to change. Never throws. */
export function checkInput<Input>(tool: Tool<Input>, input: unknown): CheckedInput<Input> {
  try {
    return tool.check(input);
  } catch (error) {
    return { ok: false, error: `The input of ${tool.name} cannot be checked: ${show(error)}` };
  }
}

/** Converts a tool's timeout to whole milliseconds. Throws a HookError with code `invalid_timeout`. */
export function toolTimeoutMs(name: string, seconds: number): number {
  try {
    return toTimerMs(seconds);
  } catch (cause) {
    throw new HookError(
      'invalid_timeout',
      `The timeout of the tool ${name} must be a number of seconds above 0, not ${show(seconds)}.`,
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
    error: `The input of ${name} does not match its schema:\n${issues.join('\n')}\nCorrect it and call ${name} again.`,
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'input' : issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `- ${where}: unknown: ${issue.keys.join(', ')}`;
  return `- ${where}: ${issue.message}`;
}
