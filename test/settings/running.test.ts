import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachConfig, Runner } from '../../src/index.js';
import { until } from '../support/process-harness.js';
import { bash } from '../support/runner.js';
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

  it('CF-6 a workspace cannot make its hooks binding, nor see secrets', async () => {
    const { write, load, runner } = place();
    const broken = { type: 'command', command: 'exit 1', onFailure: 'block' };
    write('workspace/.claude/settings.json', settings('PreToolUse', broken));
    const config = await load();
    expect(config.diagnostics).toMatchObject([{ code: 'ignored_key' }]);
    expect((await runner(config).fire('PreToolUse', bash())).decision).toBeUndefined();

    write('home/settings.json', settings('PreToolUse', { ...broken, command: 'exit 3' }));
    expect((await runner(await load()).fire('PreToolUse', bash())).decision).toBe('deny');

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
    expect(used.warnings).toMatchObject([{ code: 'hook_inactive' }]);
    expect(used.warnings[0]?.message).toMatch(/settings\.json:1:\d+: /);
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

  it('CF-16 an ask outranks an allow, unless the runner is told otherwise', async () => {
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
