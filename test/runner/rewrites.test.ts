/** Rewritten inputs and the guards that judge them: who sees what, and that nobody is asked twice. */
import { describe, expect, it } from 'vitest';
import { command, type HookCallback, type Runner } from '../../src/index.js';
import { place, settings } from '../dialects/claude-code/support.js';
import { bash, makeRunner, SAMPLES } from '../support/runner.js';

type Guard = HookCallback<'PreToolUse'>;

const lineOf = (input: { readonly tool_input: unknown }): string =>
  String((input.tool_input as { readonly command?: unknown }).command);

const rewriteTo =
  (line: string): Guard =>
  () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: line } } });

/** Refuses `rm`, and remembers every line that it was shown. */
function guard(): { readonly hook: Guard; readonly seen: string[] } {
  const seen: string[] = [];
  const hook: Guard = (input) => {
    seen.push(lineOf(input));
    return lineOf(input).startsWith('rm') ? { decision: 'block', reason: 'no rm' } : undefined;
  };
  return { hook, seen };
}

describe('a guard and what is rewritten', () => {
  it('OR-5 a guard judges the input that it was shown, once; what a later hook puts in it does not see', async () => {
    const { runner } = makeRunner();
    const { hook, seen } = guard();
    runner.on('PreToolUse', hook);
    runner.on('PreToolUse', rewriteTo('rm x'));
    const outcome = await runner.fire('PreToolUse', bash('ls'));
    expect(outcome).toMatchObject({ updatedInput: { command: 'rm x' } });
    expect([outcome.decision, seen]).toEqual([undefined, ['ls']]);
  });

  const arrangements: readonly (readonly [how: string, register: (runner: Runner, hook: Guard) => void])[] = [
    [
      'before a hook that rewrites',
      (runner, hook) => {
        runner.on('PreToolUse', { last: true }, hook);
        runner.on('PreToolUse', rewriteTo('rm x'));
      },
    ],
    [
      'beside one, where all run in parallel',
      (runner, hook) => {
        runner.on('PreToolUse', { dialect: 'claude-code', last: true }, hook);
        runner.on('PreToolUse', { dialect: 'claude-code' }, rewriteTo('rm x'));
      },
    ],
    [
      'for everybody, where an agent has hooks of its own',
      (runner, hook) => {
        runner.on('PreToolUse', { last: true }, hook);
        runner.forAgent('ada').on('PreToolUse', rewriteTo('rm x'));
      },
    ],
  ];

  it.each(arrangements)(
    'OR-6 with `last` it sees the final input, also when registered %s',
    async (_, register) => {
      const { runner } = makeRunner();
      const { hook, seen } = guard();
      register(runner, hook);
      const outcome = await runner.fire('PreToolUse', bash('ls'), { agentId: 'ada' });
      expect(outcome).toMatchObject({ decision: 'deny', reason: 'no rm' });
      expect(seen).toEqual(['rm x']);
    },
  );

  it('OR-6 a hook with `last` that rewrites has failed: others have judged the input by then', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { last: true }, rewriteTo('rm x'));
    const outcome = await runner.fire('PreToolUse', bash('ls'));
    expect(outcome.failures).toMatchObject([{ kind: 'invalid-output', blocked: false }]);
    expect(outcome).not.toHaveProperty('updatedInput');
    runner.on('PreToolUse', { last: true, onFailure: 'block' }, rewriteTo('rm x'));
    expect((await runner.fire('PreToolUse', bash('ls'))).decision).toBe('deny');
  });

  it('OR-6 one that refuses and rewrites refuses', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { last: true }, () => ({
      decision: 'block',
      reason: 'no',
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls -l' } },
    }));
    const outcome = await runner.fire('PreToolUse', bash('ls'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'no', failures: [] });
    expect(outcome).not.toHaveProperty('updatedInput');
  });

  it('OR-6 an output may be rewritten last', async () => {
    const { runner } = makeRunner();
    runner.on('PostToolUse', { last: true }, () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'no secrets' },
    }));
    expect((await runner.fire('PostToolUse', SAMPLES.PostToolUse)).updatedOutput).toBe('no secrets');
  });

  it('OR-6 `last` is true or false', () => {
    const { runner } = makeRunner();
    expect(() => runner.on('PreToolUse', { last: 'yes' as never }, () => undefined)).toThrow(/last of a/);
  });
});

describe('a condition and what is rewritten', () => {
  const deletes = { type: 'command', command: 'echo no rm >&2; exit 2', if: 'Bash(rm *)' };

  it('OR-7 a hook whose condition only the rewritten input meets runs then, once', async () => {
    const { write, load, runner } = place();
    write('home/settings.json', settings('PreToolUse', deletes));
    const used = runner(await load());
    used.on('PreToolUse', rewriteTo('rm x'));
    const outcome = await used.fire('PreToolUse', bash('ls'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'no rm' });
    expect(outcome.results).toHaveLength(2);
    expect((await used.fire('PreToolUse', bash('rm y'))).results).toHaveLength(2);
  });

  it('OR-7 one whose condition neither input meets does not run', async () => {
    const { write, load, runner } = place();
    write('home/settings.json', settings('PreToolUse', deletes));
    const used = runner(await load());
    expect((await used.fire('PreToolUse', bash('ls'))).results).toHaveLength(0);
    used.on('PreToolUse', rewriteTo('ls -l'));
    expect((await used.fire('PreToolUse', bash('ls'))).results).toHaveLength(1);
  });

  it('OR-7 OR-6 it runs before those that come last, which see what it rewrites', async () => {
    const { write, load, runner } = place();
    const answer = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'rm -i x' } },
    };
    const careful = { type: 'command', command: `echo '${JSON.stringify(answer)}'`, if: 'Bash(rm *)' };
    write('home/settings.json', settings('PreToolUse', careful));
    const used = runner(await load());
    const { hook, seen } = guard();
    used.on('PreToolUse', { last: true }, [hook, () => ({ continue: false }), () => undefined]);
    used.on('PreToolUse', rewriteTo('rm x'));
    const outcome = await used.fire('PreToolUse', bash('ls'));
    expect(seen).toEqual(['rm -i x']);
    expect(outcome.results).toHaveLength(4);
  });
});

describe('the explanation', () => {
  it('OR-5 warns of a guard that may not see the input as it will be used', () => {
    const { runner } = makeRunner();
    const warnings = () => runner.explain('PreToolUse', bash()).hooks.map(({ warning }) => warning);
    runner.on('PreToolUse', { onFailure: 'block' }, command('guard'));
    expect(warnings()).toEqual([undefined]);
    runner.on('PreToolUse', { name: 'later' }, () => undefined);
    expect(warnings()).toEqual([expect.stringMatching(/another hook .* `last: true`/), undefined]);
  });

  it('OR-6 does not where the guard comes last, nor on events whose input cannot be rewritten', () => {
    const { runner } = makeRunner();
    for (const event of ['PreToolUse', 'Stop'] as const) {
      runner.on(event, { onFailure: 'block', last: event === 'PreToolUse' }, command('guard'));
      runner.on(event, () => undefined);
      const { hooks } = runner.explain(event, SAMPLES[event]);
      expect(hooks.map(({ warning }) => warning)).toEqual([undefined, undefined]);
    }
  });
});
