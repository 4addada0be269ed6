/** The options of a file mailbox with their defaults, and its interface. */
import { MAX_TIMER_MS } from '../../../base/async/timeout.js';
import { HookError, show } from '../../../base/errors.js';
import { MIN_BOUND } from '../../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { agentName } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { Mailbox } from '../../port.js';

/** Where the mailbox is, how much it may hold, and for how long. Only the directory is required. */
export interface FileMailboxOptions {
  /** Absolute path. Created if it is missing; all processes that use the same path share the mailbox. */
  readonly directory: string;
  /** How long a lease lasts; after that its items are queued again. Default: 300,000 ms. */
  readonly leaseMs?: number | undefined;
  /** Maximum number of undelivered items; further ones are rejected. Default: 10,000. */
  readonly maxItems?: number | undefined;
  /** Longer content is truncated and marked as such. Default: 10,000 characters; at most 1,000,000. */
  readonly maxContentLength?: number | undefined;
  /**
   * How many finished items are kept per agent, and how many items for all are kept for agents that join later.
   * Default: 1,000.
   */
  readonly maxRemembered?: number | undefined;
  /** How often changes by other processes are detected and reported to listeners. Default: 1,000 ms. */
  readonly pollMs?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Called for invalid files, and for acknowledgements that came too late. */
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
 * A mailbox that processes of one machine share. Every method rejects with a `MailboxDiskError` when a disk operation
 * fails, and with a `MailboxError` after `close`.
 */
export interface FileMailbox extends Mailbox {
  /** The directory as it was given. */
  readonly directory: string;
  /** Returns the agents that have joined. */
  agents(): Promise<readonly string[]>;
  /** Registers an agent; its first `take` does the same. */
  join(agentId: string): Promise<void>;
  /** Removes an agent for good: its queued items fail, and so do later items that name it. */
  leave(agentId: string, reason?: string): Promise<void>;
  /**
   * Updates the mailbox at once: requeues and expires items, completes the work of processes that died, cleans up, and
   * reports changes to listeners. This also happens automatically while the mailbox is used or has listeners.
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
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const message = `${option} of a file mailbox is ${show(value)}; give a whole number ${range}.`;
  throw new HookError('invalid_option', message);
}

export function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent's name is ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
