/** The options of a runner and their defaults. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { DEFAULT_CONCURRENCY } from '../base/async/limiter.js';
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { HookConfig, HookWarning } from '../config/types.js';
import { registerEvents } from '../events/registry.js';
import type { EventTable } from '../events/types.js';
import { failurePolicy, timeoutMs } from '../handlers/common-options.js';
import { DEFAULT_TIMEOUTS } from '../handlers/default-timeouts.js';
import type { HandlerServices } from '../handlers/kinds.js';
import type { HookMcpClient } from '../handlers/mcp-tool.js';
import type { HookModel } from '../handlers/prompt.js';
import type { FailurePolicy } from '../handlers/types.js';
import type { SpawnMode } from '../process/spawn-mode.js';
import type { Precedence } from './aggregate.js';
import { DEFAULT_TEXT_LIMIT } from './cap-text.js';
import type { BaseInput } from './input.js';
import type { OnListenerError } from './messages/message-stream.js';
import type { GroupDefaults } from './registration/group.js';

/** Options of a runner, all optional. `new Runner` throws a `HookError` for a value that cannot be used. */
export interface RunnerOptions {
  /** Hooks for all agents, registered at once. Default: none. */
  readonly hooks?: HookConfig | undefined;
  /** `session_id` of every input and message. Default: a new UUID. */
  readonly sessionId?: string | undefined;
  /** `transcript_path` of every input. Default: empty. */
  readonly transcriptPath?: string | undefined;
  /** `cwd` of every input, and where commands run. Default: the process's working directory when the runner is made. */
  readonly cwd?: string | undefined;
  /** `permission_mode` of every input. Default: the field is left out. */
  readonly permissionMode?: string | undefined;
  /** Answers hooks of type prompt and agent that are registered in code. Default: such hooks are refused. */
  readonly model?: HookModel | undefined;
  /** Runs hooks of type mcp_tool that are registered in code. Default: such hooks are refused. */
  readonly mcp?: HookMcpClient | undefined;
  /** What a failing hook means, unless its group or the hook itself says otherwise. Default: 'continue'. */
  readonly onFailure?: FailurePolicy | undefined;
  /** Seconds that a hook may take, unless its group or the hook itself says otherwise. Default: 60. */
  readonly timeout?: number | undefined;
  /** Whether an allow outranks an ask (default) or an ask an allow. A deny outranks both. */
  readonly precedence?: Precedence | undefined;
  /** The number of processes that may run at once; further commands wait for a slot. Default: 16. */
  readonly maxProcesses?: number | undefined;
  /**
   * How commands are started: directly, through a small helper process (starting a process from a large one blocks
   * the event loop), or through the helper only when this process is large (default).
   */
  readonly spawn?: SpawnMode | undefined;
  /** How deeply hooks may fire events whose hooks fire events. Default: 8. */
  readonly maxDepth?: number | undefined;
  /** The number of hooks that may be in the background at once; further ones delay their fire. Default: 8. */
  readonly maxBackground?: number | undefined;
  /**
   * Texts for the model that are longer than this many characters are cut to a preview and saved in a file. Default:
   * 10,000.
   */
  readonly maxTextLength?: number | undefined;
  /**
   * Called for registrations that are accepted but surely not intended, such as a matcher that matches nothing; they
   * are also listed in `runner.warnings`. Default: a process warning, because a guard that never runs must not go
   * unnoticed.
   */
  readonly onWarning?: ((warning: HookWarning) => void) | undefined;
  /** Called when a message listener or an observer throws. Default: one process warning. */
  readonly onListenerError?: OnListenerError | undefined;
}

const OPTIONS: OptionNames<RunnerOptions & EventOptions> = {
  events: true,
  hooks: true,
  sessionId: true,
  transcriptPath: true,
  cwd: true,
  permissionMode: true,
  model: true,
  mcp: true,
  onFailure: true,
  timeout: true,
  precedence: true,
  maxProcesses: true,
  spawn: true,
  maxDepth: true,
  maxBackground: true,
  maxTextLength: true,
  onWarning: true,
  onListenerError: true,
};

const pendingWarnings: HookWarning[] = [];

/** The default for `onWarning`. Warnings of the same moment, such as all of one file, become one process warning. */
export function warnThroughProcess(warning: HookWarning): void {
  if (pendingWarnings.push(warning) > 1) return;
  queueMicrotask(() => {
    const { code, event, message } = warning;
    const more = pendingWarnings.splice(0).length - 1;
    const rest = more === 0 ? '' : ` (and ${more} more; runner.warnings has all of them)`;
    const about = event === undefined ? '' : `${event}: `;
    process.emitWarning(`${about}${message}${rest}`, { type: 'HooklineWarning', code });
  });
}

export interface Settings {
  readonly base: BaseInput;
  readonly group: Pick<GroupDefaults, 'timeoutMs' | 'onFailure'>;
  readonly services: HandlerServices;
  readonly maxProcesses: number;
  /** Undefined: what a loaded configuration says, otherwise 'allow-over-ask'. */
  readonly precedence: Precedence | undefined;
  readonly maxDepth: number;
  readonly maxBackground: number;
  readonly maxTextLength: number;
}

/** A separate interface, because the runner's types follow from it. */
interface EventOptions {
  readonly events?: EventTable | undefined;
}

export function readOptions(options: RunnerOptions & EventOptions): Settings {
  refuseUnknownOptions('new Runner', options, OPTIONS);
  registerEvents(options.events);
  const { precedence, permissionMode } = options;
  if (precedence !== undefined && precedence !== 'allow-over-ask' && precedence !== 'ask-over-allow') {
    throw new HookError(
      'invalid_option',
      `precedence is ${show(precedence)}; use 'allow-over-ask' or 'ask-over-allow'.`,
    );
  }
  return {
    base: Object.freeze({
      session_id: options.sessionId ?? randomUUID(),
      transcript_path: options.transcriptPath ?? '',
      cwd: resolve(options.cwd ?? '.'),
      ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    }),
    group: {
      timeoutMs: timeoutMs(options.timeout === undefined ? DEFAULT_TIMEOUTS.hook : options.timeout, 'runner'),
      onFailure: failurePolicy(options.onFailure, 'the runner') ?? 'continue',
    },
    services: { model: options.model, mcp: options.mcp },
    precedence,
    maxProcesses: count(options.maxProcesses ?? DEFAULT_CONCURRENCY, 'maxProcesses'),
    maxDepth: count(options.maxDepth ?? 8, 'maxDepth'),
    maxBackground: count(options.maxBackground ?? 8, 'maxBackground'),
    maxTextLength: count(options.maxTextLength ?? DEFAULT_TEXT_LIMIT, 'maxTextLength'),
  };
}

function count(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new HookError('invalid_option', `${name} is ${show(value)}; give a whole number of at least 1.`);
}
