/** The options of the adapter, with their defaults; invalid ones are rejected before a run starts. */
import type { HookCallbackMatcher, Options } from '@anthropic-ai/claude-agent-sdk';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { ALL_EVENTS, HOOK_EVENTS, isEvent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Mailbox } from '../../injection/port.js';
import { DEFAULT_TEXT_LIMIT } from '../../runner/cap-text.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { ErrorPolicy } from '../ask-hooks.js';
import type { RenderItems } from '../take-items.js';

/** The type of `query({ options: { hooks } })`. */
export type SdkHooks = NonNullable<Options['hooks']>;

/**
 * A runner; `takeLate` returns the late results of background hooks, and `hasHooks` says for which events it has hooks, if
 * supported.
 */
export type SdkRunner = HookRunner & {
  takeLate?(agentId?: string): readonly LateAnswer[];
  hasHooks?(event: string, agentId?: string): boolean;
};

/** Which events run hooks, and how their outcomes are applied. All options are optional. */
export interface SdkHookOptions {
  /** The agent whose own hooks run in addition to the global ones, and whose items are delivered. */
  readonly agentId?: string | undefined;
  /** Its items are delivered with tool results and prompts. Needs `agentId`. */
  readonly mailbox?: Mailbox | undefined;
  /** Formats items for the model. Default: in frames, which name the sender. */
  readonly render?: RenderItems | undefined;
  /**
   * The events to register with the SDK. Default: the fifteen that every version has, and further ones that the runner has
   * hooks for. Newer SDKs have all of `ALL_EVENTS`.
   */
  readonly events?: readonly AnyEvent[] | undefined;
  /** Existing hooks for the SDK. They are kept unchanged, before these. */
  readonly merge?: Readonly<Partial<Record<string, readonly HookCallbackMatcher[]>>> | undefined;
  /**
   * SDK matchers per event, which keep the SDK from calling the hooks at all. They use the SDK's own syntax: a list
   * with `|` is exact, anything else is an unanchored regular expression. The runner applies its own matchers anyway;
   * calls that are filtered out here reach no guard.
   */
  readonly matchers?: Readonly<Partial<Record<AnyEvent, string>>> | undefined;
  /** Seconds after which the SDK gives up on a response. Default: a day, so that the runner's own timeouts apply. */
  readonly timeout?: number | undefined;
  /** What happens when the hooks cannot be run: `block` what can be prevented (default), or `continue`. */
  readonly onError?: ErrorPolicy | undefined;
  /** How a hook's `ask` is applied. Use `deny` for runs without a person to ask. Default: 'ask'. */
  readonly onAsk?: 'ask' | 'deny' | undefined;
  /** Maximum characters of context per response; items that do not fit wait. Default: 10,000, the SDK's own limit. */
  readonly maxContext?: number | undefined;
  /** How many times in a row a turn is kept from ending. Default: 8. */
  readonly maxStops?: number | undefined;
  /** Whether queued items make a turn continue that is about to end. Default: false, they wait for the next prompt. */
  readonly deliverOnStop?: boolean | undefined;
  /** The signal of the query's abort controller: aborts running hooks, and releases items that were not sent. */
  readonly signal?: AbortSignal | undefined;
  /** Called for problems around the hooks: a mailbox that fails, a runner that rejects. */
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

const OPTIONS: OptionNames<SdkHookOptions> = {
  agentId: true,
  mailbox: true,
  render: true,
  events: true,
  merge: true,
  matchers: true,
  timeout: true,
  onError: true,
  onAsk: true,
  maxContext: true,
  maxStops: true,
  deliverOnStop: true,
  signal: true,
  onProblem: true,
};

const ONE_DAY = 86_400;
const MAX_TIMER_S = 2_147_483;
const PLAIN_LIST = /^[\w|]*$/;

/** Returns the options with their defaults. Throws a HookError for invalid ones. */
export function readOptions(options: SdkHookOptions, runner: Partial<Pick<SdkRunner, 'hasHooks'>> = {}) {
  refuseUnknownOptions('toSdkHooks', options, OPTIONS);
  const { agentId, mailbox, timeout = ONE_DAY, maxContext = DEFAULT_TEXT_LIMIT, maxStops = 8 } = options;
  if (mailbox !== undefined && agentId === undefined)
    throw invalid('`mailbox` needs `agentId`: the agent whose items are delivered.');
  if (!(timeout > 0 && timeout <= MAX_TIMER_S))
    throw new HookError(
      'invalid_timeout',
      `\`timeout\` is ${show(timeout)}; expected seconds between 0 and ${MAX_TIMER_S}.`,
    );
  checkNumber('maxContext', maxContext, 1000);
  checkNumber('maxStops', maxStops, 0);
  const matchers = options.matchers ?? {};
  const further = ALL_EVENTS.filter((event) => runner.hasHooks?.(event, agentId) === true);
  const events = [...new Set<AnyEvent>(options.events ?? [...HOOK_EVENTS, ...further])];
  for (const event of [...events, ...Object.keys(matchers)]) checkEvent(event);
  for (const [event, matcher] of Object.entries(matchers)) checkMatcher(event, matcher);
  return {
    ...options,
    events,
    matchers,
    timeout,
    maxContext,
    maxStops,
    onError: choose('onError', options.onError, ['block', 'continue'] as const),
    onAsk: choose('onAsk', options.onAsk, ['ask', 'deny'] as const),
    onProblem: options.onProblem ?? (() => {}),
  };
}

export type Settings = ReturnType<typeof readOptions>;

const invalid = (message: string): HookError => new HookError('invalid_option', message);

function checkNumber(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw invalid(`\`${name}\` is ${show(value)}; expected a whole number of at least ${least}.`);
}

function checkEvent(event: unknown): void {
  if (!isEvent(event))
    throw new HookError(
      'unknown_event',
      `${show(event)} is not an event; expected one of: ${ALL_EVENTS.join(', ')}.`,
    );
}

/** The SDK treats an invalid pattern as one that never matches, so no guard would run. */
function checkMatcher(event: string, matcher: unknown): void {
  try {
    if (typeof matcher !== 'string') throw new TypeError('it is not a string');
    if (!PLAIN_LIST.test(matcher) && matcher !== '*') new RegExp(matcher);
  } catch (cause) {
    throw new HookError(
      'invalid_matcher',
      `The SDK matcher ${show(matcher)} of ${event} would never match: give a list of names or a regular expression.`,
      { cause },
    );
  }
}

function choose<T extends string>(name: string, value: T | undefined, allowed: readonly [T, ...T[]]): T {
  if (value === undefined) return allowed[0];
  if (allowed.includes(value)) return value;
  throw invalid(`\`${name}\` is ${show(value)}; expected one of ${allowed.join(', ')}.`);
}
