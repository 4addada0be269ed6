import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, rowOf } from '../../src/events/schemas.js';
import type { HookEvent } from '../../src/events/types.js';
import { CANCELLED } from '../../src/hooks/cancellation.js';
import type { Completion } from '../../src/hooks/completion.js';
import { nextDepth } from '../../src/hooks/depth.js';
import {
  checkPromptOptions,
  type HookModel,
  type HookModelRequest,
  type PromptOptions,
  promptHook,
} from '../../src/hooks/prompt.js';
import { gate } from '../support/runner.js';
import { interpret, type MadeRun, makeRun } from './support.js';

/** A model that always says the same, and remembers what it was asked. */
function says(answer: unknown): HookModel & { readonly requests: HookModelRequest[] } {
  const requests: HookModelRequest[] = [];
  return {
    requests,
    complete: async (request) => {
      requests.push(request);
      return answer as string;
    },
  };
}

const judge = async (
  model: HookModel,
  options: Partial<PromptOptions> = {},
  run: MadeRun = makeRun(),
): Promise<Completion> =>
  promptHook({ kind: 'prompt', prompt: 'Is it safe? $ARGUMENTS', ...options }, model)(run);

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

  it('PR-1 an input that holds a placeholder or a replacement pattern is data all the same', async () => {
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
    ['yes', 'no JSON object'],
    ['', 'no JSON object'],
    ['{"ok":"true"}', '`ok`'],
    ['{"ok":0,"reason":"no"}', '`ok`'],
    ['{"decision":"block"}', '`ok`'],
    ['{"ok":false,"reason":7}', '`reason`'],
    ['{"ok":false,"reason":"x","impossible":"yes"}', '`impossible`'],
    ['[{"ok":true}]', 'array'],
    ['{"ok":true} {"ok":false}', 'two JSON documents'],
    ['Sure: {"ok":true}', 'text before'],
    ['```json\n{"ok":true}', 'no JSON object'],
    ['```js x\n{"ok":true}\n```', 'no JSON object'],
    ['``````', 'no JSON object'],
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
      if (ends.has(rowOf(event).blocks))
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

  it('PR-6 where stopping is refused the reason is the next instruction, as it was given', async () => {
    expect(await refuse('Stop')).toEqual({
      outcome: 'success',
      decision: 'deny',
      reason: 'it deletes things',
    });
  });

  it('PR-7 a condition that can never be met lets the agent stop', async () => {
    const answer = '{"ok":false,"reason":"there are no tests","impossible":true}';
    const at = async (event: HookEvent, kind: 'prompt' | 'agent') =>
      interpret(event, await judge(says(answer), { kind }, makeRun({}, { event })));
    expect(await at('Stop', 'prompt')).toEqual({
      outcome: 'success',
      systemMessage: expect.stringContaining('there are no tests'),
    });
    expect((await at('SubagentStop', 'prompt')).decision).toBeUndefined();
    expect((await at('Stop', 'agent')).decision).toBe('deny');
    expect((await at('PreToolUse', 'prompt')).decision).toBe('deny');
  });
});

describe('its life', () => {
  it('PR-8 the deadline ends it and its signal aborts, whatever the model does then', async () => {
    const aborted = gate();
    const late = gate<string>();
    const model: HookModel = {
      complete: ({ signal }) => {
        signal.addEventListener('abort', () => aborted.open());
        return late.passed;
      },
    };
    expect(await judge(model, {}, makeRun({}, { timeoutMs: 30 }))).toEqual({
      kind: 'timed-out',
      timeoutMs: 30,
    });
    await aborted.passed;
    late.fail(new Error('too late to matter'));
  });

  it('PR-8 so does the end of the fire', async () => {
    const asked = gate<AbortSignal>();
    const run = makeRun();
    const completion = judge(
      {
        complete: ({ signal }) => {
          asked.open(signal);
          return new Promise(() => {});
        },
      },
      {},
      run,
    );
    const signal = await asked.passed;
    expect(signal.aborted).toBe(false);
    run.cancellation.cancel();
    expect(await completion).toEqual({ kind: 'aborted' });
    expect(signal.aborted).toBe(true);
  });

  it('PR-8 a fire that has ended asks nobody', async () => {
    const model = says('{"ok":true}');
    expect(await judge(model, {}, makeRun({}, { cancellation: CANCELLED }))).toEqual({ kind: 'aborted' });
    expect(model.requests).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no key');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no key'))],
  ])('PR-8 a model that %s is a value', async (_, complete) => {
    expect(await judge({ complete })).toMatchObject({ kind: 'threw', error: { message: 'no key' } });
  });

  it('PR-9 an agent that fires hooks itself counts as nested', async () => {
    let depth = 0;
    const model: HookModel = {
      complete: async () => {
        depth = nextDepth();
        return '{"ok":true}';
      },
    };
    await judge(model, { kind: 'agent' }, makeRun({}, { depth: 3 }));
    expect(depth).toBe(4);
  });
});

describe('registration', () => {
  it('PR-10 takes what Claude settings have', () => {
    const fields = { type: 'prompt', prompt: 'Safe?', model: 'small', continueOnBlock: true, timeout: 30 };
    expect(checkPromptOptions('Stop', 'prompt', fields)).toEqual({
      kind: 'prompt',
      prompt: 'Safe?',
      model: 'small',
      continueOnBlock: true,
    });
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: ' ' }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: 'x', model: 7 }, 'model'],
    [{ prompt: 'x', continueOnBlock: 'yes' }, 'continueOnBlock'],
  ])('PR-10 refuses %j', (fields, named) => {
    expect(() => checkPromptOptions('Stop', 'agent', fields)).toThrow(
      expect.objectContaining({ code: 'invalid_hook', message: expect.stringContaining(named) }),
    );
  });
});
