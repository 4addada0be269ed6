/** What the fallback for hosts without hooks can be told, with its defaults; mistakes are refused at once. */
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { frameItems } from '../../injection/frame.js';
import type { InjectionItem, Mailbox } from '../../injection/port.js';
import { tell } from '../ask-hooks.js';
import type { RenderItems } from '../take-items.js';

/** Whose items, and when a turn is worth restarting. */
export interface HooklessOptions {
  readonly mailbox: Mailbox;
  /** Whose items are handed over. */
  readonly agentId: string;
  /**
   * What should not wait until the running turn has ended. Default: what people say, and what has a priority above 0. A
   * restart throws work away, so answers of peers wait unless they are sent as urgent.
   */
  readonly isImportant?: ((item: InjectionItem) => boolean) | undefined;
  /** How often in a row a turn may be restarted before one is left alone until its end. Default: 3. */
  readonly maxRestarts?: number | undefined;
  /** Characters in one turn; what does not fit waits for the next one. Default: 20,000. */
  readonly maxLength?: number | undefined;
  /**
   * How often to look for what is important while a turn runs, in milliseconds, beside what the mailbox tells by itself:
   * not every mailbox knows what other processes put in. Default: 1,000; 0: never.
   */
  readonly checkEveryMs?: number | undefined;
  /** What the round before was not told (`end()` has returned it): it comes with the first turn. */
  readonly carried?: readonly InjectionItem[] | undefined;
  /** How items become text. Default: in frames, which say who has sent what. */
  readonly render?: RenderItems | undefined;
  /** Whether the text says what frames are, until it was sent once. Default: true, but with a `render` of your own. */
  readonly explain?: boolean | undefined;
  /** Told of what went wrong: a mailbox that fails, an item that cannot be shown. */
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

/** Throws a HookError for a mistake. */
export function readOptions(options: HooklessOptions) {
  refuseUnknownOptions('createHookless', options, OPTIONS);
  const { agentId, mailbox, maxRestarts = 3, maxLength = 20_000, checkEveryMs = 1000 } = options;
  if (typeof agentId !== 'string' || agentId === '')
    throw invalid(`\`agentId\` is ${show(agentId)}; the name of an agent was expected.`);
  if (typeof mailbox?.take !== 'function') throw invalid('`mailbox` is no mailbox; give one to take from.');
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
        // An item that nobody could show would stand in the way of all others.
        tell(onProblem, error);
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
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  throw invalid(`\`${name}\` is ${show(value)}; a whole number ${range} was expected.`);
}
