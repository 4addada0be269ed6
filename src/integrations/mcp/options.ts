/** The options that all MCP adapters share. */
import { HookError, show } from '../../base/errors.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { ErrorPolicy } from '../ask-hooks.js';
import type { Ask, CallContext } from '../tool-call.js';

/** How hooks run for MCP tools, and who is notified. */
export interface McpHookOptions {
  /** The server name in the tool names that hooks see: `mcp__<serverName>__<tool>`. */
  readonly serverName: string;
  /** What happens when the hooks cannot be run: `block` the call (default), or `continue`. */
  readonly onError?: ErrorPolicy | undefined;
  /** Asks a person for approval when a hook decides `ask`. Default: the call is denied. */
  readonly ask?: Ask | undefined;
  /**
   * Called with every outcome. The host decides what to do with messages for people and with a request to end the run.
   */
  readonly onOutcome?: ((outcome: HookOutcome) => void) | undefined;
  /** Called for problems around the hooks: a mailbox that fails, a runner that rejects. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

/** Everything needed to run the hooks of one call. */
export interface Surroundings extends Omit<CallContext, 'agentId' | 'base'> {
  readonly serverName: string;
}

/** Throws a HookError for invalid options. */
export function readSurroundings(runner: HookRunner, options: McpHookOptions): Surroundings {
  const { serverName, onError = 'block', ask, onOutcome = () => {}, onProblem = () => {} } = options;
  if (typeof serverName !== 'string' || serverName === '')
    throw new HookError('invalid_option', `\`serverName\` is ${show(serverName)}; expected a name.`);
  if (onError !== 'block' && onError !== 'continue')
    throw new HookError('invalid_option', `\`onError\` is ${show(onError)}; expected block or continue.`);
  return { runner, serverName, onError, ask, onOutcome, onProblem };
}

/** The tool name that hooks see: letters, digits, `_` and `-`, in the format that hosts use. */
export function hookedName(serverName: string, tool: string): string {
  return `mcp__${plain(serverName)}__${plain(tool)}`;
}

const plain = (name: string): string => name.replace(/[^\w-]/g, '_');
