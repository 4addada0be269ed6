/** What the adapter can be told, with its defaults; mistakes are refused before a run begins. */
import type { HookCallbackMatcher, Options } from '@anthropic-ai/claude-agent-sdk';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { HOOK_EVENTS, isEvent } from '../../events/registry.js';
import type { HookEvent } from '../../events/types.js';
import type { Mailbox } from '../../injection/port.js';
import { DEFAULT_TEXT_LIMIT } from '../../runner/cap-text.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { ErrorPolicy } from '../ask-hooks.js';
import type { RenderItems } from '../take-items.js';

/** What `query({ options: { hooks } })` takes. */
export type SdkHooks = NonNullable<Options['hooks']>;

/** A runner, and what its hooks in the background have told meanwhile, if it knows. */
export type SdkRunner = HookRunner & { takeLate?(agentId?: string): readonly LateAnswer[] };

/** What the SDK is to ask about, and what becomes of the answers. Nothing is needed. */
export interface SdkHookOptions {
  /** Whose own hooks count beside the global ones, and whose items the mailbox hands over. */
  readonly agentId?: string | undefined;
  /** Items in it are told to the model behind tool results and with prompts. Needs `agentId`. */
  readonly mailbox?: Mailbox | undefined;
  /** How items are shown to the model. Default: in frames, which say who has sent what. */
  readonly render?: RenderItems | undefined;
  /** The events that the SDK is to ask about. Default: all fifteen. */
  readonly events?: readonly HookEvent[] | undefined;
  /** Hooks that the SDK has anyway. They stay as they are, before ours. */
  readonly merge?: Readonly<Partial<Record<string, readonly HookCallbackMatcher[]>>> | undefined;
  /**
   * Keeps the SDK from asking at all, per event: the SDK's own syntax (a list with `|` is exact, everything else is an
   * unanchored regular expression). The runner matches anyway; what is not asked about reaches no guard.
   */
  readonly matchers?: Readonly<Partial<Record<HookEvent, string>>> | undefined;
  /** Seconds after which the SDK gives up on an answer. Default: a day, so that the runner's own deadlines count. */
  readonly timeout?: number | undefined;
  /** When the hooks cannot be asked: refuse where something can be prevented (the default), or go on. */
  readonly onError?: ErrorPolicy | undefined;
  /** What a hook's `ask` becomes. `deny` for runs that have nobody to ask. Default: 'ask'. */
  readonly onAsk?: 'ask' | 'deny' | undefined;
  /** Characters of context in one answer; items that do not fit wait. Default: 10,000, where the SDK cuts. */
  readonly maxContext?: number | undefined;
  /** How often in a row a turn is kept from ending. Default: 8. */
  readonly maxStops?: number | undefined;
  /** Whether items that wait when a turn is about to end make it go on. Default: they wait for the next prompt. */
  readonly deliverOnStop?: boolean | undefined;
  /** The signal of the query's own abort controller: ends what runs, and puts items back that were not sent. */
  readonly signal?: AbortSignal | undefined;
  /** Told of what went wrong around the hooks: a mailbox that fails, a runner that refuses. */
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

/** The options with their defaults. Throws a HookError for a mistake. */
export function readOptions(options: SdkHookOptions) {
  refuseUnknownOptions('toSdkHooks', options, OPTIONS);
  const { agentId, mailbox, timeout = ONE_DAY, maxContext = DEFAULT_TEXT_LIMIT, maxStops = 8 } = options;
  if (mailbox !== undefined && agentId === undefined)
    throw invalid('A mailbox was given without `agentId`: say whose items are to be delivered.');
  if (!(timeout > 0 && timeout <= MAX_TIMER_S))
    throw new HookError(
      'invalid_timeout',
      `\`timeout\` is ${show(timeout)}; seconds between 0 and ${MAX_TIMER_S} were expected.`,
    );
  checkNumber('maxContext', maxContext, 1000);
  checkNumber('maxStops', maxStops, 0);
  const matchers = options.matchers ?? {};
  const events = [...new Set(options.events ?? HOOK_EVENTS)];
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
    throw invalid(`\`${name}\` is ${show(value)}; a whole number from ${least} on was expected.`);
}

function checkEvent(event: unknown): void {
  if (!isEvent(event))
    throw new HookError(
      'unknown_event',
      `${show(event)} is not an event; these are: ${HOOK_EVENTS.join(', ')}.`,
    );
}

/** The SDK takes a broken pattern for one that never matches, and asks no guard any more. */
function checkMatcher(event: string, matcher: unknown): void {
  try {
    if (typeof matcher !== 'string') throw new TypeError('it is not a text');
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
  throw invalid(`\`${name}\` is ${show(value)}; one of ${allowed.join(', ')} was expected.`);
}
