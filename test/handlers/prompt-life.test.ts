import { describe, expect, it } from 'vitest';
import { CANCELLED } from '../../src/handlers/cancellation.js';
import { nextDepth } from '../../src/handlers/depth.js';
import { checkPromptOptions, type HookModel } from '../../src/handlers/prompt.js';
import { gate } from '../support/runner.js';
import { judge, makeRun, says } from './support.js';

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

  it('PR-8 a fire that has ended asks no model', async () => {
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
        depth = nextDepth(8);
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
