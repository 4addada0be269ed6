/** The options of a session, with their defaults; invalid ones are rejected at once. */
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Mailbox } from '../../injection/port.js';
import type { Permissions } from '../../permissions/permissions.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { ErrorPolicy } from '../ask-hooks.js';
import type { RenderItems } from '../take-items.js';
import type { Ask } from '../tool-call.js';

/** A runner; `takeLate` returns the late results of background hooks, if supported. */
export type SessionRunner = HookRunner & { takeLate?(agentId?: string): readonly LateAnswer[] };

/** How a host runs hooks and delivers items. */
export interface SessionOptions {
  readonly runner: SessionRunner;
  /** Items for the agent: they travel with prompts, tool results and continuations. */
  readonly mailbox?: Mailbox | undefined;
  /** The agent whose own hooks run, and its name in the mailbox. Default: `main` in the mailbox, no own hooks. */
  readonly agentId?: string | undefined;
  /** `session_id` of every input. Default: that of the runner. */
  readonly sessionId?: string | undefined;
  /** `cwd` of every input. Default: that of the runner. */
  readonly cwd?: string | undefined;
  /**
   * Who approves a call when a hook or a rule asks: a function, or `host` if the host asks by itself after `judge`.
   * Default: the call is refused.
   */
  readonly ask?: Ask | 'host' | undefined;
  /** Permission rules that apply in addition to the hooks. Default: every call may run unless a hook objects. */
  readonly permissions?: Pick<Permissions, 'decide'> | undefined;
  /** How many times in a row hooks may keep the agent from stopping. Default: 8. */
  readonly stopCap?: number | undefined;
  /** Formats items for the model. Default: in frames, which name the sender. */
  readonly render?: RenderItems | undefined;
  /** What happens when the hooks cannot be run: `block` what can be prevented (default), or `continue`. */
  readonly onError?: ErrorPolicy | undefined;
  /** Called with every outcome, for instance to show messages of hooks to people. */
  readonly onOutcome?: ((outcome: HookOutcome) => void) | undefined;
  /** Called for problems around the hooks: a mailbox that fails, a runner that rejects. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

const OPTIONS: OptionNames<SessionOptions> = {
  runner: true,
  mailbox: true,
  agentId: true,
  sessionId: true,
  cwd: true,
  ask: true,
  permissions: true,
  stopCap: true,
  render: true,
  onError: true,
  onOutcome: true,
  onProblem: true,
};

/** Throws a HookError for invalid options. */
export function checkOptions(options: SessionOptions): void {
  refuseUnknownOptions('createSession', options, OPTIONS);
  const { runner, onError = 'block', stopCap = 0 } = options;
  if (typeof runner?.fire !== 'function') throw invalid('runner', runner, 'a runner');
  if (onError !== 'block' && onError !== 'continue') throw invalid('onError', onError, 'block or continue');
  if (!Number.isSafeInteger(stopCap) || stopCap < 0) throw invalid('stopCap', stopCap, 'a whole number');
}

const invalid = (name: string, value: unknown, expected: string): HookError =>
  new HookError('invalid_option', `\`${name}\` is ${show(value)}; expected ${expected}.`);
