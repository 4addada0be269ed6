/** Telemetry as a whole: switching it on and off, what is counted, what is kept quiet, and what commands get of it. */
import { context, createTraceState, metrics, type SpanContext, trace } from '@opentelemetry/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { command, type RunnerOptions } from '../../../src/index.js';
import { instrument } from '../../../src/integrations/opentelemetry/index.js';
import { bash, gate, refusalOf, SAMPLES, untyped } from '../../support/runner.js';
import { makeRunner, record } from './support.js';

const tracer = () => trace.getTracer('test');

describe('switching it on and off', () => {
  it('OT-1 resolves to the way to end it, and says that it is on', async () => {
    const recorded = record();
    const runner = makeRunner();
    const stop = await instrument(runner);
    expect([typeof stop, stop.active, stop.problem]).toEqual(['function', true, undefined]);
    runner.on('Stop', { name: 'hook' }, () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(recorded.names()).toEqual(['hookline.hook hook', 'hookline.fire Stop']);
    stop();
    stop();
    await runner.fire('Stop', SAMPLES.Stop);
    expect(recorded.names()).toHaveLength(2);
  });

  it('OT-1 what is no runner, and options that make no sense, are refused', async () => {
    for (const wrong of [undefined, {}, { fire: () => undefined }])
      expect((await refusalOf(() => instrument(wrong as never))).code).toBe('invalid_option');
    for (const options of [{ content: 'no' }, { emptyFires: 1 }])
      expect((await refusalOf(() => instrument(makeRunner(), options as never))).code).toBe('invalid_option');
  });

  it('OT-10 fires that have begun end their spans after it was switched off', async () => {
    const recorded = record();
    const runner = makeRunner();
    const stop = await instrument(runner);
    const free = gate();
    runner.on('Stop', { name: 'waits' }, () => free.passed);
    runner.on('Stop', { name: 'next' }, () => undefined);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    stop();
    await runner.fire('Notification', SAMPLES.Notification);
    expect(recorded.names()).toEqual([]);
    free.open();
    await fired;
    expect(recorded.tree()).toEqual([
      'hookline.fire Stop > hookline.hook waits',
      'hookline.fire Stop > hookline.hook next',
      'hookline.fire Stop',
    ]);
  });

  it('OT-10 disposing the runner ends all spans', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('Stop', { name: 'hangs' }, () => new Promise(() => {}));
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await runner.dispose();
    await fired;
    expect(recorded.tree()).toEqual(['hookline.fire Stop > hookline.hook hangs', 'hookline.fire Stop']);
  });

  it('OT-11 providers that are registered later count from then on', async () => {
    const runner = makeRunner();
    await instrument(runner);
    runner.on('Stop', { name: 'hook' }, () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    const recorded = record();
    await runner.fire('Stop', SAMPLES.Stop);
    expect(recorded.names()).toEqual(['hookline.hook hook', 'hookline.fire Stop']);
    expect(await recorded.points('hookline.fires')).toEqual(new Map([['decision=none event=Stop', 1]]));
  });

  it('OT-11 without a provider hooks run in the context of the caller, and commands get no variable', async () => {
    const runner = makeRunner();
    await instrument(runner);
    const active: unknown[] = [];
    runner.on('Stop', () => void active.push(context.active(), trace.getActiveSpan()));
    runner.on('Stop', command('echo "{\\"systemMessage\\":\\"<$TRACEPARENT>\\"}"'));
    const before = context.active();
    expect((await runner.fire('Stop', SAMPLES.Stop)).systemMessages).toEqual(['<>']);
    expect(active).toEqual([before, undefined]);
  });

  it('OT-11 flush hands on what was recorded, whatever the providers do', async () => {
    const flushed: string[] = [];
    const runner = makeRunner();
    const { flush } = await instrument(runner);
    await flush();
    trace.setGlobalTracerProvider({
      getTracer: () => tracer(),
      forceFlush: async () => {
        flushed.push('spans');
        throw new Error('nobody takes them');
      },
    } as never);
    metrics.setGlobalMeterProvider({ forceFlush: () => void flushed.push('metrics') } as never);
    onTestFinished(() => {
      trace.disable();
      metrics.disable();
    });
    await flush();
    expect(flushed).toEqual(['spans', 'metrics']);
  });
});

describe('metrics', () => {
  it('OT-7 count fires by event and decision, and hooks by event and outcome', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { matcher: 'Bash', name: 'guard' }, () => ({ decision: 'block' }));
    runner.on('PreToolUse', { matcher: 'Bash', name: 'throws' }, () => Promise.reject(new Error('no')));
    await runner.fire('PreToolUse', bash());
    await runner.fire('PreToolUse', bash());
    await runner.fire('PreToolUse', { ...bash(), tool_name: 'Read' });
    await runner.fire('Stop', SAMPLES.Stop);
    await refusalOf(() => untyped(runner).fire('PreToolUse', {}));
    expect(await recorded.points('hookline.fires')).toEqual(
      new Map([
        ['decision=deny event=PreToolUse', 2],
        ['decision=none event=PreToolUse', 1],
        ['decision=none event=Stop', 1],
        ['error.type=invalid_input event=PreToolUse', 1],
      ]),
    );
    expect(await recorded.points('hookline.hook.runs')).toEqual(
      new Map([
        ['event=PreToolUse hook.outcome=success', 2],
        ['error.type=threw event=PreToolUse hook.outcome=error', 2],
      ]),
    );
  });

  it('OT-7 time fires that a hook answered, and hooks, in seconds', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('Stop', command('sleep 0.05', { name: 'sleeps' }));
    const { results } = await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Notification', SAMPLES.Notification);
    const seconds = (results[0]?.durationMs ?? 0) / 1000;
    const hooks = await recorded.points('hookline.hook.duration');
    expect(hooks).toEqual(
      new Map([['event=Stop hook.outcome=success', expect.objectContaining({ count: 1, sum: seconds })]]),
    );
    const fires = await recorded.points('hookline.fire.duration');
    expect([...fires.keys()]).toEqual(['decision=none event=Stop']);
    const [fire] = [...fires.values()] as { count: number; sum: number }[];
    expect(fire?.count).toBe(1);
    expect(fire?.sum).toBeGreaterThanOrEqual(seconds);
    expect(fire?.sum).toBeLessThan(60);
  });
});

describe('content', () => {
  const SECRET = 'the password is swordfish';

  async function fireSecrets(options: Parameters<typeof instrument>[1], runnerOptions: RunnerOptions = {}) {
    const recorded = record();
    const runner = makeRunner(runnerOptions);
    await instrument(runner, options);
    runner.on('PreToolUse', { name: 'rewrites' }, () => ({
      systemMessage: SECRET,
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext: SECRET,
        updatedInput: { command: SECRET },
      },
    }));
    runner.on('PreToolUse', command(`echo '${SECRET}' >&2; exit 2`, { name: 'guard' }));
    runner.on('PreToolUse', { name: 'throws' }, () => {
      throw new Error(SECRET);
    });
    runner.on('PostToolUse', { name: 'stops' }, () => ({
      continue: false,
      stopReason: SECRET,
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: SECRET },
    }));
    await runner.fire('PreToolUse', { ...bash(SECRET), tool_use_id: 'use-1' });
    await runner.fire('PostToolUse', { ...SAMPLES.PostToolUse, tool_response: SECRET });
    await runner.fire('UserPromptSubmit', { prompt: SECRET });
    await refusalOf(() => untyped(runner).fire('PostToolUse', { tool_name: SECRET.length, x: SECRET }));
    return recorded;
  }

  const everythingSaid = (recorded: ReturnType<typeof record>): string =>
    JSON.stringify(
      recorded.spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]),
    );

  it('OT-8 is not recorded: no input, no output, no reason', async () => {
    const recorded = await fireSecrets({});
    expect(recorded.names()).toHaveLength(7);
    expect(everythingSaid(recorded)).not.toContain('swordfish');
    for (const name of ['hookline.fires', 'hookline.hook.runs'])
      expect([...(await recorded.points(name)).keys()].join()).not.toContain('swordfish');
  });

  it('OT-8 is recorded when it is asked for', async () => {
    const recorded = await fireSecrets({ content: true });
    const said = (name: string) => recorded.spans().find((span) => span.name === name);
    expect(said('hookline.fire PreToolUse')?.attributes).toMatchObject({
      'hookline.input': JSON.stringify(bash(SECRET)),
      'hookline.reason': SECRET,
      'hookline.updated_input': JSON.stringify({ command: SECRET }),
      'hookline.additional_context': [SECRET],
      'hookline.system_messages': [SECRET],
    });
    expect(said('hookline.fire PostToolUse')?.attributes).toMatchObject({
      'hookline.stop_reason': SECRET,
      'hookline.updated_output': JSON.stringify(SECRET),
    });
    expect(said('hookline.hook guard')?.attributes).toMatchObject({
      'hookline.hook.output': `${SECRET}\n`,
      'hookline.hook.reason': SECRET,
    });
    expect(said('hookline.hook throws')?.status.message).toContain(SECRET);
  });

  it('OT-8 is cut', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner, { content: true });
    runner.on('UserPromptSubmit', () => ({ decision: 'block', reason: 'r'.repeat(9000) }));
    await runner.fire('UserPromptSubmit', { prompt: 'p'.repeat(9000) });
    const { attributes } = recorded.span('hookline.fire UserPromptSubmit');
    expect(String(attributes['hookline.input'])).toHaveLength(4000);
    expect(String(attributes['hookline.reason'])).toHaveLength(4000);
  });
});

describe('commands', () => {
  const print = (name: string, line = 'echo "{\\"systemMessage\\":\\"$TRACEPARENT $TRACESTATE\\"}"') =>
    command(line, { name });
  const parentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`;

  it('OT-6 get TRACEPARENT, which leads to their own span, at once or in many fires side by side', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { parallel: true }, [print('left'), print('right')]);
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((id) => runner.fire('PreToolUse', { ...bash(), tool_use_id: id })),
    );
    const spans = new Map(
      recorded.spans().map((span) => [span.attributes['hookline.hook.id'], span.spanContext()]),
    );
    for (const { results } of outcomes)
      for (const { hookId, systemMessage } of results)
        expect(systemMessage?.trim()).toBe(parentOf(spans.get(hookId) as SpanContext));
    expect(new Set(outcomes.flatMap(({ systemMessages }) => systemMessages)).size).toBe(6);
  });

  it('OT-6 get ours in place of what this process was started with', async () => {
    for (const name of ['TRACEPARENT', 'TRACESTATE']) {
      process.env[name] = 'of somebody else';
      onTestFinished(() => void delete process.env[name]);
    }
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('Stop', print('prints'));
    const { systemMessages } = await runner.fire('Stop', SAMPLES.Stop);
    expect(systemMessages).toEqual([`${parentOf(recorded.span('hookline.hook prints').spanContext())} `]);
  });

  it('OT-6 get the flags and the state of a trace that is not sampled', async () => {
    const runner = makeRunner();
    record();
    await instrument(runner);
    runner.on('Stop', print('prints'));
    const traceState = createTraceState('vendor=1');
    const parent = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 0, traceState };
    const around = trace.setSpanContext(context.active(), parent);
    const { systemMessages } = await context.with(around, () => runner.fire('Stop', SAMPLES.Stop));
    expect(systemMessages[0]).toMatch(/^00-1{32}-[0-9a-f]{16}-00 vendor=1$/);
  });
});
