/** Counters and durations, recorded with or without spans. */
import type { Attributes, Counter, Histogram, MeterProvider } from '@opentelemetry/api';
import type { Api } from './load-api.js';

interface Instruments {
  readonly provider: MeterProvider;
  readonly fires: Counter;
  readonly fireDuration: Histogram;
  readonly runs: Counter;
  readonly runDuration: Histogram;
}

/** In seconds, from a fast callback to a command at its timeout. */
const BOUNDARIES = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600];

export class Meters {
  readonly #api: Api;
  readonly #scope: string;
  #instruments: Instruments | undefined;

  constructor(api: Api, scope: string) {
    this.#api = api;
    this.#scope = scope;
  }

  /** The duration of a fire without hooks is not recorded. */
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

  /** Unlike a tracer, an instrument created before a provider is registered never becomes active. */
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
      description: 'Duration of fires with at least one hook.',
    }),
    runs: meter.createCounter('hookline.hook.runs', { unit: '{run}', description: 'Hooks that have run.' }),
    runDuration: meter.createHistogram('hookline.hook.duration', {
      ...seconds,
      description: 'Duration of hook runs.',
    }),
  };
}
