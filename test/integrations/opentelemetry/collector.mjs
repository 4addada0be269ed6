// Loaded before a program, as people do it: registers OpenTelemetry's SDK. Spans go to a file, in batches.
import { appendFileSync } from 'node:fs';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { name, attributes, parentSpanContext } = span;
      const line = { name, attributes, id: span.spanContext().spanId, parent: parentSpanContext?.spanId };
      appendFileSync(process.env.SPANS_FILE, `${JSON.stringify(line)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};

// Nothing is exported by itself while a test runs.
const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000 });
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
