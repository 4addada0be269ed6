/** What a file mailbox can be told, with the defaults; and what it can do beside what every mailbox can. */
import { MAX_TIMER_MS } from '../../../base/async/timeout.js';
import { HookError, show } from '../../../base/errors.js';
import { MIN_BOUND } from '../../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { agentName } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { Mailbox } from '../../port.js';

/** Where the mailbox is, how much it may hold, and for how long. Only the directory is needed. */
export interface FileMailboxOptions {
  /** Full path. It is made where it is missing; all who give the same one share the mailbox. */
  readonly directory: string;
  /** How long somebody may be about to send items before they wait again. Default: 300,000 ms. */
  readonly leaseMs?: number | undefined;
  /** How many items may be on their way at once; the next one is refused. Default: 10,000. */
  readonly maxItems?: number | undefined;
  /** Longer content is cut, and says so. Default: 10,000 characters; at most 1,000,000. */
  readonly maxContentLength?: number | undefined;
  /** How many ended items are remembered per agent, and how many items for all for agents to come. Default: 1,000. */
  readonly maxRemembered?: number | undefined;
  /** How often those who listen are told of what other processes have done. Default: 1,000 ms. */
  readonly pollMs?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Told of files that are not as they should be, and of what came too late. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

const OPTIONS: OptionNames<FileMailboxOptions> = {
  directory: true,
  leaseMs: true,
  maxItems: true,
  maxContentLength: true,
  maxRemembered: true,
  pollMs: true,
  now: true,
  onProblem: true,
};

/**
 * A mailbox that processes of one machine share. Everything rejects with a `MailboxDiskError` when the disk refuses,
 * and with a `MailboxError` after `close`.
 */
export interface FileMailbox extends Mailbox {
  /** As it was given. */
  readonly directory: string;
  /** The agents that are there. */
  agents(): Promise<readonly string[]>;
  /** Makes an agent known; its first `take` does the same. */
  join(agentId: string): Promise<void>;
  /** An agent will not come back: what waits for it has failed, and so will what is put for it by name. */
  leave(agentId: string, reason?: string): Promise<void>;
  /**
   * Looks at once at what time and other processes have done: requeues, expires, finishes what the dead have begun,
   * tidies up, and tells those who listen. It happens by itself too, where the mailbox is used or listened to.
   */
  refresh(): Promise<void>;
}

export interface CheckedOptions {
  readonly leaseMs: number;
  readonly maxItems: number;
  readonly maxContentLength: number;
  readonly maxRemembered: number;
  readonly pollMs: number;
  readonly now: () => number;
}

const MAX_CONTENT = 1_000_000;

export function checkOptions(options: FileMailboxOptions): CheckedOptions {
  refuseUnknownOptions('openFileMailbox', options, OPTIONS);
  return {
    leaseMs: wholeNumber('leaseMs', options.leaseMs ?? 300_000, 1),
    maxItems: wholeNumber('maxItems', options.maxItems ?? 10_000, 1),
    maxContentLength: wholeNumber(
      'maxContentLength',
      options.maxContentLength ?? 10_000,
      MIN_BOUND,
      MAX_CONTENT,
    ),
    maxRemembered: wholeNumber('maxRemembered', options.maxRemembered ?? 1000, 0),
    pollMs: wholeNumber('pollMs', options.pollMs ?? 1000, 1, MAX_TIMER_MS),
    now: options.now ?? Date.now,
  };
}

export function wholeNumber(
  option: string,
  value: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  const message = `${option} of a file mailbox is ${show(value)}; give a whole number ${range}.`;
  throw new HookError('invalid_option', message);
}

export function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent is called ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
