/** Switches telemetry on for a runner, where OpenTelemetry is installed. */
import { HookError, show } from '../../base/errors.js';
import type { ObservableRunner } from '../../runner/hook-runner.js';
import { FireTelemetry } from './fire-telemetry.js';
import { flushProviders, loadApi } from './load-api.js';
import { Meters } from './meters.js';
import { checkOptions, type InstrumentOptions } from './options.js';

/** The telemetry of a runner. Called, it ends it: fires that have begun still end their spans. Never throws. */
export interface Instrumentation {
  (): void;
  /** Whether anything is recorded; false where `@opentelemetry/api` is not installed. */
  readonly active: boolean;
  /** Why nothing is recorded, in a sentence. */
  readonly problem: string | undefined;
  /**
   * Resolves when the registered providers have handed on what was recorded so far: for programs that are about to end.
   * Never rejects.
   */
  flush(): Promise<void>;
}

/** Under this name spans and metrics are made. */
const SCOPE = 'hookline';

/**
 * Records fires and hooks with the providers that are registered with `@opentelemetry/api`, now or later. Where that
 * package is not installed nothing happens, and `active` is false. Rejects only with a `HookError`, for what is no runner
 * and for options that cannot be used.
 */
export async function instrument(
  runner: ObservableRunner,
  options: InstrumentOptions = {},
): Promise<Instrumentation> {
  const { content = false, emptyFires = false } = checkOptions(options);
  if (typeof (runner as ObservableRunner | undefined)?.observe !== 'function')
    throw new HookError('invalid_option', `Telemetry is for a Runner; ${show(runner)} is given.`);
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
