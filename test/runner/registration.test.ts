import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookWarning, Runner, type RunnerOptions } from '../../src/index.js';
import { bash, makeRunner, refusalOf, SAMPLES, untyped, watchProcess } from '../support/runner.js';

watchProcess();

/** Hooks that leave their name in a list. */
function namers(): { log: string[]; says: (name: string) => () => undefined } {
  const log: string[] = [];
  return {
    log,
    says: (name) => () => {
      log.push(name);
      return undefined;
    },
  };
}

describe('taking hooks out again', () => {
  it('RE-1 the returned function takes out exactly the hooks of its own registration', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('kept'));
    const dispose = runner.on('Stop', [says('first'), says('second')]);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['kept', 'first', 'second']);
    dispose();
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log.slice(3)).toEqual(['kept']);
  });

  it('RE-1 taking out twice is harmless: an equal registration stays', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    const hook = says('same');
    const dispose = runner.on('Stop', hook);
    runner.on('Stop', hook);
    dispose();
    dispose();
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['same']);
  });

  it('RE-1 the last one to go leaves an event that no server listens to', async () => {
    const { runner } = makeRunner();
    const empty = await runner.fire('Stop', SAMPLES.Stop);
    runner.on('Stop', () => ({ continue: true }))();
    expect(await runner.fire('Stop', SAMPLES.Stop)).toBe(empty);
  });

  it('RE-1 taking out after dispose is harmless', async () => {
    const runner = new Runner();
    const dispose = runner.on('Stop', () => undefined);
    await runner.dispose();
    expect(dispose).not.toThrow();
  });
});

describe('what a fire sees of registrations', () => {
  it('RE-3 a hook registered inside a hook runs from the next fire on', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    let registered = false;
    runner.on('Stop', () => {
      log.push('outer');
      if (!registered) runner.on('Stop', says('inner'));
      registered = true;
    });
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['outer']);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['outer', 'outer', 'inner']);
  });

  it('RE-3 a hook disposed inside an earlier hook still runs in that fire, and in no later one', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    const disposers: (() => void)[] = [];
    runner.on('Stop', () => {
      log.push('first');
      for (const dispose of disposers) dispose();
    });
    disposers.push(runner.on('Stop', says('second')));
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['first', 'second', 'first']);
  });

  it('RE-3 a hook that takes itself out runs once', async () => {
    const { runner } = makeRunner();
    let calls = 0;
    const dispose = runner.on('Stop', () => {
      calls += 1;
      dispose();
    });
    for (let i = 0; i < 3; i++) await runner.fire('Stop', SAMPLES.Stop);
    expect(calls).toBe(1);
  });

  it('RE-4 changing the configuration after the runner was made changes nothing', async () => {
    const { log, says } = namers();
    const group = { matcher: 'Bash', onFailure: 'continue', hooks: [says('configured')] };
    const config = { PreToolUse: [group] };
    const { runner } = makeRunner({ hooks: config } as RunnerOptions);
    group.hooks.push(says('pushed'));
    group.matcher = 'Other';
    config.PreToolUse.push({ ...group, matcher: '*' });
    await runner.fire('PreToolUse', bash());
    expect(log).toEqual(['configured']);
  });

  it('RE-4 changing options and hook lists given to `on` changes nothing', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    const options = { matcher: 'Bash' };
    const hooks = [says('given')];
    runner.on('PreToolUse', options, hooks);
    options.matcher = 'Other';
    hooks.push(says('pushed'));
    await runner.fire('PreToolUse', bash());
    expect(log).toEqual(['given']);
  });

  it('RE-5 the same callback registered twice runs twice, with an id per run', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    const hook = says('twice');
    runner.on('Stop', [hook, hook]);
    const { results } = await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['twice', 'twice']);
    expect(new Set(results.map((result) => result.hookId)).size).toBe(2);
  });

  it('RE-4 hooks given to the constructor and to `on` run in the order they came', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner({ hooks: { Stop: [{ hooks: [says('config')] }] } });
    runner.on('Stop', says('code'));
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['config', 'code']);
  });

  it('RE-2 undefined in place of a list of groups is as good as leaving the event out', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner({ hooks: { Stop: undefined, PreCompact: [{ hooks: [says('kept')] }] } });
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('PreCompact', SAMPLES.PreCompact);
    expect(log).toEqual(['kept']);
  });
});

describe('scopes', () => {
  it('SC-1 global hooks run first, then those of the agent, whatever the order of registration', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.forAgent('a').on('Stop', says('own'));
    runner.on('Stop', says('global'));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['global', 'own']);
  });

  it('SC-1 hooks of one agent never run for another, nor for no agent', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    const [a, b, c] = [runner.forAgent('a'), runner.forAgent('b'), runner.forAgent('c')];
    a.on('Stop', says('of a'));
    b.on('Stop', says('of b'));
    await runner.fire('Stop', SAMPLES.Stop);
    await c.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual([]);
    await a.fire('Stop', SAMPLES.Stop);
    await b.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['of a', 'of b']);
  });

  it('SC-1 an agent is known by its id: through a view, through another view, through the options', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.forAgent('a').on('Stop', says('own'));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop, { agentId: 'a' });
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop, { agentId: 'b' });
    expect(log).toEqual(['own', 'own', 'own']);
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('SC-1 %j is an id like any other', async (id) => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global'));
    runner.forAgent(id).on('Stop', { override: true }, says('own'));
    await runner.forAgent(id).fire('Stop', SAMPLES.Stop);
    await runner.forAgent('other').fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['own', 'global']);
  });

  it('SC-1 an agent whose hooks are all gone shares the global ones again', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global'));
    const agent = runner.forAgent('a');
    agent.on('Stop', says('own'))();
    agent.on('Stop', says('later'));
    await agent.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['global', 'later']);
  });

  it('SC-2 an override switches off the global hooks of its event and agent only', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global stop'));
    runner.on('PreToolUse', says('global tool'));
    const agent = runner.forAgent('a');
    agent.on('Stop', says('earlier own'));
    agent.on('Stop', { override: true }, says('own'));
    await agent.fire('Stop', SAMPLES.Stop);
    await agent.fire('PreToolUse', bash());
    await runner.forAgent('b').fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['earlier own', 'own', 'global tool', 'global stop', 'global stop']);
  });

  it('SC-2 an override with an empty list switches off the global hooks as well', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('PreToolUse', says('global'));
    runner.forAgent('a').on('PreToolUse', { override: true }, []);
    const outcome = await runner.forAgent('a').fire('PreToolUse', bash());
    expect(log).toEqual([]);
    expect(outcome.results).toEqual([]);
  });

  it('SC-2 global hooks registered after the override are switched off too', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.forAgent('a').on('Stop', { override: true }, []);
    runner.on('Stop', says('global'));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    expect(log).toEqual([]);
  });

  it('SC-2 `override: false` adds to the global hooks', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global'));
    runner.forAgent('a').on('Stop', { override: false }, says('own'));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['global', 'own']);
  });

  it('SC-3 a protected guard survives every override and comes first', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('PreToolUse', says('global'));
    runner.on('PreToolUse', { protected: true }, () => {
      log.push('guard');
      return { decision: 'block', reason: 'never' };
    });
    runner.forAgent('a').on('PreToolUse', { override: true }, () => {
      log.push('own');
      return { decision: 'approve' };
    });
    const outcome = await runner.forAgent('a').fire('PreToolUse', bash());
    expect(log).toEqual(['guard', 'own']);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'never' });
  });

  it('SC-4 the global hooks count again when the override is taken out', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global'));
    const agent = runner.forAgent('a');
    agent.on('Stop', says('own'));
    const dispose = agent.on('Stop', { override: true }, []);
    await agent.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['own']);
    dispose();
    await agent.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['own', 'global', 'own']);
  });

  it('SC-4 of two overrides both have to go, in any order and however often', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    runner.on('Stop', says('global'));
    const agent = runner.forAgent('a');
    const first = agent.on('Stop', { override: true }, []);
    const second = agent.on('Stop', { override: true }, []);
    first();
    first();
    await agent.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual([]);
    second();
    await agent.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['global']);
  });

  it('SC-1 hooks know for which agent they run', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('Stop', (input, _id, context) => void seen.push([input.agent_id, context.agentId]));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(seen).toEqual([
      ['a', 'a'],
      [undefined, undefined],
    ]);
  });
});

describe('warnings', () => {
  const withoutSubject = ['UserPromptSubmit', 'Stop', 'TeammateIdle', 'TaskCompleted'] as const;

  it.each(withoutSubject)('MA-6 a matcher on %s is ignored, with one warning', async (event) => {
    const told: HookWarning[] = [];
    const { runner } = makeRunner({ onWarning: (warning) => void told.push(warning) });
    let calls = 0;
    untyped(runner).on(event, { matcher: 'Bash' }, () => {
      calls += 1;
    });
    for (let i = 0; i < 3; i++) await untyped(runner).fire(event, SAMPLES[event]);
    expect(calls).toBe(3);
    expect(told).toEqual([{ code: 'matcher_ignored', event, message: expect.stringContaining('"Bash"') }]);
    expect(runner.warnings).toEqual(told);
  });

  it('RE-7 MA-8 without anybody to tell, a warning is one of the process', async () => {
    const { runner } = makeRunner();
    const warned = once(process, 'warning') as Promise<[Error & { code?: string }]>;
    runner.on('PreToolUse', { matcher: '^mcp__' }, () => undefined);
    runner.on('PreToolUse', { matcher: '^Bash$' }, () => undefined);
    const [{ name, code, message }] = await warned;
    expect([name, code]).toEqual(['HooklineWarning', 'matcher_doubtful']);
    expect(message).toContain('PreToolUse: ');
    expect(message).toContain('"^mcp__"');
    expect(message).toContain('(and 1 more; runner.warnings has all of them)');
  });

  it('MA-6 events that have something to match do not warn', () => {
    const { runner } = makeRunner();
    const withSubject = HOOK_EVENTS.filter((event) => !withoutSubject.includes(event as never));
    expect(withSubject).toHaveLength(11);
    for (const event of withSubject) untyped(runner).on(event, { matcher: 'Bash' }, () => undefined);
    expect(runner.warnings).toEqual([]);
  });

  it.each(['^Bash$', 'Bash.*', 'mcp__.+', '(Edit|Write)', 'Edit$', 'Wri+te'])(
    'MA-8 the matcher %j is accepted with a warning that it looks like a regular expression',
    async (matcher) => {
      const told: HookWarning[] = [];
      const { runner } = makeRunner({ onWarning: (warning) => void told.push(warning) });
      runner.on('PreToolUse', { matcher }, () => undefined);
      await runner.fire('PreToolUse', bash());
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ code: 'matcher_doubtful', event: 'PreToolUse' });
      expect(told[0]?.message).toContain('regular expression');
      expect(runner.warnings).toEqual(told);
    },
  );

  it('MA-8 names, globs and lists of them do not warn', () => {
    const { runner } = makeRunner();
    for (const matcher of ['Bash', 'mcp__*', 'Edit|Write', 'a?c', '[BG]*', 'my-tool.v2', '*', '']) {
      runner.on('PreToolUse', { matcher }, () => undefined);
    }
    expect(runner.warnings).toEqual([]);
  });

  it('MA-6 MA-8 warnings about the configuration are reported as well', () => {
    const told: HookWarning[] = [];
    const runner = new Runner({
      hooks: { Stop: [{ matcher: 'x', hooks: [] }], PreToolUse: [{ matcher: '^a', hooks: [] }] },
      onWarning: (warning) => void told.push(warning),
    });
    expect(told.map((warning) => warning.code)).toEqual(['matcher_ignored', 'matcher_doubtful']);
    expect(runner.warnings).toEqual(told);
  });
});

describe('bad registrations', () => {
  const fine = (): undefined => undefined;

  it.each([
    ['pretooluse', 'PreToolUse'],
    ['PRETOOLUSE', 'PreToolUse'],
    ['pre_tool_use', 'PreToolUse'],
    ['session-start', 'SessionStart'],
    [' Stop ', 'Stop'],
  ])('RE-2 the event %j is refused and %s is suggested', async (event, meant) => {
    const { runner } = makeRunner();
    for (const register of [
      () => untyped(runner).on(event, fine),
      () => untyped(runner.forAgent('a')).on(event, fine),
      () => new Runner({ hooks: { [event]: [{ hooks: [fine] }] } } as RunnerOptions),
    ]) {
      const { code, message } = await refusalOf(register);
      expect(code).toBe('unknown_event');
      expect(message).toContain(JSON.stringify(event));
      expect(message).toContain(`Did you mean ${meant}?`);
    }
  });

  it.each(['BeforeTool', '', 'toString', '__proto__', 'constructor', 42, null, undefined, {}, Symbol('x')])(
    'RE-2 the event %s is refused with the list of those there are',
    async (event) => {
      const { runner } = makeRunner();
      const { code, message } = await refusalOf(() => untyped(runner).on(event, fine));
      expect(code).toBe('unknown_event');
      for (const name of HOOK_EVENTS) expect(message).toContain(name);
    },
  );

  it('RE-2 an event that cannot even be shown is refused in the same way', async () => {
    const { runner } = makeRunner();
    const { code } = await refusalOf(() => untyped(runner).on(Object.create(null), fine));
    expect(code).toBe('unknown_event');
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'echo no'],
    ['a number', 7],
    ['an options object alone', { matcher: 'Bash' }],
    ['a description of an unknown type', { type: 'telegram', callback: fine }],
    ['a description without its callback', { type: 'callback' }],
    ['a description with a string for its callback', { type: 'callback', callback: 'fine' }],
    ['a list with one bad entry', [fine, 'bad']],
    ['a list in a list', [[fine]]],
    ['a promise', Promise.resolve(fine)],
  ])('RE-2 %s is no hook: refused with what to give instead', async (_, hook) => {
    const { runner } = makeRunner();
    const { code, message } = await refusalOf(() => untyped(runner).on('PreToolUse', hook));
    expect(code).toBe('invalid_hook');
    expect(message).toContain('PreToolUse');
    expect(message).toContain('give a function');
  });

  it.each([
    ['a second hook', [{ matcher: 'Bash' }, fine, fine]],
    ['a second hook without options', [{}, fine, { type: 'command', command: 'true' }]],
    ['options behind the hook', [{}, fine, { onFailure: 'block' }]],
  ])('RE-2 %s is not left out: refused with what to give instead', async (_, rest) => {
    for (const place of [makeRunner().runner, makeRunner().runner.forAgent('ada')]) {
      const { code, message } = await refusalOf(() => untyped(place).on('PreToolUse', ...rest));
      expect(code).toBe('invalid_hook');
      expect(message).toBe(
        'on was given more than an event, options and a hook for PreToolUse; give several hooks as a list, and all options before it.',
      );
    }
  });

  it('RE-2 an argument that is undefined is as good as none', () => {
    const { runner } = makeRunner();
    expect(untyped(runner).on('PreToolUse', {}, fine, undefined)).toBeTypeOf('function');
  });

  it('RE-2 a refused registration leaves nothing behind, not even its good hooks', async () => {
    const { log, says } = namers();
    const { runner } = makeRunner();
    await refusalOf(() => untyped(runner).on('Stop', [says('good'), null]));
    await refusalOf(() => untyped(runner.forAgent('a')).on('Stop', { override: true }, [null]));
    runner.on('Stop', says('later'));
    await runner.forAgent('a').fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['later']);
  });

  const badTimeouts: unknown[] = [0, -1, -0.001, Number.NaN, '5', null, Number.POSITIVE_INFINITY];
  badTimeouts.push(Number.NEGATIVE_INFINITY, 2 ** 31 / 1000, 1e300, true, [5], 5n);
  it.each(badTimeouts)(
    'RE-2 a timeout of %s is refused on a hook, a group and the runner',
    async (timeout) => {
      const { runner } = makeRunner();
      for (const register of [
        () => untyped(runner).on('Stop', { type: 'callback', callback: fine, timeout }),
        () => untyped(runner).on('Stop', { timeout }, fine),
        () => new Runner({ hooks: { Stop: [{ timeout, hooks: [] }] } } as unknown as RunnerOptions),
        ...(timeout === null ? [] : [() => new Runner({ timeout } as RunnerOptions)]),
      ]) {
        const { code, message } = await refusalOf(register);
        expect(code).toBe('invalid_timeout');
        expect(message).toMatch(/seconds as a number above 0 and up to 2147483/);
      }
    },
  );

  it.each([2 ** 31 / 1000 - 0.001, 1e-9, 0.5, 60])(
    'RE-2 a timeout of %s seconds is accepted, and no timer overflows',
    async (timeout) => {
      const { runner } = makeRunner({ timeout });
      runner.on('Stop', async () => ({ continue: true }));
      const outcome = await runner.fire('Stop', SAMPLES.Stop);
      expect(outcome.failures.map((failure) => failure.kind)).not.toContain('threw');
      expect(outcome.results).toHaveLength(1);
    },
  );

  it.each(['stop', 'BLOCK', '', true, 1, null])(
    'RE-2 onFailure %j is refused on a hook, a group and the runner',
    async (onFailure) => {
      const { runner } = makeRunner();
      for (const register of [
        () => untyped(runner).on('Stop', { type: 'callback', callback: fine, onFailure }),
        () => untyped(runner).on('Stop', { onFailure }, fine),
        () => new Runner({ onFailure } as unknown as RunnerOptions),
      ]) {
        const { code, message } = await refusalOf(register);
        expect(code).toBe('invalid_option');
        expect(message).toContain("use 'continue' or 'block'");
      }
    },
  );

  it('RE-2 a group cannot be both sequential and parallel', async () => {
    const { runner } = makeRunner();
    const { code, message } = await refusalOf(() =>
      runner.on('Stop', { sequential: true, parallel: true }, fine),
    );
    expect(code).toBe('invalid_option');
    expect(message).toContain('choose one');
  });

  it.each(['claude', 'toString', '', 5])(
    'RE-2 the dialect %j is refused with those there are',
    async (dialect) => {
      const { runner } = makeRunner();
      const { code, message } = await refusalOf(() => untyped(runner).on('Stop', { dialect }, fine));
      expect(code).toBe('invalid_option');
      expect(message).toContain('known ones: hookline, claude-code, massgen.');
    },
  );

  it('RE-2 hookline is an alias of the dialect hookline', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', { dialect: 'spec07' }, () => ({ decision: 'block', reason: 'not yet' }));
    expect(await runner.fire('Stop', { stop_hook_active: false })).toMatchObject({ decision: 'deny' });
  });

  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a list', ['hookline']],
  ])('RE-2 %s is no dialect', async (_, dialect) => {
    const { runner } = makeRunner();
    const { code } = await refusalOf(() => untyped(runner).on('Stop', { dialect }, fine));
    expect(code).toBe('invalid_option');
  });

  it.each([
    ['a matcher list', ['Bash', 'Edit']],
    ['a regular expression', /Bash/],
    ['null', null],
    ['a number', 3],
  ])('RE-2 MA-7 %s is no matcher: refused with invalid_matcher', async (_, matcher) => {
    const { runner } = makeRunner();
    const { code, message } = await refusalOf(() => untyped(runner).on('PreToolUse', { matcher }, fine));
    expect(code).toBe('invalid_matcher');
    expect(message).toContain('give it as a string');
  });

  it.each([
    ['a string for the options', 'Bash'],
    ['null for the options', null],
    ['a list for the options', [fine]],
    ['a function for the options', fine],
  ])('RE-2 %s is refused', async (_, options) => {
    const { runner } = makeRunner();
    const { code, message } = await refusalOf(() => untyped(runner).on('PreToolUse', options, fine));
    expect(code).toBe('invalid_option');
    expect(message).toContain("{ matcher: 'Bash' }");
  });

  it.each([
    ['a function', fine, 'invalid_option'],
    ['a string', 'PreToolUse', 'invalid_option'],
    ['null', null, 'invalid_option'],
    ['a hook in place of a list of groups', { Stop: fine }, 'invalid_option'],
    ['a group in place of a list of groups', { Stop: { hooks: [fine] } }, 'invalid_option'],
    ['null in place of a list of groups', { Stop: null }, 'invalid_option'],
    ['a hook in place of a group', { Stop: [fine] }, 'invalid_option'],
    ['null in place of a group', { Stop: [null] }, 'invalid_option'],
    ['a group without hooks', { Stop: [{ matcher: 'x' }] }, 'invalid_hook'],
    ['a group with one hook that is not in a list', { Stop: [{ hooks: fine }] }, 'invalid_hook'],
    ['a group with a bad hook', { Stop: [{ hooks: [null] }] }, 'invalid_hook'],
    ['a list of groups without an event', [{ hooks: [fine] }], 'unknown_event'],
  ])('RE-2 a configuration that is %s is refused', async (_, hooks, code) => {
    const refusal = await refusalOf(() => new Runner({ hooks } as unknown as RunnerOptions));
    expect(refusal.code).toBe(code);
    expect(refusal.message.length).toBeGreaterThan(20);
  });

  it.each([
    ['precedence', 'ask'],
    ['maxDepth', 0],
    ['maxDepth', 1.5],
    ['maxBackground', -1],
    ['maxBackground', '8'],
    ['maxTextLength', Number.NaN],
  ])('RE-2 the runner refuses the option %s: %j and names it', async (option, value) => {
    const { code, message } = await refusalOf(() => new Runner({ [option]: value } as RunnerOptions));
    expect(code).toBe('invalid_option');
    expect(message).toContain(option);
  });

  it.each(['protected', 'override', 'parallel', 'sequential'])(
    'RE-2 %s has to be a boolean: a guard is not left open by a string',
    async (flag) => {
      const { runner } = makeRunner();
      const agent = untyped(runner.forAgent('a'));
      const { code } = await refusalOf(() => agent.on('Stop', { [flag]: 'true' }, fine));
      expect(code).toBe('invalid_option');
    },
  );
});

describe('options that mean nothing', () => {
  it('RE-6 an unknown option is reported once, and the group counts', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { matchers: 'Write' } as never, () => ({ decision: 'block' }));
    expect(runner.warnings).toMatchObject([{ code: 'unknown_option', event: 'PreToolUse' }]);
    expect((await runner.fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('RE-6 an override for everybody, and an agent without an id, are refused', () => {
    const { runner } = makeRunner();
    const refused = expect.objectContaining({ code: 'invalid_option' });
    expect(() => runner.on('PreToolUse', { override: true } as never, [])).toThrow(refused);
    expect(() => runner.forAgent(undefined as never)).toThrow(refused);
  });

  it('MA-6 MA-1 a star on an event without a subject is no matcher to warn about', () => {
    const { runner } = makeRunner();
    runner.on('Stop', { matcher: '*' }, () => {});
    expect(runner.warnings).toEqual([]);
  });
});
