/** What is counted and timed, whether or not anybody makes spans of it. */
import type { Attributes, Counter, Histogram, MeterProvider } from '@opentelemetry/api';
import type { Api } from './load-api.js';

interface Instruments {
  readonly provider: MeterProvider;
  readonly fires: Counter;
  readonly fireDuration: Histogram;
  readonly runs: Counter;
  readonly runDuration: Histogram;
}

/** Seconds, from a callback that answers at once to a command at its deadline. */
const BOUNDARIES = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600];

export class Meters {
  readonly #api: Api;
  readonly #scope: string;
  #instruments: Instruments | undefined;

  constructor(api: Api, scope: string) {
    this.#api = api;
    this.#scope = scope;
  }

  /** One that no hook answered takes no time that would be worth knowing. */
  countFire(durationMs: number | undefined, attributes: Attributes): void {
    const { fires, fireDuration } = this.#current();
    fires.add(1, attributes);
    if (durationMs !== undefined) fireDuration.record(durationMs / 1000, attributes);
  }

  countRun(durationMs: number, attributes: Attributes): void {
    const { runs, runDuration } = this.#current();
    runs.add(1, attributes);
    runDuration.record(durationMs / 1000, attributes);
  }

  /** Unlike a tracer, an instrument that was made before a provider was registered never comes to life. */
  #current(): Instruments {
    const provider = this.#api.metrics.getMeterProvider();
    if (this.#instruments?.provider !== provider) this.#instruments = makeInstruments(provider, this.#scope);
    return this.#instruments;
  }
}

function makeInstruments(provider: MeterProvider, scope: string): Instruments {
  const meter = provider.getMeter(scope);
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: BOUNDARIES } };
  return {
    provider,
    fires: meter.createCounter('hookline.fires', { unit: '{fire}', description: 'Events that were fired.' }),
    fireDuration: meter.createHistogram('hookline.fire.duration', {
      ...seconds,
      description: 'From the beginning of a fire that a hook answered to its outcome.',
    }),
    runs: meter.createCounter('hookline.hook.runs', { unit: '{run}', description: 'Hooks that have run.' }),
    runDuration: meter.createHistogram('hookline.hook.duration', {
      ...seconds,
      description: 'How long hooks have run.',
    }),
  };
}
