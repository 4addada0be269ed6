/** Fires and hooks as spans: what they say, and whose children they are. */
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { command } from '../../../src/index.js';
import { instrument } from '../../../src/integrations/opentelemetry/index.js';
import { bash, gate, refusalOf, SAMPLES, soon, turns, untyped } from '../../support/runner.js';
import { makeRunner, record } from './support.js';

const tracer = () => trace.getTracer('test');

describe('the span of a fire', () => {
  it('OT-2 says which event, whose, about what, and what it came to', async () => {
    const recorded = record();
    const runner = makeRunner({ sessionId: 'session-1' });
    await instrument(runner);
    runner.on('PreToolUse', { name: 'first' }, () => undefined);
    runner.on('PreToolUse', { name: 'guard' }, () => ({ decision: 'block', reason: 'not today' }));
    await runner.forAgent('ada').fire('PreToolUse', bash());
    const span = recorded.span('hookline.fire PreToolUse');
    expect(span.attributes).toEqual({
      'hookline.event': 'PreToolUse',
      'hookline.subject': 'Bash',
      'gen_ai.conversation.id': 'session-1',
      'gen_ai.agent.id': 'ada',
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.call.id': 'use-1',
      'hookline.hooks': 2,
      'hookline.failures': 0,
      'hookline.pending': 0,
      'hookline.decision': 'deny',
      'hookline.blocked': true,
      'hookline.stopped': false,
      'hookline.aborted': false,
    });
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.instrumentationScope.name).toBe('hookline');
  });

  it('OT-2 says when a hook ends the run, and when the fire was ended', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('SessionStart', () => ({ continue: false, stopReason: 'enough' }));
    await runner.fire('SessionStart', SAMPLES.SessionStart);
    expect(recorded.span('hookline.fire SessionStart').attributes).toMatchObject({
      'hookline.subject': 'startup',
      'hookline.stopped': true,
      'hookline.blocked': false,
    });
    const ending = new AbortController();
    runner.on('Stop', () => {
      ending.abort();
      return new Promise(() => {});
    });
    await runner.fire('Stop', SAMPLES.Stop, { signal: ending.signal });
    const { attributes } = recorded.span('hookline.fire Stop');
    expect(attributes).toMatchObject({ 'hookline.aborted': true, 'hookline.failures': 1 });
    expect(attributes).not.toHaveProperty('hookline.decision');
    expect(attributes).not.toHaveProperty('hookline.subject');
  });

  it('OT-2 is there for fires that a hook answers; for others only when they are asked for', async () => {
    const recorded = record();
    const runner = makeRunner();
    runner.on('PreToolUse', { matcher: 'Write' }, () => undefined);
    const stop = await instrument(runner);
    await runner.fire('PreToolUse', bash());
    await runner.fire('Stop', SAMPLES.Stop);
    expect(recorded.names()).toEqual([]);
    stop();
    await instrument(runner, { emptyFires: true });
    await runner.fire('PreToolUse', bash());
    await runner.fire('Stop', SAMPLES.Stop);
    expect(recorded.names()).toEqual(['hookline.fire PreToolUse', 'hookline.fire Stop']);
    expect(recorded.spans()[0]?.attributes).toMatchObject({ 'hookline.hooks': 0, 'hookline.blocked': false });
  });

  it('OT-2 is a child of what its caller does, and takes names only as far as they are names', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { name: 'hook' }, () => undefined);
    await tracer().startActiveSpan('turn', async (span) => {
      await runner.fire('PreToolUse', { ...bash(), tool_name: 'x'.repeat(5000) });
      span.end();
    });
    await runner.fire('PreToolUse', bash());
    expect(recorded.tree()).toEqual([
      'turn > hookline.fire PreToolUse > hookline.hook hook',
      'turn > hookline.fire PreToolUse',
      'turn',
      'hookline.fire PreToolUse > hookline.hook hook',
      'hookline.fire PreToolUse',
    ]);
    expect(String(recorded.spans()[1]?.attributes['gen_ai.tool.name'])).toHaveLength(200);
  });

  it('OT-4 has the code of the mistake when it was refused', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', () => undefined);
    await refusalOf(() => untyped(runner).fire('PreToolUse', { tool_name: 5 }));
    await refusalOf(() => untyped(runner).fire('Whatever a caller makes up', {}));
    expect(recorded.names()).toEqual(['hookline.fire PreToolUse', 'hookline.fire _OTHER']);
    expect(recorded.spans().map(({ status }) => status)).toEqual([
      { code: SpanStatusCode.ERROR },
      { code: SpanStatusCode.ERROR },
    ]);
    expect(recorded.spans().map(({ attributes }) => attributes['error.type'])).toEqual([
      'invalid_input',
      'unknown_event',
    ]);
  });
});

describe('the span of a hook', () => {
  it('OT-3 says its name, its kind, how it ended, and what it decided', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { name: 'callback' }, () => undefined);
    runner.on('PreToolUse', command('echo no >&2; exit 2', { name: 'guard' }));
    const { results } = await runner.fire('PreToolUse', bash());
    expect(recorded.span('hookline.hook callback').attributes).toEqual({
      'hookline.event': 'PreToolUse',
      'hookline.hook.id': results[0]?.hookId,
      'hookline.hook.name': 'callback',
      'hookline.hook.kind': 'callback',
      'hookline.hook.outcome': 'success',
      'hookline.hook.timed_out': false,
    });
    const guard = recorded.span('hookline.hook guard');
    expect(guard.attributes).toMatchObject({
      'hookline.hook.id': results[1]?.hookId,
      'hookline.hook.kind': 'command',
      'hookline.hook.outcome': 'error',
      'hookline.hook.exit_code': 2,
      'hookline.hook.decision': 'deny',
    });
    // It refuses, as it should: that is no failure.
    expect(guard.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(recorded.tree()).toEqual([
      'hookline.fire PreToolUse > hookline.hook callback',
      'hookline.fire PreToolUse > hookline.hook guard',
      'hookline.fire PreToolUse',
    ]);
  });

  it('OT-4 has the status error and the kind of the failure when the hook failed', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('Stop', { name: 'throws' }, () => {
      throw new Error('my token is 12345');
    });
    runner.on('Stop', { name: 'hangs', timeout: 0.02 }, () => new Promise(() => {}));
    runner.on('Stop', command('exit 3', { name: 'exits' }));
    runner.on('Stop', command('sleep 60', { name: 'sleeps', timeout: 0.05 }));
    await runner.fire('Stop', SAMPLES.Stop);
    const told = (name: string) => {
      const { status, attributes } = recorded.span(`hookline.hook ${name}`);
      const { 'error.type': type, 'hookline.hook.timed_out': timedOut } = attributes;
      return [status, type, timedOut, attributes['hookline.hook.exit_code']];
    };
    const error = { code: SpanStatusCode.ERROR };
    expect(told('throws')).toEqual([error, 'threw', false, undefined]);
    expect(told('hangs')).toEqual([error, 'timed-out', true, undefined]);
    expect(told('exits')).toEqual([error, 'exit-code', false, 3]);
    expect(told('sleeps')).toEqual([error, 'timed-out', true, undefined]);
    const fire = recorded.span('hookline.fire Stop');
    expect([fire.status.code, fire.attributes['hookline.failures']]).toEqual([SpanStatusCode.UNSET, 4]);
  });

  it('OT-9 of one in the background ends when it has ended, within its fire', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    const late = gate<object>();
    runner.on('PostToolUse', { name: 'later', dialect: 'claude-code' }, () => ({
      async: true,
      result: late.passed,
    }));
    await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    expect(recorded.names()).toEqual(['hookline.fire PostToolUse']);
    expect(recorded.spans()[0]?.attributes['hookline.pending']).toBe(1);
    late.open({});
    await soon(runner.drain());
    expect(recorded.tree()).toEqual([
      'hookline.fire PostToolUse',
      'hookline.fire PostToolUse > hookline.hook later',
    ]);
    expect(recorded.span('hookline.hook later').attributes).toMatchObject({
      'hookline.hook.background': true,
      'hookline.hook.outcome': 'success',
    });
  });

  it('OT-9 of a command in the background ends with it too, also when the runner is disposed', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    const line = `echo '{"async":true}'; sleep 60`;
    runner.on('PostToolUse', { dialect: 'claude-code' }, command(line, { name: 'sleeps' }));
    await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    expect(recorded.names()).toEqual(['hookline.fire PostToolUse']);
    await runner.dispose();
    expect(recorded.span('hookline.hook sleeps').attributes).toMatchObject({
      'hookline.hook.background': true,
      'hookline.hook.outcome': 'cancelled',
      'error.type': 'aborted',
    });
  });
});

describe('the context', () => {
  it('OT-5 what a callback traces is a child of its span, whatever goes on beside it', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    const gates = { a: gate(), b: gate() };
    const traced = (name: string) => async (input: unknown) => {
      const { tool_use_id: id } = input as { tool_use_id: 'a' | 'b' };
      await gates[id].passed;
      await turns(1);
      tracer().startSpan(`${name} of ${id}`).end();
    };
    runner.on('PreToolUse', { name: 'one' }, traced('work one'));
    runner.on('PreToolUse', { name: 'hangs', timeout: 0.02 }, () => new Promise(() => {}));
    runner.on('PreToolUse', { name: 'two' }, traced('work two'));
    runner.on('PreToolUse', { parallel: true }, [
      { type: 'callback', name: 'left', callback: traced('work left') },
      { type: 'callback', name: 'right', callback: traced('work right') },
    ]);
    const fires = (['a', 'b'] as const).map((id) =>
      tracer().startActiveSpan(`call ${id}`, async (span) => {
        await runner.fire('PreToolUse', { ...bash(), tool_use_id: id });
        expect(trace.getActiveSpan()).toBe(span);
        span.end();
      }),
    );
    gates.b.open();
    await fires[1];
    gates.a.open();
    await fires[0];
    const work = recorded.tree().filter((path) => path.includes('work'));
    const expected = ['a', 'b'].flatMap((id) =>
      ['one', 'two', 'left', 'right'].map(
        (name) => `call ${id} > hookline.fire PreToolUse > hookline.hook ${name} > work ${name} of ${id}`,
      ),
    );
    expect(work.toSorted()).toEqual(expected.toSorted());
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it('OT-5 a fire within a hook is a child of that hook', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { name: 'outer' }, async () => {
      await turns(1);
      await runner.fire('Notification', SAMPLES.Notification);
    });
    runner.on('Notification', { name: 'inner' }, () => undefined);
    await runner.fire('PreToolUse', bash());
    expect(recorded.tree()).toContain(
      'hookline.fire PreToolUse > hookline.hook outer > hookline.fire Notification > hookline.hook inner',
    );
  });

  it('OT-5 many fires at once keep their hooks apart', async () => {
    const recorded = record();
    const runner = makeRunner();
    await instrument(runner);
    runner.on('PreToolUse', { name: 'hook' }, async (input) => {
      await turns(Number(input.tool_use_id) % 3);
      tracer().startSpan(`work ${input.tool_use_id}`).end();
    });
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => runner.fire('PreToolUse', { ...bash(), tool_use_id: String(i) })),
    );
    const spans = recorded.spans();
    const calls = new Map(
      spans.map((span) => [span.attributes['gen_ai.tool.call.id'], span.spanContext().traceId]),
    );
    const traces = Array.from(
      { length: 50 },
      (_, i) => [calls.get(String(i)), recorded.span(`work ${i}`).spanContext().traceId] as const,
    );
    for (const [fire, work] of traces) expect(work).toBe(fire);
    expect(new Set(traces.map(([fire]) => fire)).size).toBe(50);
  });
});
