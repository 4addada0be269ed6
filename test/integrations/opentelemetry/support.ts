/** A process with telemetry: the real SDKs, which keep what they are given in memory. */
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncHooksContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';
import { Runner, type RunnerOptions } from '../../../src/index.js';

export interface Recorded {
  /** The spans that have ended, in the order in which they did. */
  spans(): readonly ReadableSpan[];
  /** The one span of this name. */
  span(name: string): ReadableSpan;
  names(): readonly string[];
  /** Each span under its parent, as `parent > child`; roots alone. */
  tree(): readonly string[];
  /** The points of a metric, by its attributes as text. */
  points(name: string): Promise<ReadonlyMap<string, unknown>>;
}

export function makeRunner(options: RunnerOptions = {}): Runner {
  const runner = new Runner(options);
  onTestFinished(() => runner.dispose());
  return runner;
}

/** Registers providers for the time of a test. */
export function record(): Recorded {
  const exporter = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncHooksContextManager().enable());
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    context.disable();
    await Promise.all([tracers.shutdown(), meters.shutdown()]);
  });
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  return {
    spans,
    names: () => spans().map(({ name }) => name),
    span: (name) => {
      const found = spans().filter((span) => span.name === name);
      if (found.length !== 1) throw new Error(`${found.length} spans are called ${name}`);
      return found[0] as ReadableSpan;
    },
    tree: () => spans().map((span) => pathOf(span, spans())),
    points: async (name) => {
      await reader.forceFlush();
      const [latest] = exported.getMetrics().slice(-1);
      const all = latest?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return new Map(points.map(({ attributes, value }) => [describe(attributes), value]));
    },
  };
}

export const describe = (attributes: Readonly<Record<string, unknown>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name.replace('hookline.', '')}=${value}`)
    .toSorted()
    .join(' ');

/** Only within its own trace: a parent of another one would be a mistake. */
function pathOf(span: ReadableSpan, all: readonly ReadableSpan[]): string {
  const { parentSpanContext } = span;
  if (parentSpanContext === undefined) return span.name;
  const parent = all.find((other) => {
    const { spanId, traceId } = other.spanContext();
    return spanId === parentSpanContext.spanId && traceId === span.spanContext().traceId;
  });
  return parent === undefined ? `? > ${span.name}` : `${pathOf(parent, all)} > ${span.name}`;
}
