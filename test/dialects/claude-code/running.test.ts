import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachConfig, createTrustStore, Runner, trustSubjects } from '../../../src/index.js';
import { until } from '../../support/process-harness.js';
import { bash, SAMPLES } from '../../support/runner.js';
import { place, settings } from './support.js';

describe('hooks of a settings file', () => {
  it('CF-7 the same command runs once, wherever else it is written; a condition tells apart', async () => {
    const { write, load, runner, workspace } = place();
    const line = 'echo x >> runs';
    write('home/settings.json', settings('PreToolUse', line));
    write('workspace/.claude/settings.json', {
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: line, timeout: 3 }] },
          { matcher: 'B.*', hooks: [{ type: 'command', command: line, if: 'Bash(ls:*)' }] },
        ],
      },
    });
    const { results } = await runner(await load()).fire('PreToolUse', bash('ls -l'));
    expect(results).toHaveLength(2);
    expect(readFileSync(join(workspace, 'runs'), 'utf8')).toBe('x\nx\n');
  });

  it('CF-7 a duplicate whose first one does not match runs', async () => {
    const { write, load, runner } = place();
    const hooks = [{ type: 'command', command: 'exit 2' }];
    const groups = [
      { matcher: 'Write', hooks },
      { matcher: 'Bash', hooks },
    ];
    write('home/settings.json', { hooks: { PreToolUse: groups } });
    expect((await runner(await load()).fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('CF-8 a hook whose condition does not hold leaves no trace', async () => {
    const { write, load, runner } = place();
    const guard = { type: 'command', command: 'echo no >&2; exit 2', if: 'Bash(git push:*)' };
    write('home/settings.json', settings('PreToolUse', guard));
    const used = runner(await load());
    const seen: string[] = [];
    used.messages.on('message', ({ subtype }) => seen.push(subtype));
    expect(await used.fire('PreToolUse', bash('ls'))).toMatchObject({ results: [] });
    expect(seen).toEqual([]);
    expect((await used.fire('PreToolUse', bash('git push --force'))).decision).toBe('deny');
    expect((await used.fire('PreToolUse', bash('ls && git push'))).decision).toBe('deny');
    const [explained] = used.explain('PreToolUse', bash('ls')).hooks;
    expect(explained).toMatchObject({ runs: false, why: 'condition' });
    expect(explained?.message).toContain('git push');
  });

  it('CF-10 a plugin finds its root, in the shell and without one', async () => {
    const { write, load, runner, plugin } = place();
    const script = '#!/bin/sh\nprintf \'{"systemMessage":"%s %s"}\' "$CLAUDE_PLUGIN_ROOT" "$1"\n';
    write('plugin/say.sh', script);
    const direct = {
      type: 'command',
      command: '${CLAUDE_PLUGIN_ROOT}/say.sh',
      args: ['${CLAUDE_PROJECT_DIR}'],
    };
    const shell = { type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/say.sh shell' };
    write('plugin/hooks/hooks.json', settings('PreToolUse', direct, shell));
    const config = await load({ plugins: [plugin] });
    expect(config.diagnostics).toEqual([]);
    const used = runner(config);
    const { systemMessages } = await used.fire('PreToolUse', bash());
    expect(systemMessages).toEqual([
      `${plugin} ${plugin.replace(/plugin$/, 'workspace')}`,
      `${plugin} shell`,
    ]);
  });

  it('CF-10 a plugin that is named by a relative path finds its root from every folder', async () => {
    const { write, load, runner, plugin, dir } = place();
    const root = { type: 'command', command: 'printf \'{"systemMessage":"%s"}\' "$CLAUDE_PLUGIN_ROOT"' };
    write('plugin/hooks/hooks.json', settings('PreToolUse', root));
    const used = runner(await load({ plugins: [relative(process.cwd(), plugin)] }));
    const { systemMessages } = await used.fire('PreToolUse', { ...bash(), cwd: dir });
    expect(systemMessages).toEqual([plugin]);
  });

  it('CF-6 hooks of a workspace that are approved may be binding, and see no secrets', async () => {
    const { write, load, runner, dir, workspace } = place();
    const broken = { type: 'command', command: 'exit 1', onFailure: 'block' };
    write('workspace/.claude/settings.json', settings('PreToolUse', broken));
    const trust = createTrustStore({ file: join(dir, 'trust', 'trust.json') });
    expect((await runner(await load({ trust })).fire('PreToolUse', bash())).decision).toBeUndefined();
    await trust.approve(workspace, trustSubjects(await load({ trust })));
    for (const agreed of [await load({ trust }), await load({ trust: 'workspace' })]) {
      expect(agreed.diagnostics).toEqual([]);
      expect((await runner(agreed).fire('PreToolUse', bash())).decision).toBe('deny');
    }
    write('workspace/.claude/settings.json', settings('PreToolUse', { ...broken, onFailure: 'continue' }));
    expect((await load({ trust })).diagnostics).toMatchObject([{ code: 'modified' }]);

    process.env['HOOKLINE_TEST_TOKEN'] = 'secret';
    try {
      const show = 'printf \'{"systemMessage":"%s"}\' "$HOOKLINE_TEST_TOKEN."';
      write('home/settings.json', settings('PreToolUse', show));
      write('workspace/.claude/settings.json', settings('PreToolUse', `${show} # project`));
      const { systemMessages } = await runner(await load()).fire('PreToolUse', bash());
      expect(systemMessages).toEqual(['secret.', '.']);
    } finally {
      delete process.env['HOOKLINE_TEST_TOKEN'];
    }
  });

  it('CF-12 CF-13 a broken guard that is set to block refuses; everything inactive is a warning', async () => {
    const { write, load, runner } = place();
    const group = { matcher: '(', hooks: [{ type: 'command', command: 'true', onFailure: 'block' }] };
    write('home/settings.json', { hooks: { PreToolUse: [group] } });
    const used = runner(await load());
    const outcome = await used.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({
      decision: 'deny',
      failures: [{ kind: 'failed-to-start', blocked: true }],
    });
    expect(used.warnings.map(({ code }) => code)).toEqual(['protection_lost', 'hook_inactive']);
    expect(used.warnings[1]?.message).toMatch(/settings\.json:1:\d+: /);
  });

  it('CF-9 prompt, agent and mcp_tool hooks run when the caller has what they need', async () => {
    const { write, load, runner } = place();
    write(
      'home/settings.json',
      settings(
        'PreToolUse',
        { type: 'prompt', prompt: 'fine?' },
        { type: 'mcp_tool', server: 's', tool: 't' },
      ),
    );
    const asked: string[] = [];
    const config = await load({
      model: {
        complete: async ({ prompt }) => {
          asked.push(prompt);
          return '{"ok": false, "reason": "not fine"}';
        },
      },
      mcp: {
        callTool: async (server, tool) => ({
          content: [{ type: 'text', text: `{"systemMessage":"${server}.${tool}"}` }],
        }),
      },
    });
    expect(config.diagnostics).toEqual([]);
    const outcome = await runner(config).fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', systemMessages: ['s.t'] });
    expect(outcome.reason).toContain('not fine');
    expect(asked[0]).toContain('"tool_name":"Bash"');
  });

  it('CF-20 addresses that the user has not allowed are sent nothing', async () => {
    const { write, load, runner } = place();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['x-token']}`);
      response.end('{"systemMessage":"heard"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    process.env['HOOKLINE_TEST_A'] = 'a';
    try {
      const hook = (path: string): Record<string, unknown> => ({
        type: 'http',
        url: `http://127.0.0.1:${port}/${path}`,
        headers: { 'x-token': '$HOOKLINE_TEST_A.' },
        allowedEnvVars: ['HOOKLINE_TEST_A'],
      });
      const policy = { allowedHttpHookUrls: [`http://127.0.0.1:${port}/good*`], httpHookAllowedEnvVars: [] };
      write('home/settings.json', policy);
      write('workspace/.claude/settings.json', {
        ...settings('PreToolUse', hook('good'), hook('bad')),
        allowedHttpHookUrls: ['*'],
      });
      const outcome = await runner(await load()).fire('PreToolUse', bash());
      expect(outcome).toMatchObject({ systemMessages: ['heard'], failures: [{ kind: 'failed-to-start' }] });
      expect(asked).toEqual(['/good .']);
    } finally {
      delete process.env['HOOKLINE_TEST_A'];
      server.close();
    }
  });

  it('CF-16 an ask outranks an allow, unless the runner says otherwise', async () => {
    const { write, load, runner } = place();
    const say = (decision: string): string =>
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${decision}"}}'`;
    write('home/settings.json', settings('PreToolUse', say('allow'), say('ask')));
    const config = await load();
    expect((await runner(config).fire('PreToolUse', bash())).decision).toBe('ask');
    const told = runner(config, { precedence: 'allow-over-ask' });
    expect((await told.fire('PreToolUse', bash())).decision).toBe('allow');
  });

  it('CO-28 variables that SessionStart commands set can be sourced later, and go with the runner', async () => {
    const { write, load, runner } = place();
    const exporting = (name: string): string => `echo 'export ${name}=1' >> "$CLAUDE_ENV_FILE"`;
    write('home/settings.json', settings('SessionStart', exporting('A'), exporting('B'), 'true'));
    const used = runner(await load());
    await used.fire('SessionStart', { source: 'startup' });
    const files = used.environmentFiles();
    expect(files.map((file) => readFileSync(file, 'utf8')).sort()).toEqual(['export A=1\n', 'export B=1\n']);
    await used.dispose();
    expect(files.some((file) => existsSync(file))).toBe(false);
  });
});

describe('files that are damaged', () => {
  const GUARD = { type: 'command', command: 'exit 2', onFailure: 'block' };
  const damages: Readonly<Record<string, unknown>> = {
    type: 'pigeon',
    command: '',
    timeout: '5',
    if: 'Bash(',
    args: ['a\u0000b'],
    onFailure: 'block',
  };

  it.each(Object.entries(damages))(
    'CF-12 a guard set to block, damaged in %s, refuses',
    async (field, value) => {
      const { write, load, runner } = place();
      write('home/settings.json', settings('PreToolUse', { ...GUARD, [field]: value }));
      const used = runner(await load());
      expect((await used.fire('PreToolUse', bash())).decision).toBe('deny');
      expect(used.explain('PreToolUse', bash()).hooks.filter(({ runs }) => runs)).toHaveLength(1);
    },
  );

  it("CF-2 nothing that a workspace writes keeps the user's guards from being used", async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('a\u0000b', ['x\u0000'], -1, 1e12, { env: { A: '\u0000' } }, 'http://[', ''),
    );
    const field = fc.constantFrom(
      'type',
      'command',
      'args',
      'timeout',
      'url',
      'headers',
      'if',
      'shell',
      'async',
      'onFailure',
    );
    const kinds = fc.constantFrom('command', 'http', 'prompt', 'mcp_tool');
    await fc.assert(
      fc.asyncProperty(kinds, fc.dictionary(field, odd), odd, async (type, fields, matcher) => {
        const { write, load, runner } = place();
        write('home/settings.json', settings('PreToolUse', 'echo mine >&2; exit 2'));
        const hook = {
          type,
          command: 'true',
          url: 'http://127.0.0.1:1',
          prompt: 'p',
          server: 's',
          tool: 't',
          ...fields,
        };
        write('workspace/.claude/settings.json', { hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } });
        for (const trust of ['workspace', createTrustStore({ file: '/nonexistent/trust.json' })] as const) {
          const used = runner(await load({ trust }));
          expect(
            used.explain('PreToolUse', bash()).hooks.some(({ source }) => source?.layer === 'user'),
          ).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('CF-3 a pipe, a device or a huge file in place of settings is an error, not a wait', async () => {
    const { write, load, workspace } = place();
    const file = join(workspace, '.claude', 'settings.json');
    execFileSync('mkfifo', [file]);
    expect((await load()).diagnostics).toMatchObject([{ code: 'unreadable_file' }]);
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect((await load()).diagnostics).toMatchObject([{ code: 'unreadable_file' }]);
    rmSync(file);
    write('workspace/.claude/settings.json', ' '.repeat(5_000_000));
    expect((await load()).diagnostics).toMatchObject([{ code: 'unreadable_file' }]);
  });

  it('MA-12 CF-1 a matcher that cannot be matched in bounded time is said to match everything, and does', async () => {
    const { write, load, runner } = place();
    for (const matcher of ['(\\w)\\1', '((a?){0,100}){0,100}']) {
      const hooks = [{ type: 'command', command: 'echo no >&2; exit 2' }];
      write('home/settings.json', { hooks: { PreToolUse: [{ matcher, hooks }] } });
      const config = await load();
      expect(config.diagnostics, matcher).toMatchObject([{ severity: 'warning', code: 'matcher_doubtful' }]);
      expect(config.diagnostics[0]?.message).toContain('matches every name');
      expect((await runner(config).fire('PreToolUse', bash())).decision).toBe('deny');
    }
  });

  it('MA-11 CF-1 a matcher that backtracks elsewhere is as good as any other', async () => {
    const { write, load } = place();
    for (const matcher of ['^(\\w|\\w)*\\($', '^((a|a))+$', '.*.*.*.*.*x', '(a+)+$']) {
      write('home/settings.json', { hooks: { PreToolUse: [{ matcher, hooks: [] }] } });
      expect((await load()).diagnostics, matcher).toEqual([]);
    }
  });

  it.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop'] as const)(
    'CF-28 a command for %s that is async and set to block is an error, and refuses',
    async (event) => {
      const { write, load, runner } = place();
      const hook = { type: 'command', command: 'true', async: true, onFailure: 'block' };
      write('home/settings.json', { hooks: { [event]: [{ hooks: [hook] }] } });
      const config = await load();
      expect(config.diagnostics).toMatchObject([{ severity: 'error', code: 'async_guard' }]);
      expect(config.diagnostics[0]?.message).toContain('Remove `async` or `onFailure`');
      const outcome = await runner(config, { onWarning: () => {} }).fire(event, SAMPLES[event] as never);
      expect(outcome).toMatchObject({ decision: 'deny', failures: [{ blocked: true }], pending: [] });
    },
  );

  it('CF-28 one that inherits its policy from the runner refuses as well', async () => {
    const { write, load, runner } = place();
    const hooks = [{ type: 'command', command: 'true', async: true }];
    write('home/settings.json', { hooks: { PreToolUse: [{ hooks }] } });
    const guarded = runner(await load(), { onFailure: 'block', onWarning: () => {} });
    expect(guarded.warnings).toMatchObject([{ code: 'hook_inactive' }]);
    expect((await guarded.fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('CF-28 without the policy it runs; where it might be a guard for a tool there is a warning', async () => {
    const { write, load, runner } = place();
    const hooks = [{ type: 'command', command: 'exit 2', async: true }];
    write('home/settings.json', {
      hooks: { PreToolUse: [{ hooks }], PostToolUse: [{ hooks }], Stop: [{ hooks }] },
    });
    const config = await load();
    expect(config.diagnostics).toMatchObject([{ severity: 'warning', code: 'async_guard' }]);
    const outcome = await runner(config).fire('PreToolUse', bash());
    expect(outcome.decision).toBeUndefined();
    expect(outcome.pending).toHaveLength(1);
  });

  it('CF-28 where nothing can be prevented any more, async and set to block go together', async () => {
    const { write, load } = place();
    const hooks = [{ type: 'command', command: 'true', async: true, onFailure: 'block' }];
    write('home/settings.json', { hooks: { PostToolUse: [{ hooks }], SessionStart: [{ hooks }] } });
    expect((await load()).diagnostics).toEqual([]);
  });

  it.each([
    `echo '{"hookSpecificOutput": {"permissionDecision": "de'`,
    "echo '{}'; kill -9 $$",
    "echo '{}'; exit 1",
    'exit 1',
    'sleep 100',
  ])(
    'CO-20 FA-4 a guard of a settings file that is set to block refuses when it fails: %s',
    async (command) => {
      const { write, load, runner } = place();
      const guard = { type: 'command', command, timeout: 0.5, onFailure: 'block' };
      write('home/settings.json', settings('PreToolUse', guard));
      expect((await runner(await load()).fire('PreToolUse', bash())).decision).toBe('deny');
      write('home/settings.json', settings('PreToolUse', { ...guard, onFailure: 'continue' }));
      const outcome = await runner(await load()).fire('PreToolUse', bash());
      expect(outcome.decision).toBeUndefined();
      expect(outcome.failures).toHaveLength(1);
    },
  );

  it('CF-7 hooks that only look alike are not one', async () => {
    const { write, load, runner } = place();
    const asked: unknown[] = [];
    const tool = (path: string): Record<string, unknown> => ({
      type: 'mcp_tool',
      server: 's',
      tool: 't',
      arguments: { path },
    });
    write('home/settings.json', settings('PreToolUse', tool('a'), tool('b')));
    const config = await load({
      mcp: {
        callTool: async (_server, _tool, args) => {
          asked.push(args);
          return { content: [] };
        },
      },
    });
    await runner(config).fire('PreToolUse', bash());
    expect(asked).toEqual([{ path: 'a' }, { path: 'b' }]);
  });

  it('CF-20 a list of addresses that is no list allows none', async () => {
    const { write, load, runner } = place();
    const hook = { type: 'http', url: 'http://127.0.0.1:1/x' };
    write('home/settings.json', {
      ...settings('PreToolUse', hook),
      allowedHttpHookUrls: 'http://127.0.0.1:1/*',
    });
    const config = await load();
    expect(config.diagnostics).toMatchObject([{ code: 'wrong_type' }]);
    expect((await runner(config).fire('PreToolUse', bash())).failures[0]?.message).toContain('not among');
  });

  it('CF-12 a hook that is switched off has no say, even if it could not run anyway', async () => {
    const { write, load, runner } = place();
    write('home/settings.json', {
      ...settings('PreToolUse', { type: 'prompt', prompt: 'p', onFailure: 'block' }),
      disableAllHooks: true,
    });
    expect((await runner(await load()).fire('PreToolUse', bash())).decision).toBeUndefined();
  });

  it('CF-14 explain and fire agree on which hooks run', async () => {
    const matcher = fc.constantFrom(undefined, '*', 'Bash', 'Write', '(', 'B.*');
    const hook = fc.record(
      {
        type: fc.constantFrom('command', 'command', 'prompt', 'pigeon'),
        command: fc.constantFrom('true', 'true a', 'true b'),
        if: fc.constantFrom('Bash(ls:*)', 'Bash(rm:*)', 'Bash('),
        onFailure: fc.constantFrom('block', 'continue'),
      },
      { requiredKeys: ['type', 'command'] },
    );
    const groups = fc.array(fc.record({ matcher, hooks: fc.array(hook, { maxLength: 3 }) }), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(groups, async (PreToolUse) => {
        const { write, load, runner } = place();
        write('home/settings.json', { hooks: { PreToolUse } });
        const used = runner(await load());
        const explained = used.explain('PreToolUse', bash('ls')).hooks.filter(({ runs }) => runs);
        const { results } = await used.fire('PreToolUse', bash('ls'));
        expect(explained).toHaveLength(results.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('using and reloading', () => {
  it('CF-16 RE-1 the same configuration used twice stays in use until it was taken out twice', async () => {
    const { write, load } = place();
    const say = (decision: string): string =>
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${decision}"}}'`;
    write('home/settings.json', settings('PreToolUse', say('allow'), say('ask')));
    const runner = new Runner();
    let disposed = 0;
    const config = {
      ...(await load()),
      dispose: async () => {
        disposed += 1;
      },
    };
    const first = runner.use(config);
    runner.use(config);
    first();
    first();
    expect((await runner.fire('PreToolUse', bash())).decision).toBe('ask');
    expect(disposed).toBe(0);
    await runner.dispose();
    expect(disposed).toBe(1);
  });

  it('CF-15 a configuration is ended only when the fires that began with it have', async () => {
    const { write, load, dir } = place();
    write('home/settings.json', settings('PreToolUse', `until [ -e ${dir}/go ]; do sleep 0.01; done`));
    const runner = new Runner();
    let disposed = false;
    const stop = runner.use({
      ...(await load()),
      dispose: async () => {
        disposed = true;
      },
    });
    const fired = runner.fire('PreToolUse', bash());
    stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(disposed).toBe(false);
    writeFileSync(join(dir, 'go'), '');
    await fired;
    await until(() => disposed, 'the end of the configuration');
    await runner.dispose();
  });

  it('CF-15 a reload that was overtaken changes nothing, and no listener for failures is needed', async () => {
    const { write, load } = place();
    write('home/settings.json', settings('PreToolUse', 'echo old >&2; exit 2'));
    const old = await load();
    write('home/settings.json', settings('PreToolUse', 'echo new >&2; exit 2'));
    const fresh = await load();
    const results = [old, old, fresh];
    const gates: (() => void)[] = [];
    const runner = new Runner();
    const live = await attachConfig(runner, async () => {
      const result = results.shift() as typeof old;
      if (results.length < 2) await new Promise<void>((resolve) => gates.push(resolve));
      return result;
    });
    const slow = live.reload();
    const quick = live.reload();
    gates[1]?.();
    await quick;
    gates[0]?.();
    await slow;
    expect((await runner.fire('PreToolUse', bash())).reason).toBe('new');
    live.close();
    await runner.dispose();
  });

  it('CF-15 CF-13 warnings go with the configuration they are about', async () => {
    const { write, load } = place();
    write('home/settings.json', settings('PreToolUse', { type: 'prompt', prompt: 'p' }));
    const runner = new Runner({
      onWarning: () => {
        throw new Error('not my problem');
      },
    });
    const live = await attachConfig(runner, () => load());
    for (let i = 0; i < 5; i++) await live.reload();
    expect(runner.warnings).toHaveLength(1);
    live.close();
    expect(runner.warnings).toEqual([]);
    await runner.dispose();
  });
});

describe('reloading', () => {
  const deny = (reason: string): object => settings('PreToolUse', `echo ${reason} >&2; exit 2`);

  it('CF-15 CF-19 a changed file counts from the reload on', async () => {
    const { write, load } = place();
    write('home/settings.json', deny('first'));
    const runner = new Runner();
    const live = await attachConfig(runner, () => load());
    write('home/settings.json', deny('second'));
    expect((await runner.fire('PreToolUse', bash())).reason).toBe('first');
    await live.reload();
    expect(await runner.fire('PreToolUse', bash())).toMatchObject({ reason: 'second', results: [{}] });
    live.close();
    expect((await runner.fire('PreToolUse', bash())).results).toEqual([]);
  });

  it('CF-15 a fire that runs finishes with the hooks it began with', async () => {
    const { write, load, dir } = place();
    const wait = `until [ -e ${dir}/go ]; do sleep 0.01; done; echo old >&2; exit 2`;
    write('home/settings.json', settings('PreToolUse', wait));
    const runner = new Runner();
    const live = await attachConfig(runner, () => load());
    const fired = runner.fire('PreToolUse', bash());
    write('home/settings.json', deny('new'));
    await live.reload();
    writeFileSync(join(dir, 'go'), '');
    expect((await fired).reason).toBe('old');
    live.close();
    await runner.dispose();
  });

  it('CF-15 with watch it counts by itself; when loading fails the hooks stay', async () => {
    const { write, load } = place();
    write('managed.json', deny('first'));
    const runner = new Runner();
    const errors: unknown[] = [];
    let reloads = 0;
    const live = await attachConfig(runner, () => load(), {
      watch: true,
      onReload: () => {
        reloads += 1;
      },
      onError: (error) => errors.push(error),
    });
    write('managed.json', '{ broken');
    await until(() => errors.length > 0, 'the failed reload');
    expect((await runner.fire('PreToolUse', bash())).reason).toBe('first');
    write('managed.json', deny('third'));
    await until(() => reloads > 0, 'the reload');
    expect((await runner.fire('PreToolUse', bash())).reason).toBe('third');
    live.close();
    await runner.dispose();
  });
});
