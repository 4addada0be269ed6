/** The types of hooks as users write them in code. */
import type { AnyEvent, HookCallback, HookContext, HookEvent } from '../events/types.js';
import type { Command } from './command/command.js';
import type { RunHook } from './hook.js';
import type { HttpOptions } from './http/options.js';

/** What happens when a hook has no valid answer: continue as if the hook did not exist, or refuse. */
export type FailurePolicy = 'continue' | 'block';

/** A callback with its own options. */
export interface CallbackHook<E extends AnyEvent = HookEvent> {
  readonly type: 'callback';
  readonly callback: HookCallback<E>;
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** A program with its options. `command()` creates one. */
export interface CommandHook extends Command {
  readonly type: 'command';
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** A URL that gets the input and answers as a command would. */
export interface HttpHook extends HttpOptions {
  readonly type: 'http';
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** A question to a model about the input. The application provides the model. */
export interface PromptHook {
  /** `prompt`: answered directly. `agent`: an agent may use tools before it answers. */
  readonly type: 'prompt' | 'agent';
  /** `$ARGUMENTS` stands for the input as JSON; without it, the JSON is added at the end. */
  readonly prompt: string;
  /** Default: the application's choice. */
  readonly model?: string | undefined;
  /** With this, a prompt that says no does not end the run: the agent gets the reason and continues. */
  readonly continueOnBlock?: boolean | undefined;
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. Default: 30 for a prompt, 60 for an agent. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** A tool of an MCP server, whose text is read like a command's stdout. The application provides the client. */
export interface McpToolHook {
  readonly type: 'mcp_tool';
  readonly server: string;
  readonly tool: string;
  /** The arguments; `${tool_input.path}` in a string stands for that part of the hook's input. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** A hook that a loader has prepared with services it was given: a model, an MCP client, a Python interpreter. */
export interface PreparedHook {
  readonly type: 'prepared';
  readonly run: RunHook;
  readonly name?: string | undefined;
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
}

/** Anything that can be registered as a hook for an event. */
export type Hook<E extends AnyEvent = HookEvent> = HookCallback<E> | DescribedHook<E>;

/** A hook written as an object; its `type` says its kind. */
export type DescribedHook<E extends AnyEvent = HookEvent> =
  | CallbackHook<E>
  | CommandHook
  | HttpHook
  | PromptHook
  | McpToolHook
  | PreparedHook;

/** Any of the callback types, for internal code; the table has already checked which one applies. */
export type AnyCallback = (
  input: Readonly<Record<string, unknown>>,
  toolUseID: string | undefined,
  context: HookContext,
) => unknown;
