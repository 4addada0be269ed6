/** All built-in hooks at once, in the documented order. */

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
import { createMidStreamInjection, type MidStreamInjection, type MidStreamOptions } from './mid-stream.js';
import { createPathGuard, type PathGuardOptions } from './path-guard.js';
import { createRoundTimeoutPost, createRoundTimeoutPre, type RoundTimeoutOptions } from './round-timeout.js';
import { RoundTimer, type RoundTimerOptions } from './round-timer.js';
import {
  createSubagentComplete,
  type SubagentComplete,
  type SubagentCompleteOptions,
} from './subagent-complete.js';
import { createTaskReminder, type TaskReminderOptions } from './task-reminder.js';

/** Which of the built-in hooks are wanted, and what they are told. Only the mailbox is needed. */
export interface BuiltInHooksOptions {
  readonly mailbox: Mailbox & Partial<Pick<MemoryMailbox, 'withdraw'>>;
  /** Answers of peers; absent: an agent without peers. */
  readonly peers?: Omit<MidStreamOptions, 'mailbox' | 'timer'> | undefined;
  /** The limits of rounds; absent: none. */
  readonly rounds?:
    | (RoundTimerOptions & Omit<RoundTimeoutOptions, 'timer'> & { readonly advice?: string | undefined })
    | undefined;
  /** Absent: tools may use every path. */
  readonly paths?: PathGuardOptions | undefined;
  /** `true`: with the usual text; absent: no reminders. */
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

/** The parts that a host goes on talking to. */
export interface BuiltInHooks {
  readonly midStream: MidStreamInjection | undefined;
  readonly timer: RoundTimer | undefined;
  readonly human: HumanInput;
  readonly subagents: SubagentComplete;
  readonly backgroundTools: BackgroundToolComplete;
  /** The names, in the order of registration. */
  readonly order: readonly string[];
  /**
   * An agent begins a new round: its time starts anew, and it is told of all that it has not seen. Rejects when the mailbox
   * refuses to hold it; it is then offered again.
   */
  beginRound(agentId: string): Promise<void>;
  /** Takes all of them out. */
  dispose: Disposer;
}

/**
 * On a runner, for all agents; on an agent's view of it, for that one. Register them before your own hooks, so that these
 * come first. What is not asked for is not registered.
 *
 * Before a tool: path guard, hard limit of the round. After a tool: debug delay, peers, task reminder, people, subagents,
 * background tools, soft limit of the round.
 *
 * Throws a `HookError` for limits or places that cannot be used, and as `runner.on` does.
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
  const registered = hooks.filter((hook) => hook !== undefined);
  return {
    midStream,
    timer,
    human,
    subagents,
    backgroundTools,
    order: registered.map(({ name }) => name),
    beginRound: async (agentId) => {
      timer?.resetForNewRound(agentId);
      await midStream?.beginRound(agentId);
    },
    dispose: disposeAll(registered.map((hook) => hook.register(registrar))),
  };
}
