/** Slows an agent down once, so that its peers' answers arrive while it works: for trying injection out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { agentOf, type BuiltInHook, builtInOptions } from './built-in.js';

/** How long, and when. */
export interface DebugDelayOptions {
  /** 0: no delay. */
  readonly seconds: number;
  /** After how many tools. Default: 3: by then an agent has something to lose. */
  readonly afterTools?: number | undefined;
  /** Waits so many milliseconds. Default: a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const OPTIONS: OptionNames<DebugDelayOptions> = { seconds: true, afterTools: true, wait: true };

/**
 * Holds every agent up once, after some tools, so that its peers' answers arrive while it works: for trying injection
 * out. Throws a `HookError`, code `invalid_option`, for a number of seconds that is none.
 */
export function createDebugDelay(options: DebugDelayOptions): BuiltInHook {
  refuseUnknownOptions('createDebugDelay', options, OPTIONS);
  const { seconds, afterTools = 3, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw new HookError(
      'invalid_option',
      `seconds of a debug delay is ${show(seconds)}; give a number from 0 on.`,
    );
  }
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
