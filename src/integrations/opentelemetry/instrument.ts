/** Enables telemetry for a runner, if OpenTelemetry is installed. */
import { HookError, show } from '../../base/errors.js';
import type { ObservableRunner } from '../../runner/hook-runner.js';
import { FireTelemetry } from './fire-telemetry.js';
import { flushProviders, loadApi } from './load-api.js';
import { Meters } from './meters.js';
import { checkOptions, type InstrumentOptions } from './options.js';

/** The telemetry of a runner. Call it to stop: spans of running fires are still completed. Never throws. */
export interface Instrumentation {
  (): void;
  /** Whether anything is recorded; false if `@opentelemetry/api` is not installed. */
  readonly active: boolean;
  /** Why nothing is recorded. */
  readonly problem: string | undefined;
  /**
   * Resolves when the registered providers have exported everything recorded so far. Call it before the program exits.
   * Never rejects.
   */
  flush(): Promise<void>;
}

/** The scope of spans and metrics. */
const SCOPE = 'hookline';

/**
 * Records fires and hooks with the providers that are registered with `@opentelemetry/api`, now or later. If that
 * package is not installed, nothing is recorded and `active` is false. Rejects only with a `HookError`, for an invalid
 * runner or invalid options.
 */
export async function instrument(
  runner: ObservableRunner,
  options: InstrumentOptions = {},
): Promise<Instrumentation> {
  const { content = false, emptyFires = false } = checkOptions(options);
  if (typeof (runner as ObservableRunner | undefined)?.observe !== 'function')
    throw new HookError('invalid_option', `Telemetry needs a Runner; got ${show(runner)}.`);
  const api = await loadApi();
  if (typeof api === 'string')
    return describe(
      () => {},
      async () => {},
      api,
    );
  const kit = {
    api,
    tracer: api.trace.getTracer(SCOPE),
    meters: new Meters(api, SCOPE),
    content,
    emptyFires,
  };
  const stop = runner.observe((fire) => new FireTelemetry(fire, kit));
  return describe(stop, () => flushProviders(api));
}

function describe(stop: () => void, flush: () => Promise<void>, problem?: string): Instrumentation {
  return Object.assign(() => stop(), { active: problem === undefined, problem, flush });
}
