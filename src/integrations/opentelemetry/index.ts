/** hookline/opentelemetry: records a runner's fires and hooks as spans and metrics. */
export { type Instrumentation, instrument } from './instrument.js';
export type { InstrumentOptions } from './options.js';
