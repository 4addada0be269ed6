/** Registers all built-in hooks at once, in the documented order. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Disposer } from '../../config/types.js';
import type { MemoryMailbox } from '../mailboxes/memory/mailbox.js';
import type { Mailbox } from '../port.js';
import {
  type BackgroundToolComplete,
  type BackgroundToolOptions,
  createBackgroundToolComplete,
} from './background-tool-complete.js';
import { type BuiltInHook, disposeAll, type Registrar } from './built-in.js';
import { createDebugDelay, type DebugDelayOptions } from './debug-delay.js';
import { createHumanInput, type HumanInput, type HumanInputOptions } from './human-input.js';
import {
  createMidStreamInjection,
  type MidStreamInjection,
  type MidStreamOptions,
  type RoundStart,
} from './mid-stream.js';
import { createPathGuard, type PathGuardOptions } from './path-guard.js';
import { createRoundTimeoutPost, createRoundTimeoutPre, type RoundTimeoutOptions } from './round-timeout.js';
import { RoundTimer, type RoundTimerOptions } from './round-timer.js';
import {
  createSubagentComplete,
  type SubagentComplete,
  type SubagentCompleteOptions,
} from './subagent-complete.js';
import { createTaskReminder, type TaskReminderOptions } from './task-reminder.js';

/** Which built-in hooks to register, and their options. Only the mailbox is required. */
export interface BuiltInHooksOptions {
  readonly mailbox: Mailbox & Partial<Pick<MemoryMailbox, 'withdraw'>>;
  /** Peers' answers; absent: an agent without peers. */
  readonly peers?: Omit<MidStreamOptions, 'mailbox' | 'timer'> | undefined;
  /** Time limits of rounds; absent: none. */
  readonly rounds?:
    | (RoundTimerOptions & Omit<RoundTimeoutOptions, 'timer'> & { readonly advice?: string | undefined })
    | undefined;
  /** Absent: tools may use every path. */
  readonly paths?: PathGuardOptions | undefined;
  /** `true`: with the default text; absent: no reminders. */
  readonly taskReminder?: true | Omit<TaskReminderOptions, 'mailbox'> | undefined;
  readonly human?: Omit<HumanInputOptions, 'mailbox'> | undefined;
  readonly subagents?: Omit<SubagentCompleteOptions, 'mailbox'> | undefined;
  readonly backgroundTools?: Omit<BackgroundToolOptions, 'mailbox'> | undefined;
  readonly debugDelay?: DebugDelayOptions | undefined;
}

const OPTIONS: OptionNames<BuiltInHooksOptions> = {
  mailbox: true,
  peers: true,
  rounds: true,
  paths: true,
  taskReminder: true,
  human: true,
  subagents: true,
  backgroundTools: true,
  debugDelay: true,
};

/** The hooks that have methods for the host. */
export interface BuiltInHooks {
  readonly midStream: MidStreamInjection | undefined;
  readonly timer: RoundTimer | undefined;
  readonly human: HumanInput;
  readonly subagents: SubagentComplete;
  readonly backgroundTools: BackgroundToolComplete;
  /** The names, in the order of registration. */
  readonly order: readonly string[];
  /**
   * Starts a new round of an agent: resets its timer and delivers all unseen answers. Rejects when the mailbox rejects
   * an item, which is then offered again.
   */
  beginRound(agentId: string, options?: RoundStart): Promise<void>;
  /** Removes all of the hooks. */
  dispose: Disposer;
}

const withBuiltInHooks = new WeakSet<object>();

/** Whether built-in hooks were registered on this runner, so that its loop needs their mailbox. */
export function hasBuiltInHooks(runner: object): boolean {
  return withBuiltInHooks.has(runner);
}

/**
 * Registers the built-in hooks on a runner, for all agents, or on its view for one agent. Register them before your own
 * hooks, so that they run first. A hook whose option is absent is not registered.
 *
 * Before a tool: path guard, hard limit of the round. After a tool: debug delay, peers, task reminder, people,
 * subagents, background tools, soft limit of the round.
 *
 * Throws a `HookError` for invalid limits or places, and when `runner.on` does.
 */
export function registerBuiltInHooks(registrar: Registrar, options: BuiltInHooksOptions): BuiltInHooks {
  refuseUnknownOptions('registerBuiltInHooks', options, OPTIONS);
  const { mailbox, peers, rounds, paths, taskReminder } = options;
  const timer = rounds === undefined ? undefined : new RoundTimer(rounds);
  const midStream = peers === undefined ? undefined : createMidStreamInjection({ ...peers, mailbox, timer });
  const human = createHumanInput({ ...options.human, mailbox });
  const subagents = createSubagentComplete({ ...options.subagents, mailbox });
  const backgroundTools = createBackgroundToolComplete({ ...options.backgroundTools, mailbox });
  const hooks: readonly (BuiltInHook | undefined)[] = [
    paths && createPathGuard(paths),
    timer && createRoundTimeoutPre({ ...rounds, timer }),
    options.debugDelay && createDebugDelay(options.debugDelay),
    midStream,
    taskReminder && createTaskReminder({ ...(taskReminder === true ? {} : taskReminder), mailbox }),
    human,
    subagents,
    backgroundTools,
    timer && createRoundTimeoutPost({ ...rounds, timer, mailbox }),
  ];
  withBuiltInHooks.add(registrar);
  const registered = hooks.filter((hook) => hook !== undefined);
  return {
    midStream,
    timer,
    human,
    subagents,
    backgroundTools,
    order: registered.map(({ name }) => name),
    beginRound: async (agentId, start) => {
      timer?.resetForNewRound(agentId);
      await midStream?.beginRound(agentId, start);
    },
    dispose: disposeAll(registered.map((hook) => hook.register(registrar))),
  };
}
