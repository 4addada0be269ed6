import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HookCallback, Runner } from '../../src/index.js';
import { bash, gate, hasSettled, makeRunner, SAMPLES, turns, watchProcess } from '../support/runner.js';

watchProcess();

/** A hook that appends a letter to the command it sees. */
const append =
  (letter: string): HookCallback<'PreToolUse'> =>
  (input) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: { command: (input.tool_input as { command: string }).command + letter },
    },
  });

const commandOf = (input: unknown): unknown => (input as { command: unknown }).command;

describe('sequential groups', () => {
  it('OR-1 groups and their hooks run one after another in registration order', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    const hook = (name: string) => async () => {
      log.push(`+${name}`);
      await turns(1);
      log.push(`-${name}`);
    };
    runner.on('Stop', [hook('a'), hook('b')]);
    runner.on('Stop', hook('c'));
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['+a', '-a', '+b', '-b', '+c', '-c']);
  });

  it('OR-1 a hook that does not answer holds up the next one, not another fire', async () => {
    const { runner } = makeRunner();
    const first = gate();
    const log: string[] = [];
    runner.on('Stop', () => first.passed);
    runner.on('Stop', () => void log.push('stop'));
    runner.on('PreToolUse', () => void log.push('tool'));
    const held = runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('PreToolUse', bash());
    expect(log).toEqual(['tool']);
    first.open();
    await held;
    expect(log).toEqual(['tool', 'stop']);
  });

  it('OR-1 `sequential: true` says what is the rule anyway', async () => {
    const { runner } = makeRunner();
    const first = gate();
    let started = false;
    runner.on('Stop', { sequential: true }, [
      () => first.passed,
      () => {
        started = true;
      },
    ]);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    expect(started).toBe(false);
    first.open();
    await fired;
    expect(started).toBe(true);
  });

  it('OR-1 a fire that waits for nothing does not hold up the caller', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.on('Stop', () => void log.push('hook'));
    const fired = runner.fire('Stop', SAMPLES.Stop).then(() => log.push('outcome'));
    log.push('caller');
    await fired;
    expect(log.at(-1)).toBe('outcome');
  });
});

describe('parallel groups', () => {
  it('OR-2 all hooks start at once and the fire waits for all of them', async () => {
    const { runner } = makeRunner();
    const gates = [gate(), gate(), gate()];
    const started: number[] = [];
    const hooks = gates.map((each, i) => () => {
      started.push(i);
      return each.passed;
    });
    runner.on('Stop', { parallel: true }, hooks);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    expect(started).toEqual([0, 1, 2]);
    gates[2]?.open();
    gates[0]?.open();
    expect(await hasSettled(fired)).toBe(false);
    gates[1]?.open();
    expect((await fired).results).toHaveLength(3);
  });

  it('OR-2 results and everything folded from them keep the order of registration', async () => {
    const { runner } = makeRunner();
    const gates = [gate(), gate(), gate()];
    const finished: number[] = [];
    const hooks = gates.map((each, i) => async () => {
      await each.passed;
      finished.push(i);
      return { decision: 'block', reason: `reason ${i}`, systemMessage: `message ${i}` } as const;
    });
    runner.on('PreToolUse', { parallel: true }, hooks);
    const fired = runner.fire('PreToolUse', bash());
    for (const each of gates.toReversed()) {
      each.open();
      await turns();
    }
    const outcome = await fired;
    expect(finished).toEqual([2, 1, 0]);
    expect(outcome.results.map((result) => result.reason)).toEqual(['reason 0', 'reason 1', 'reason 2']);
    expect(outcome.systemMessages).toEqual(['message 0', 'message 1', 'message 2']);
    expect(outcome.reason).toBe('reason 0');
  });

  it('OR-2 a group after a parallel one waits for the whole of it', async () => {
    const { runner } = makeRunner();
    const slow = gate();
    const log: string[] = [];
    runner.on('Stop', { parallel: true }, [() => void log.push('fast'), () => slow.passed]);
    runner.on('Stop', () => void log.push('next'));
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    expect(log).toEqual(['fast']);
    slow.open();
    await fired;
    expect(log).toEqual(['fast', 'next']);
  });

  it('OR-2 two neighbouring parallel groups still run one after the other', async () => {
    const { runner } = makeRunner();
    const slow = gate();
    let started = false;
    runner.on('Stop', { parallel: true }, () => slow.passed);
    runner.on('Stop', { parallel: true }, () => {
      started = true;
    });
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    expect(started).toBe(false);
    slow.open();
    await fired;
    expect(started).toBe(true);
  });

  it('OR-2 a failing sibling changes nothing for the others', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { parallel: true }, [
      () => {
        throw new Error('one');
      },
      async () => ({ decision: 'approve' }) as const,
      () => Promise.reject(new Error('three')),
    ]);
    const { results, decision } = await runner.fire('PreToolUse', bash());
    expect(results.map((result) => result.outcome)).toEqual(['error', 'success', 'error']);
    expect(decision).toBe('allow');
  });

  it('OR-1 OR-2 results are in registration order whatever finishes when', async () => {
    const plans = fc.array(fc.record({ parallel: fc.boolean(), size: fc.integer({ min: 0, max: 4 }) }), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(plans, fc.infiniteStream(fc.nat()), async (groups, dice) => {
        const runner = new Runner();
        const expected: string[] = [];
        const gates: ReturnType<typeof gate<void>>[] = [];
        for (const { parallel, size } of groups) {
          const hooks = Array.from({ length: size }, () => {
            const own = gate();
            const name = `hook ${expected.length}`;
            expected.push(name);
            gates.push(own);
            return async () => {
              await own.passed;
              return { reason: name };
            };
          });
          runner.on('Stop', { parallel }, hooks);
        }
        const fired = runner.fire('Stop', SAMPLES.Stop);
        while (gates.length > 0) {
          const picked = gates.splice(dice.next().value % gates.length, 1)[0];
          picked?.open();
          await Promise.resolve();
        }
        expect((await fired).results.map((result) => result.reason)).toEqual(expected);
        await runner.dispose();
      }),
      { numRuns: 60 },
    );
  });
});

describe('continue: false', () => {
  it('OR-3 ends its own group at once; later groups still run', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.on('PreToolUse', [
      () => void log.push('a1'),
      () => ({ continue: false, stopReason: 'enough' }),
      () => void log.push('a3'),
    ]);
    runner.on('PreToolUse', () => void log.push('b1'));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(log).toEqual(['a1', 'b1']);
    expect(outcome.results).toHaveLength(3);
    expect(outcome).toMatchObject({ continue: false, stopReason: 'enough' });
  });

  it('OR-3 a hook that was left out has no messages', async () => {
    const { runner, record } = makeRunner();
    runner.on('Stop', [() => ({ continue: false }), () => undefined]);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started', 'hook_response']);
  });

  it('OR-3 parallel siblings finish, and their answers count', async () => {
    const { runner } = makeRunner();
    const slow = gate();
    runner.on('PreToolUse', { parallel: true }, [
      () => ({ continue: false }),
      async () => {
        await slow.passed;
        return { decision: 'block', reason: 'sibling' } as const;
      },
    ]);
    const fired = runner.fire('PreToolUse', bash());
    await turns();
    slow.open();
    const outcome = await fired;
    expect(outcome.results).toHaveLength(2);
    expect(outcome).toMatchObject({ continue: false, decision: 'deny', reason: 'sibling' });
  });

  it('OR-3 `continue: true` ends nothing', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', [() => ({ continue: true }), () => ({ continue: true })]);
    const outcome = await runner.fire('Stop', SAMPLES.Stop);
    expect(outcome.results).toHaveLength(2);
    expect(outcome.continue).toBe(true);
  });

  it('OR-3 a failure does not end a group', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    let ran = false;
    runner.on('PreToolUse', [
      () => Promise.reject(new Error('no')),
      () => {
        ran = true;
      },
    ]);
    await runner.fire('PreToolUse', bash());
    expect(ran).toBe(true);
  });

  it('OR-3 a deny does not end a group: every guard is asked', async () => {
    const { runner } = makeRunner();
    let asked = 0;
    const guard = () => {
      asked += 1;
      return { decision: 'block' } as const;
    };
    runner.on('PreToolUse', [guard, guard]);
    await runner.fire('PreToolUse', bash());
    expect(asked).toBe(2);
  });
});

describe('rewritten inputs and outputs', () => {
  it('OR-4 each sequential hook sees what the hooks before it left, across groups', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', [append('a'), append('b')]);
    runner.on('PreToolUse', (input) => void seen.push(commandOf(input.tool_input)));
    runner.on('PreToolUse', append('c'));
    const input = bash('x');
    const outcome = await runner.fire('PreToolUse', input);
    expect(seen).toEqual(['xab']);
    expect(outcome.updatedInput).toEqual({ command: 'xabc' });
    expect(input).toEqual(bash('x'));
  });

  it('OR-4 a rewritten input replaces the whole of it, never field by field', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { other: 1 } },
    }));
    runner.on('PreToolUse', (input) => void seen.push(JSON.parse(JSON.stringify(input.tool_input))));
    await runner.fire('PreToolUse', bash());
    expect(seen).toEqual([{ other: 1 }]);
  });

  it('OR-4 the rest of the input stays as it was', async () => {
    const { runner } = makeRunner({ sessionId: 'session' });
    const seen: unknown[] = [];
    runner.on('PreToolUse', append('!'));
    runner.on('PreToolUse', (input) => void seen.push(JSON.parse(JSON.stringify(input))));
    await runner.fire('PreToolUse', { ...bash(), prompt_id: 'p' });
    expect(seen).toEqual([
      expect.objectContaining({
        session_id: 'session',
        prompt_id: 'p',
        tool_name: 'Bash',
        tool_use_id: 'use-1',
        tool_input: { command: 'ls!' },
      }),
    ]);
  });

  it('OR-4 parallel hooks all see the same input, the next group sees the last rewrite in plan order', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    const first = gate();
    const see = (input: { tool_input: unknown }): void => void seen.push(commandOf(input.tool_input));
    runner.on('PreToolUse', append('0'));
    runner.on('PreToolUse', { parallel: true }, [
      async (input) => {
        see(input);
        await first.passed;
        return append('slow')(input, undefined, undefined as never);
      },
      (input, id, context) => {
        see(input);
        return append('last')(input, id, context);
      },
      see,
    ]);
    runner.on('PreToolUse', see);
    const fired = runner.fire('PreToolUse', bash('x'));
    await turns();
    first.open();
    const outcome = await fired;
    expect(seen).toEqual(['x0', 'x0', 'x0', 'x0last']);
    expect(outcome.updatedInput).toEqual({ command: 'x0last' });
    expect(outcome.notes.map((note) => note.message)).toEqual([
      'its rewritten input replaces that of a hook that ran in parallel',
    ]);
  });

  it('OR-4 a hook that fails rewrites nothing', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', append('a'));
    runner.on('PreToolUse', (input) => {
      (input.tool_input as { command: string }).command = 'rm -rf /';
      throw new Error('after changing its input');
    });
    runner.on('PreToolUse', (input) => void seen.push(commandOf(input.tool_input)));
    const outcome = await runner.fire('PreToolUse', bash('x'));
    expect(seen).toEqual(['xa']);
    expect(outcome.updatedInput).toEqual({ command: 'xa' });
  });

  it('OR-4 a permission hook that allows with another input hands it on', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PermissionRequest', () => ({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: { command: 'ls -a' } },
      },
    }));
    runner.on('PermissionRequest', (input) => void seen.push(commandOf(input.tool_input)));
    const outcome = await runner.fire('PermissionRequest', SAMPLES.PermissionRequest);
    expect(seen).toEqual(['ls -a']);
    expect(outcome).toMatchObject({ decision: 'allow', updatedInput: { command: 'ls -a' } });
  });

  it.each(['updatedToolOutput', 'updatedMCPToolOutput'] as const)(
    'OR-4 %s is what the next PostToolUse hook sees as tool_response',
    async (field) => {
      const { runner } = makeRunner();
      const redact =
        (letter: string): HookCallback<'PostToolUse'> =>
        (input) => ({
          hookSpecificOutput: { hookEventName: 'PostToolUse', [field]: `${input.tool_response}${letter}` },
        });
      runner.on('PostToolUse', [redact('a'), redact('b')]);
      runner.on('PostToolUse', redact('c'));
      const outcome = await runner.fire('PostToolUse', { ...SAMPLES.PostToolUse, tool_response: 'x' });
      expect(outcome.updatedOutput).toBe('xabc');
    },
  );

  it.each([
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['an empty text', ''],
    ['an empty list', []],
  ])('OR-4 ME-8 an output rewritten to %s is a rewritten output', async (_, value) => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PostToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: value },
    }));
    runner.on('PostToolUse', (input) => void seen.push(JSON.stringify(input.tool_response)));
    const outcome = await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    expect(seen).toEqual([JSON.stringify(value)]);
    expect(outcome.updatedOutput).toEqual(value);
  });

  it('OR-4 a rewrite lasts for its own fire only', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', (input) => void seen.push(commandOf(input.tool_input)));
    runner.on('PreToolUse', append('!'));
    const input = bash('x');
    await runner.fire('PreToolUse', input);
    await runner.fire('PreToolUse', input);
    expect(seen).toEqual(['x', 'x']);
  });

  it('OR-4 the rewritten input does not change which hooks run', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.on('PreToolUse', { matcher: 'Bash' }, (input) => {
      Object.assign(input, { tool_name: 'Edit' });
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { tool_name: 'Edit' } } };
    });
    runner.on('PreToolUse', { matcher: 'Bash' }, () => void log.push('Bash'));
    runner.on('PreToolUse', { matcher: 'Edit' }, () => void log.push('Edit'));
    await runner.fire('PreToolUse', bash());
    expect(log).toEqual(['Bash']);
  });
});
