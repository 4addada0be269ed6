import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { resolveDialect } from '../../src/dialects/index.js';
import { FILE_KINDS, HANDLER_KINDS } from '../../src/handlers/kinds.js';
import {
  agent,
  command,
  type DescribedHook,
  type HookModelRequest,
  http,
  loadHooklineConfig,
  type MatcherOptions,
  mcpTool,
  type PromptHook,
  prompt,
  Runner,
  type RunnerOptions,
} from '../../src/index.js';
import { compileGroup } from '../../src/runner/registration/group.js';

const asked: HookModelRequest[] = [];
const model = {
  complete: async (request: HookModelRequest) => {
    asked.push(request);
    return '{"ok": false, "reason": "it deletes things"}';
  },
};
const mcp = {
  callTool: async (server: string, tool: string, args: Record<string, unknown>) => ({
    content: [
      {
        type: 'text',
        text: JSON.stringify({ decision: 'block', reason: `${server} ${tool} ${args['path']}` }),
      },
    ],
  }),
};

const disposers: (() => unknown)[] = [];
afterEach(async () => {
  asked.length = 0;
  for (const dispose of disposers.splice(0)) await dispose();
});

const make = (options: RunnerOptions = {}) => {
  const runner = new Runner(options);
  disposers.push(() => runner.dispose());
  return runner;
};
const call = { tool_name: 'Bash', tool_input: { command: 'rm x', path: '/w/x' }, tool_use_id: '1' };

const DENYING: readonly [Exclude<DescribedHook, { type: 'callback' }>, string][] = [
  [prompt('Is this fine? $ARGUMENTS'), 'it deletes things'],
  [agent('Look into it.'), 'it deletes things'],
  [mcpTool('files', 'judge', { input: { path: '${tool_input.path}' } }), 'files judge /w/x'],
  [command('echo no >&2; exit 2'), 'no'],
];

describe('kinds of hooks', () => {
  it.each(DENYING)('HK-1 %o runs when it is registered in code', async (hook, reason) => {
    const runner = make({ model, mcp });
    runner.on('PreToolUse', hook);
    expect(await runner.fire('PreToolUse', call)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining(reason),
    });
  });

  it.each(DENYING)('HK-1 %o runs when it stands in a hookline file', async (hook, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
    disposers.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'hooks.json');
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
    const config = await loadHooklineConfig({ cwd: folder, configDir: folder, files: [file], model, mcp });
    expect(config.diagnostics).toEqual([]);
    const runner = make();
    runner.use(config);
    expect(await runner.fire('PreToolUse', call)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    [prompt('ok?'), 'needs a model, and none was given. Give it as new Runner({ model }).'],
    [agent('ok?'), 'needs a model'],
    [mcpTool('a', 'b'), 'needs an MCP client, and none was given. Give it as new Runner({ mcp }).'],
  ])('HK-2 %o is refused in code where the application lends nothing', (hook, message) => {
    expect(() => make().on('PreToolUse', hook)).toThrow(message);
  });

  it('HK-2 in a file it is inactive then, with the reason', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
    disposers.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'hooks.json');
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [prompt('ok?')] }] } }));
    const config = await loadHooklineConfig({ cwd: folder, configDir: folder, files: [file] });
    expect(config.diagnostics).toMatchObject([{ code: 'inactive', severity: 'warning' }]);
    expect(config.groups[0]?.hooks[0]?.inactive).toMatchObject({ reason: 'unsupported' });
  });

  it('HK-3 a hook knows its kind: observers see it', async () => {
    const runner = make({ model, mcp });
    const kinds: string[] = [];
    runner.observe(() => ({
      within: ({ kind }, run) => {
        kinds.push(kind);
        return run();
      },
    }));
    for (const [hook] of DENYING) runner.on('PreToolUse', { parallel: true }, hook);
    runner.on('PreToolUse', () => {});
    expect(runner.explain('PreToolUse', call).hooks).toHaveLength(5);
    await runner.fire('PreToolUse', call);
    expect(kinds).toEqual(['prompt', 'agent', 'mcp_tool', 'command', 'callback']);
  });

  it('HK-4 a field that its kind does not have is refused, with the one that was meant', () => {
    expect(() => make({ model }).on('PreToolUse', { type: 'prompt', promt: 'ok?' } as never)).toThrow(
      'Did you mean "prompt"?',
    );
    expect(() => make().on('PreToolUse', { type: 'carrier' } as never)).toThrow(
      `one of these types: ${Object.keys(HANDLER_KINDS).join(', ')}`,
    );
  });

  it('HK-5 a prompt has 30 seconds and an agent 60, whatever dialect and runner say', () => {
    const timeouts = (options: MatcherOptions, hook: PromptHook): unknown => {
      const defaults = { timeoutMs: 7000, onFailure: 'continue', services: { model }, warn: () => {} };
      const dialect = resolveDialect(options.dialect);
      const { hooks } = compileGroup('PreToolUse', options, [{ hook }], dialect, defaults as never);
      return (hooks[0]?.timeoutMs ?? 0) / 1000;
    };
    expect(timeouts({}, prompt('ok?'))).toBe(30);
    expect(timeouts({ dialect: 'claude-code' }, agent('ok?'))).toBe(60);
    expect(timeouts({ timeout: 2 }, prompt('ok?'))).toBe(2);
    expect(timeouts({ timeout: 2 }, prompt('ok?', { timeout: 3 }))).toBe(3);
  });

  it('HK-5 the timeout of its group ends a prompt that is never answered', async () => {
    const runner = make({ model: { complete: () => new Promise<string>(() => {}) } });
    runner.on('PreToolUse', { timeout: 0.05 }, prompt('ok?'));
    expect(await runner.fire('PreToolUse', call)).toMatchObject({ failures: [{ kind: 'timed-out' }] });
  });

  it('HK-1 files hold every kind but those that only code can write', () => {
    expect(FILE_KINDS).toEqual(['command', 'http', 'prompt', 'agent', 'mcp_tool']);
    expect(http('http://localhost/x', { timeout: 3 })).toEqual({
      type: 'http',
      url: 'http://localhost/x',
      timeout: 3,
    });
  });
});
