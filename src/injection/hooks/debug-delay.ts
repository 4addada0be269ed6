/** Delays each agent once, so that its peers' answers arrive while it works. For testing injection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { agentOf, type BuiltInHook, builtInOptions } from './built-in.js';

/** The length of the delay, and when it happens. */
export interface DebugDelayOptions {
  /** 0: no delay. */
  readonly seconds: number;
  /** After how many tool calls. Default: 3, when the agent has some work of its own. */
  readonly afterTools?: number | undefined;
  /** Waits for a number of milliseconds. Default: a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/** The hook's own timeout is a little longer. */
const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000) - 5;

const OPTIONS: OptionNames<DebugDelayOptions> = { seconds: true, afterTools: true, wait: true };

/**
 * Delays each agent once, after some tool calls, so that its peers' answers arrive while it works. For testing
 * injection. Throws a `HookError` with the code `invalid_option` for an invalid number of seconds or tools.
 */
export function createDebugDelay(options: DebugDelayOptions): BuiltInHook {
  refuseUnknownOptions('createDebugDelay', options, OPTIONS);
  const { seconds, afterTools = 3, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  const refuse = (name: string, value: unknown, wanted: string): never => {
    throw new HookError('invalid_option', `${name} of a debug delay is ${show(value)}; give ${wanted}.`);
  };
  if (!(seconds >= 0 && seconds <= MAX_SECONDS))
    refuse('seconds', seconds, `a number from 0 to ${MAX_SECONDS}`);
  if (!(Number.isSafeInteger(afterTools) && afterTools >= 1))
    refuse('afterTools', afterTools, 'a whole number of at least 1');
  const name = 'debug-delay';
  const counts = new Map<string, number>();
  return {
    name,
    register: (registrar) =>
      registrar.on(
        'PostToolUse',
        builtInOptions(name, { timeout: seconds + 5 }),
        async (input, _id, context) => {
          const agentId = agentOf(input, context);
          const count = (counts.get(agentId) ?? 0) + 1;
          counts.set(agentId, count);
          if (count === afterTools && seconds > 0) await wait(seconds * 1000, context.signal);
        },
      ),
  };
}
