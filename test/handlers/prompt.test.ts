import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/dialects/claude-code/event-columns.js';
import { HOOK_EVENTS, rowOf } from '../../src/events/registry.js';
import type { HookEvent } from '../../src/events/types.js';
import type { PromptOptions } from '../../src/handlers/prompt.js';
import { interpret, judge, makeRun, says } from './support.js';

const NO = '{"ok": false, "reason": "it deletes things"}';

describe('what the model is asked', () => {
  it('PR-1 the prompt, with the input as JSON in the place of every $ARGUMENTS', async () => {
    const model = says('{"ok":true}');
    const run = makeRun({ tool_name: 'Bash' });
    await judge(model, { prompt: 'One: $ARGUMENTS. Two: $ARGUMENTS.' }, run);
    const json = JSON.stringify(run.input);
    expect(model.requests[0]?.prompt).toBe(`One: ${json}. Two: ${json}.`);
  });

  it('PR-1 without a place for it, the input comes at the end', async () => {
    const model = says('{"ok":true}');
    const run = makeRun();
    await judge(model, { prompt: 'Is it safe?' }, run);
    expect(model.requests[0]?.prompt).toBe(`Is it safe?\n\n${JSON.stringify(run.input)}`);
  });

  it('PR-1 an input that holds a placeholder or a replacement pattern is still data', async () => {
    const model = says('{"ok":true}');
    const run = makeRun({ text: "$ARGUMENTS $& $' $` $1 $$" });
    await judge(model, { prompt: '<$ARGUMENTS>' }, run);
    expect(model.requests[0]?.prompt).toBe(`<${JSON.stringify(run.input)}>`);
  });

  it('PR-2 it is told the kind, the event, the input, and the model only where the author names one', async () => {
    const model = says('{"ok":true}');
    await judge(model, { kind: 'agent', model: 'small' }, makeRun({ tool_name: 'Bash' }));
    await judge(model);
    expect(model.requests[0]).toMatchObject({
      kind: 'agent',
      model: 'small',
      event: 'PreToolUse',
      input: { tool_name: 'Bash', hook_event_name: 'PreToolUse' },
      signal: expect.any(AbortSignal),
    });
    expect(model.requests[1]).not.toHaveProperty('model');
  });

  it('PR-2 what it changes in the input, nobody else sees', async () => {
    const run = makeRun({ tool_input: { command: 'ls' } });
    await judge(
      {
        complete: async ({ input }) => {
          (input['tool_input'] as Record<string, unknown>)['command'] = 'rm';
          return '{"ok":true}';
        },
      },
      {},
      run,
    );
    expect(run.input['tool_input']).toEqual({ command: 'ls' });
  });
});

describe('what its answer means', () => {
  it.each([
    '{"ok":true}',
    ' \n{ "ok" : true }\n',
    '```json\n{"ok":true}\n```',
    '```\n{"ok":true}\n```\n',
    '{"ok":true,"reason":"fine"}',
    '\ufeff{"ok":true}',
  ])('PR-3 %j is no opinion', async (answer) => {
    const completion = await judge(says(answer));
    expect(completion).toEqual({ kind: 'returned', output: undefined });
    expect(interpret('PreToolUse', completion)).toEqual({ outcome: 'success' });
  });

  it.each([
    ['yes', 'not a JSON object'],
    ['', 'not a JSON object'],
    ['{"ok":"true"}', '`ok`'],
    ['{"ok":0,"reason":"no"}', '`ok`'],
    ['{"decision":"block"}', '`ok`'],
    ['{"ok":false,"reason":7}', '`reason`'],
    ['{"ok":false,"reason":"x","impossible":"yes"}', '`impossible`'],
    ['[{"ok":true}]', 'array'],
    ['{"ok":true} {"ok":false}', 'two JSON documents'],
    ['Sure: {"ok":true}', 'text before'],
    ['```json\n{"ok":true}', 'not a JSON object'],
    ['```js x\n{"ok":true}\n```', 'not a JSON object'],
    ['``````', 'not a JSON object'],
    [undefined, 'undefined'],
    [{ ok: true }, 'object'],
  ])('PR-4 %j is a failure, nothing is guessed', async (answer, why) => {
    const completion = await judge(says(answer));
    expect(completion.kind).toBe('threw');
    const { failure, decision } = interpret('PreToolUse', completion);
    expect(failure?.message).toContain(why);
    expect(failure?.message).toContain('expected {"ok": true}');
    expect(decision).toBeUndefined();
  });

  it('PR-5 a refusal without a reason is a refusal', async () => {
    const verdict = interpret('PreToolUse', await judge(says('{"ok":false}')));
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('no reason') });
  });

  const ends = new Set(['tool', 'feedback', 'idling']);
  const refuse = async (event: HookEvent, options: Partial<PromptOptions> = {}) =>
    interpret(event, await judge(says(NO), options, makeRun({}, { event })));

  it.each(HOOK_EVENTS)('PR-5 on %s a refusal blocks with the reason', async (event) => {
    expect(await refuse(event)).toMatchObject({
      outcome: 'success',
      decision: 'deny',
      reason: expect.stringContaining('it deletes things'),
    });
  });

  it.each(HOOK_EVENTS)(
    'PR-6 on %s a prompt ends the run only where the table says what it blocks',
    async (event) => {
      const verdict = await refuse(event);
      if (ends.has(rowOf(event).blocks) && columnsOf(event).honoursContinueFalse)
        expect(verdict).toMatchObject({ continue: false, stopReason: 'it deletes things' });
      else expect(verdict).not.toHaveProperty('continue');
    },
  );

  it.each(HOOK_EVENTS)('PR-6 on %s neither `continueOnBlock` nor an agent ends the run', async (event) => {
    for (const options of [{ continueOnBlock: true }, { kind: 'agent' }] as const) {
      const verdict = await refuse(event, options);
      expect(verdict.decision).toBe('deny');
      expect(verdict).not.toHaveProperty('continue');
    }
  });

  it('PR-6 where stopping is refused the condition and the reason are the next instruction', async () => {
    expect(await refuse('Stop')).toEqual({
      outcome: 'success',
      decision: 'deny',
      reason: expect.stringMatching(/^\[.+\]: it deletes things$/s),
    });
  });

  it('PR-7 a condition that can never be met lets the agent stop', async () => {
    const answer = '{"ok":false,"reason":"there are no tests","impossible":true}';
    const at = async (event: HookEvent, kind: 'prompt' | 'agent') =>
      interpret(event, await judge(says(answer), { kind }, makeRun({}, { event })));
    expect(await at('Stop', 'prompt')).toEqual({
      outcome: 'success',
      systemMessage: expect.stringContaining('there are no tests'),
      systemMessageFor: 'people',
    });
    expect((await at('SubagentStop', 'prompt')).decision).toBeUndefined();
    expect((await at('Stop', 'agent')).decision).toBe('deny');
    expect((await at('PreToolUse', 'prompt')).decision).toBe('deny');
  });
});
