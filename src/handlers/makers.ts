/** Functions that write hooks down, for use wherever a callback can be used. */
import type { CommandHook, HttpHook, McpToolHook, PromptHook } from './types.js';

/** Everything about a command but its line. */
export type CommandOptions = Omit<CommandHook, 'type' | 'command'>;
/** Everything about an http hook but its address. */
export type HttpHookOptions = Omit<HttpHook, 'type' | 'url'>;
/** Everything about a prompt or an agent but what to ask. */
export type PromptHookOptions = Omit<PromptHook, 'type' | 'prompt'>;
/** Everything about a tool of an MCP server but where it is. */
export type McpToolHookOptions = Omit<McpToolHook, 'type' | 'server' | 'tool'>;

/**
 * A program as a hook: it reads the event's input as JSON on stdin and answers with JSON on stdout, or with its exit
 * code (0: fine, 2: refuse, with the reason on stderr). Other text on stdout is no answer, and no mistake.
 *
 * The line goes to `/bin/sh -c`; with `args` it is a program that gets exactly these arguments, without a shell.
 * Writes down only and never throws: what cannot be used is refused where it is registered.
 */
export function command(line: string, options: CommandOptions = {}): CommandHook {
  return { ...options, type: 'command', command: line };
}

/** An address as a hook: it is sent the event's input as JSON and answers as a command would. Never throws. */
export function http(url: string, options: HttpHookOptions = {}): HttpHook {
  return { ...options, type: 'http', url };
}

/**
 * A question to a model as a hook: a no refuses, with the model's reason. `$ARGUMENTS` in it stands for the input. Give
 * the model as `new Runner({ model })`. Never throws.
 */
export function prompt(text: string, options: PromptHookOptions = {}): PromptHook {
  return { ...options, type: 'prompt', prompt: text };
}

/** The same for an agent with tools that looks into the matter. Never throws. */
export function agent(text: string, options: PromptHookOptions = {}): PromptHook {
  return { ...options, type: 'agent', prompt: text };
}

/** A tool of an MCP server as a hook. Give the client as `new Runner({ mcp })`. Never throws. */
export function mcpTool(server: string, tool: string, options: McpToolHookOptions = {}): McpToolHook {
  return { ...options, type: 'mcp_tool', server, tool };
}
