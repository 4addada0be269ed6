/** What the MCP adapters can be told, and what is common to their ways of asking. */
import { HookError, show } from '../../base/errors.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { ErrorPolicy } from '../ask-hooks.js';

/** A call that a hook wants a person to agree to. */
export interface ToolQuestion {
  readonly toolName: string;
  /** As the hooks have left it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** How hooks are asked about tools of MCP, and who is told. */
export interface McpHookOptions {
  /** In the names of the tools that hooks see: `mcp__<serverName>__<tool>`. */
  readonly serverName: string;
  /** When the hooks cannot be asked: refuse the call (the default), or let it run. */
  readonly onError?: ErrorPolicy | undefined;
  /** Asks a person about what a hook wants to be asked. Default: nobody can be asked, so the call is refused. */
  readonly ask?: ((question: ToolQuestion) => boolean | Promise<boolean>) | undefined;
  /** Told of every outcome: what hooks say to people, and that they want the run to end, is the host's to act on. */
  readonly onOutcome?: ((outcome: HookOutcome) => void) | undefined;
  /** Told of what went wrong around the hooks: a mailbox that fails, a runner that refuses. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

/** Everything that one call needs to have its hooks asked. */
export interface Surroundings {
  readonly runner: HookRunner;
  readonly serverName: string;
  readonly onError: ErrorPolicy;
  readonly ask: NonNullable<McpHookOptions['ask']> | undefined;
  readonly onOutcome: (outcome: HookOutcome) => void;
  readonly onProblem: (problem: Error) => void;
}

/** Throws a HookError for a mistake. */
export function readSurroundings(runner: HookRunner, options: McpHookOptions): Surroundings {
  const { serverName, onError = 'block', ask, onOutcome = () => {}, onProblem = () => {} } = options;
  if (typeof serverName !== 'string' || serverName === '')
    throw new HookError('invalid_option', `\`serverName\` is ${show(serverName)}; a name was expected.`);
  if (onError !== 'block' && onError !== 'continue')
    throw new HookError(
      'invalid_option',
      `\`onError\` is ${show(onError)}; one of block, continue was expected.`,
    );
  return { runner, serverName, onError, ask, onOutcome, onProblem };
}

/** The name under which hooks know a tool: letters, digits, `_` and `-`, as hosts write it. */
export function hookedName(serverName: string, tool: string): string {
  return `mcp__${plain(serverName)}__${plain(tool)}`;
}

const plain = (name: string): string => name.replace(/[^\w-]/g, '_');
