/** Functions that create hooks, usable wherever a callback is. */
import type { CommandHook, HttpHook, McpToolHook, PromptHook } from './types.js';

/** All options of a command except its line. */
export type CommandOptions = Omit<CommandHook, 'type' | 'command'>;
/** All options of an http hook except its URL. */
export type HttpHookOptions = Omit<HttpHook, 'type' | 'url'>;
/** All options of a prompt or agent hook except its prompt. */
export type PromptHookOptions = Omit<PromptHook, 'type' | 'prompt'>;
/** All options of an mcp_tool hook except server and tool. */
export type McpToolHookOptions = Omit<McpToolHook, 'type' | 'server' | 'tool'>;

/**
 * A program as a hook: it reads the event's input as JSON on stdin and answers with JSON on stdout, or with its exit
 * code (0: fine, 2: refuse, with the reason on stderr). Plain text on stdout is neither an answer nor a failure.
 *
 * The line runs in `/bin/sh -c`; with `args` it is a program that gets exactly these arguments, without a shell.
 * Never throws: a hook that cannot be used is refused at registration.
 */
export function command(line: string, options: CommandOptions = {}): CommandHook {
  return { ...options, type: 'command', command: line };
}

/** A URL as a hook: it gets the event's input as JSON and answers as a command would. Never throws. */
export function http(url: string, options: HttpHookOptions = {}): HttpHook {
  return { ...options, type: 'http', url };
}

/**
 * A question to a model as a hook: a no refuses, with the model's reason. `$ARGUMENTS` stands for the input. Give the
 * model as `new Runner({ model })`. Never throws.
 */
export function prompt(text: string, options: PromptHookOptions = {}): PromptHook {
  return { ...options, type: 'prompt', prompt: text };
}

/** The same, answered by an agent that may use tools first. Never throws. */
export function agent(text: string, options: PromptHookOptions = {}): PromptHook {
  return { ...options, type: 'agent', prompt: text };
}

/** A tool of an MCP server as a hook. Give the client as `new Runner({ mcp })`. Never throws. */
export function mcpTool(server: string, tool: string, options: McpToolHookOptions = {}): McpToolHook {
  return { ...options, type: 'mcp_tool', server, tool };
}
