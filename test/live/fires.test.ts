/** What a runner fires, seen whole. */
import { describe, expect, it } from 'vitest';
import { command } from '../../src/index.js';
import { until } from '../support/process-harness.js';
import { bash, SAMPLES } from '../support/runner.js';
import { eventsOf, makeGate, makeRunner, openView } from './support.js';

const denies = () => ({ decision: 'block', reason: 'not today' }) as const;

describe('watching a runner', () => {
  it('LV-7 shows a fire with its agent, its call, its hooks and what it came to', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { name: 'first' }, () => undefined);
    runner.on('PreToolUse', { name: 'guard' }, denies);
    await runner.forAgent('ada').fire('PreToolUse', { ...bash(), tool_use_id: 'call-1' });
    const [fire] = eventsOf(live, 'fire');
    expect(fire).toMatchObject({
      agent: 'ada',
      event: 'PreToolUse',
      subject: 'Bash',
      tool: { id: 'call-1', name: 'Bash', input: '{"command":"ls"}' },
    });
    const hooks = eventsOf(live, 'hook');
    expect(hooks.map(({ name, fire: id }) => [name, id])).toEqual([
      ['first', fire?.fire],
      ['guard', fire?.fire],
    ]);
    expect(eventsOf(live, 'fire_end')).toEqual([
      expect.objectContaining({
        fire: fire?.fire,
        decision: 'deny',
        reason: 'not today',
        durationMs: expect.any(Number),
        hooks: [{ hook: hooks[0]?.hook }, { hook: hooks[1]?.hook, decision: 'deny', reason: 'not today' }],
      }),
    ]);
  });

  it('LV-7 tells what else a fire changes', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { name: 'helper' }, () => ({
      systemMessage: 'mind the step',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'ls -l' },
        additionalContext: 'it is late',
      },
    }));
    await runner.fire('PreToolUse', bash());
    expect(eventsOf(live, 'fire_end')[0]?.effects).toEqual([
      'new input: {"command":"ls -l"}',
      'context: it is late',
      'message: mind the step',
    ]);
  });

  it('LV-7 shows nothing of a fire that no hook answers', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { matcher: 'Write' }, denies);
    await runner.fire('PreToolUse', bash());
    expect(eventsOf(live, 'fire')).toEqual([]);
    expect(eventsOf(live, 'fire_end')).toEqual([]);
  });

  it('LV-7 answers every fire as the runner does, its mistakes too', async () => {
    const runner = makeRunner();
    const live = await openView();
    runner.on('PreToolUse', { name: 'guard' }, denies);
    const before = await runner.fire('PreToolUse', bash());
    live.watch(runner);
    const watched = await runner.fire('PreToolUse', bash());
    const plain = ({ results, ...rest }: typeof before) => ({
      ...rest,
      results: results.map(({ hookId: _, durationMs: __, ...result }) => result),
    });
    expect(plain(watched)).toEqual(plain(before));
    await expect(runner.fire('PreToolUse', {} as never)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(runner.fire('Nothing' as never, {} as never)).rejects.toMatchObject({
      code: 'unknown_event',
    });
    expect(eventsOf(live, 'fire_end').map(({ error }) => error?.slice(0, 20))).toEqual([
      undefined,
      expect.any(String),
    ]);
  });

  it('LV-7 leaves the runner as it was, with several views, in any order', async () => {
    const runner = makeRunner();
    const own = Reflect.ownKeys(runner);
    const [one, two] = [await openView(), await openView()];
    const stopOne = one.watch(runner);
    const stopTwo = two.watch(runner);
    runner.on('Stop', { name: 'guard' }, () => undefined);
    stopOne();
    stopOne();
    await runner.fire('Stop', { stop_hook_active: false });
    expect([eventsOf(one, 'hook').length, eventsOf(two, 'hook').length]).toEqual([0, 1]);
    expect(Reflect.ownKeys(runner)).toEqual(own);
    stopTwo();
    await runner.fire('Stop', { stop_hook_active: false });
    expect(eventsOf(two, 'hook')).toHaveLength(1);
    expect(runner.messages.watched).toBe(false);
  });

  it('LV-7 shows nothing more of a fire that goes on when no one watches any more', async () => {
    const runner = makeRunner();
    const live = await openView();
    const stop = live.watch(runner);
    const gate = makeGate();
    runner.on('Stop', { name: 'slow' }, () => gate.opened);
    const fired = runner.fire('Stop', { stop_hook_active: false });
    expect(eventsOf(live, 'hook')).toHaveLength(1);
    stop();
    gate.open();
    await fired;
    expect([eventsOf(live, 'hook_end'), eventsOf(live, 'fire_end')]).toEqual([[], []]);
  });

  it('LV-7 refuses what it cannot watch', async () => {
    const live = await openView();
    for (const wrong of [undefined, null, 'runner', {}])
      expect(() => live.watch(wrong as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    await live.close();
    expect(() => live.watch(makeRunner())).toThrow(expect.objectContaining({ code: 'disposed' }));
  });
});

describe('hooks', () => {
  it('LV-8 belong to their own fire, also when fires go on side by side and within each other', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const gates = { a: makeGate(), b: makeGate() };
    runner.on('PreToolUse', { name: 'waits' }, async (input) => {
      await gates[(input.tool_input as { of: 'a' | 'b' }).of].opened;
    });
    runner.on('PreToolUse', { name: 'fires' }, async (input) => {
      await runner.fire('Notification', { message: String(input.tool_use_id), notification_type: 'x' });
    });
    runner.on('PreToolUse', { name: 'last' }, () => undefined);
    runner.on('Notification', { name: 'inner' }, () => undefined);
    const fires = (['a', 'b'] as const).map((of) =>
      runner.fire('PreToolUse', { ...bash(), tool_input: { of }, tool_use_id: of }),
    );
    gates.b.open();
    await fires[1];
    gates.a.open();
    await fires[0];
    const tools = new Map(eventsOf(live, 'fire').map(({ fire, tool }) => [fire, tool?.id ?? 'inner']));
    const owners = eventsOf(live, 'hook').map(({ name, fire }) => `${tools.get(fire)}: ${name}`);
    expect(owners.toSorted()).toEqual([
      'a: fires',
      'a: last',
      'a: waits',
      'b: fires',
      'b: last',
      'b: waits',
      'inner: inner',
      'inner: inner',
    ]);
  });

  it('LV-8 are shown with their output as it comes, their outcome, their exit code and how long they took', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const gate = makeGate();
    runner.on('Stop', { name: 'slow' }, async (_input, _id, { progress }) => {
      progress('half way\n');
      await gate.opened;
    });
    runner.on('Stop', { name: 'fails' }, command('echo told; echo broken >&2; exit 3'));
    const fired = runner.fire('Stop', { stop_hook_active: false });
    await until(() => eventsOf(live, 'progress').length === 1, 'the progress');
    expect(eventsOf(live, 'progress')[0]?.text).toBe('half way\n');
    expect(eventsOf(live, 'hook_end')).toEqual([]);
    gate.open();
    await fired;
    expect(eventsOf(live, 'hook_end')).toEqual([
      expect.objectContaining({ name: 'slow', outcome: 'success', durationMs: expect.any(Number) }),
      expect.objectContaining({ name: 'fails', outcome: 'error', exitCode: 3, output: 'told\nbroken\n' }),
    ]);
  });

  it('LV-8 tell what they decided: a refusal by exit code is none that failed', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { name: 'exits' }, command('echo no >&2; exit 2'));
    runner.on('PreToolUse', { name: 'returns' }, () => ({ decision: 'block', reason: 'no' }));
    runner.on('PreToolUse', { name: 'fails', onFailure: 'block' }, command('exit 3'));
    runner.on('PreToolUse', { name: 'watches' }, () => undefined);
    await runner.fire('PreToolUse', SAMPLES.PreToolUse);
    expect(
      eventsOf(live, 'hook_end').map(({ name, outcome, decision }) => [name, outcome, decision]),
    ).toEqual([
      ['exits', 'error', 'deny'],
      ['returns', 'success', 'deny'],
      ['fails', 'error', undefined],
      ['watches', 'success', undefined],
    ]);
  });

  it('LV-8 in the background are shown until they have ended', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const gate = makeGate();
    runner.on('PostToolUse', { name: 'later', dialect: 'claude-code' }, () => ({
      async: true,
      result: gate.opened.then(() => ({})),
    }));
    await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    expect(eventsOf(live, 'fire_end')[0]?.hooks).toEqual([expect.objectContaining({ pending: true })]);
    expect(eventsOf(live, 'hook_end')).toEqual([]);
    gate.open();
    await runner.drain();
    expect(eventsOf(live, 'hook_end')).toEqual([expect.objectContaining({ name: 'later' })]);
  });
});
