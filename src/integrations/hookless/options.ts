/** The options for hosts without hooks, with their defaults; invalid ones are rejected at once. */
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { frameItems } from '../../injection/frame.js';
import type { InjectionItem, Mailbox } from '../../injection/port.js';
import { reportProblem } from '../ask-hooks.js';
import type { RenderItems } from '../take-items.js';

/** The agent, its mailbox, and when a turn is restarted. */
export interface HooklessOptions {
  readonly mailbox: Mailbox;
  /** The agent whose items are delivered. */
  readonly agentId: string;
  /**
   * Whether an item should not wait until the running turn has ended. Default: items from people, and items with a
   * priority above 0. A restart discards work, so peers' answers wait unless they have a priority.
   */
  readonly isImportant?: ((item: InjectionItem) => boolean) | undefined;
  /** How many times in a row a turn may be restarted; the next one then runs to its end. Default: 3. */
  readonly maxRestarts?: number | undefined;
  /** Maximum number of characters per turn; items that do not fit wait for the next one. Default: 20,000. */
  readonly maxLength?: number | undefined;
  /**
   * How often to check for important items while a turn runs, in milliseconds. Needed because not every mailbox reports
   * items from other processes. Default: 1,000; 0: never.
   */
  readonly checkEveryMs?: number | undefined;
  /** Items that `end()` of the previous round returned; they are delivered with the first turn. */
  readonly carried?: readonly InjectionItem[] | undefined;
  /** Formats items as text. Default: in frames, which name the sender. */
  readonly render?: RenderItems | undefined;
  /** Whether the text explains frames, until it was sent once. Default: true, or false with a custom `render`. */
  readonly explain?: boolean | undefined;
  /** Called for problems: a mailbox that fails, an item that cannot be shown. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

const OPTIONS: OptionNames<HooklessOptions> = {
  mailbox: true,
  agentId: true,
  isImportant: true,
  maxRestarts: true,
  maxLength: true,
  checkEveryMs: true,
  carried: true,
  render: true,
  explain: true,
  onProblem: true,
};

/** Throws a HookError for invalid options. */
export function readOptions(options: HooklessOptions) {
  refuseUnknownOptions('createHookless', options, OPTIONS);
  const { agentId, mailbox, maxRestarts = 3, maxLength = 20_000, checkEveryMs = 1000 } = options;
  if (typeof agentId !== 'string' || agentId === '')
    throw invalid(`\`agentId\` is ${show(agentId)}; expected the name of an agent.`);
  if (typeof mailbox?.take !== 'function')
    throw invalid('`mailbox` is not a mailbox; give one that has `take`.');
  checkNumber('maxRestarts', maxRestarts, 0);
  checkNumber('maxLength', maxLength, 1);
  checkNumber('checkEveryMs', checkEveryMs, 0, MAX_TIMER_MS);
  const { onProblem = () => {} } = options;
  return {
    ...options,
    maxRestarts,
    maxLength,
    checkEveryMs,
    isImportant: options.isImportant ?? isUrgent,
    render: (items: readonly InjectionItem[]): string => {
      try {
        if (options.render !== undefined) return options.render(items);
      } catch (error) {
        // An item that cannot be shown would block all others.
        reportProblem(onProblem, error);
      }
      return frameItems(items);
    },
    explain: options.explain ?? options.render === undefined,
    onProblem,
  };
}

export type Settings = ReturnType<typeof readOptions>;

const isUrgent = ({ source, priority = 0 }: InjectionItem): boolean =>
  source.kind === 'human' || priority > 0;

const invalid = (message: string): HookError => new HookError('invalid_option', message);

function checkNumber(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw invalid(`\`${name}\` is ${show(value)}; expected a whole number ${range}.`);
}
