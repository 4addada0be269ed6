/** Fires and hooks in a trace: within what the agent does, and with what hooks do within them. */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { command, Runner } from 'hookline';
import { instrument } from 'hookline/opentelemetry';

// As every program sets up OpenTelemetry; here the spans stay in memory.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const tracer = trace.getTracer('my-agent');

const runner = new Runner();
const stop = await instrument(runner);
console.log(`telemetry is ${stop.active ? 'on' : 'off'}`);

runner.on('PreToolUse', { name: 'ask-the-registry' }, async () => {
  await tracer.startActiveSpan('look up the owner', async (span) => span.end());
});
runner.on('PreToolUse', command('test -n "$TRACEPARENT"', { name: 'joins-the-trace' }));
runner.on('PreToolUse', { name: 'guard' }, () => ({ decision: 'block', reason: 'not on a Friday' }));

await tracer.startActiveSpan('turn 1', async (turn) => {
  const call = { tool_name: 'Deploy', tool_input: { to: 'production' }, tool_use_id: 'call-1' };
  await runner.fire('PreToolUse', call);
  turn.end();
});

stop();
await runner.dispose();

const spans = exporter.getFinishedSpans();
function printSpans(parent?: string, indent = ''): void {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
    const said = [
      'hookline.decision',
      'hookline.hook.kind',
      'hookline.hook.outcome',
      'hookline.hook.decision',
    ]
      .map((name) => span.attributes[name])
      .filter((value) => value !== undefined);
    console.log(`${indent}${span.name}${said.length === 0 ? '' : `: ${said.join(', ')}`}`);
    printSpans(span.spanContext().spanId, `${indent}  `);
  }
}
printSpans();
