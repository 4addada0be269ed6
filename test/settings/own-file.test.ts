/** Hookline's own configuration file. */
import { readFileSync, symlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fileSchema } from '../../src/dialects/spec07/file/schema.js';
import { createTrustStore, loadClaudeSettings, loadHooklineConfig, trustSubjects } from '../../src/index.js';
import { bash } from '../support/runner.js';
import { place, short } from './support.js';

const YAML = `# yaml-language-server: $schema=hookline.config.json
hooks:
  PreToolUse:
    - matcher: Bash
      timeout: 5
      onFailure: block
      hooks:
        - type: command
          command: 'echo not this >&2; exit 2'
  Stop:
    - hooks: []
`;

describe("hookline's own file", () => {
  const load = (where: ReturnType<typeof place>, files?: string[]) =>
    loadHooklineConfig({ workspace: where.workspace, configDir: where.home, trust: 'workspace', files });

  it.each(['home/hookline.yaml', 'workspace/hookline.yml'])('CF-11 %s is found and runs', async (path) => {
    const where = place();
    where.write(path, YAML);
    const config = await load(where);
    const outcome = await where.runner(config).fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'not this' });
    expect(outcome.results).toHaveLength(1);
  });

  it('CF-11 JSON is as good', async () => {
    const where = place();
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] };
    where.write('home/hookline.json', { hooks });
    const config = await load(where);
    expect(config.diagnostics).toEqual([]);
    expect((await where.runner(config).fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('CF-11 a module exports callbacks', async () => {
    const where = place();
    const file = where.write(
      'hooks.mjs',
      "export default { PreToolUse: [{ matcher: 'Bash', hooks: [function guard() { return { decision: 'block', reason: 'module' }; }] }] };",
    );
    const outcome = await where.runner(await load(where, [file])).fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'module', results: [{ name: 'guard' }] });
  });

  it('CF-1 CF-2 mistakes have their line and void only themselves', async () => {
    const where = place();
    where.write(
      'home/hookline.yaml',
      `hooks:
  PreToolUse:
    - matcher: 'Bash|'
      hooks: []
    - matcher: '^Bash$'
      hooks: []
    - timeout: soon
      hooks: []
    - hooks:
        - type: command
          comand: ls
    - hooks: [{ type: command, command: 'exit 2' }]
  PreTooluse: []
  Stop: {}
`,
    );
    const config = await load(where);
    expect(short(config)).toEqual([
      '3:16 error bad_matcher',
      '5:16 warning matcher_doubtful',
      '7:16 error bad_group',
      '10:11 error bad_hook',
      '13:15 warning unknown_event',
      '14:9 error wrong_type',
    ]);
    expect((await where.runner(config).fire('PreToolUse', bash())).decision).toBe('deny');
  });

  it('CF-2 CF-12 a mistake in one hook leaves the others, and a guard that is set to block still refuses', async () => {
    const where = place();
    where.write(
      'home/hookline.yaml',
      `hooks:
  PreToolUse:
    - hooks: [{ type: command, comand: typo }, { type: command, command: 'echo kept >&2; exit 2' }]
  Stop:
    - { onFailure: block, matcher: '[', hooks: [{ type: command, command: 'true' }] }
  UserPromptSubmit:
    - { onFailure: block, hooks: [{ type: command }] }
`,
    );
    const runner = where.runner(await load(where));
    expect(await runner.fire('PreToolUse', bash())).toMatchObject({ decision: 'deny', reason: 'kept' });
    expect((await runner.fire('UserPromptSubmit', { prompt: 'p' })).decision).toBe('deny');
  });

  it('CF-17 a module of a workspace can be agreed to, and then counts', async () => {
    const where = place();
    const file = where.write(
      'workspace/hookline.mjs',
      "export default { Stop: [{ hooks: [() => ({ decision: 'block' })] }] };",
    );
    const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
    const loadIt = () => loadHooklineConfig({ workspace: where.workspace, configDir: where.home, trust });
    const before = await loadIt();
    expect(before.groups).toEqual([]);
    await trust.approve(where.workspace, trustSubjects(before));
    expect((await where.runner(await loadIt()).fire('Stop', { stop_hook_active: false })).decision).toBe(
      'deny',
    );
    where.write('workspace/hookline.mjs', 'export default {};');
    expect((await loadIt()).diagnostics).toMatchObject([{ code: 'modified', source: { file } }]);
  });

  it("CF-17 a user's directory that lies in the workspace, or is no full path, is the workspace's", async () => {
    const where = place();
    where.write('workspace/config/hookline.yaml', YAML);
    const inside = await loadHooklineConfig({
      workspace: where.workspace,
      configDir: join(where.workspace, 'config'),
      trust: createTrustStore({ file: join(where.dir, 'trust', 'trust.json') }),
    });
    expect(inside.diagnostics.map(({ code }) => code)).toContain('untrusted');
    symlinkSync(join(where.workspace, 'config'), join(where.dir, 'link'));
    const linked = await loadHooklineConfig({
      workspace: where.workspace,
      configDir: join(where.dir, 'link'),
      trust: createTrustStore({ file: join(where.dir, 'trust', 'trust.json') }),
    });
    expect(linked.diagnostics.map(({ code }) => code)).toContain('untrusted');
    const before = { ...process.env };
    try {
      for (const value of ['', 'config', '.']) {
        process.env['XDG_CONFIG_HOME'] = value;
        process.env['CLAUDE_CONFIG_DIR'] = value;
        const own = await loadHooklineConfig({ workspace: where.workspace });
        const claude = await loadClaudeSettings({ workspace: where.workspace, managedFile: null });
        for (const file of [...own.files, ...claude.files]) expect(isAbsolute(file), file).toBe(true);
      }
    } finally {
      process.env = before;
    }
  });

  it('CF-3 a file that is no YAML, or a module that throws, disables itself with its place', async () => {
    const where = place();
    where.write('home/hookline.yaml', 'hooks: [');
    const file = where.write('bad.mjs', "throw new Error('no luck');");
    const { groups, diagnostics } = await load(where, [file, join(where.dir, 'missing.yaml')]);
    expect(groups).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['broken_file', 'broken_file', 'broken_file']);
    expect(diagnostics[1]?.message).toContain('no luck');
  });

  it('PF-1 CF-1 a command that will not be able to run is said at load, with its line', async () => {
    const where = place();
    where.write(
      'home/hookline.yaml',
      'hooks:\n  Stop:\n    - hooks:\n        - { type: command, command: ./missing.sh }\n',
    );
    expect(short(await load(where))).toEqual(['4:11 error missing_script']);
  });

  it('CF-6 in a workspace it cannot make itself binding', async () => {
    const where = place();
    where.write('workspace/hookline.yaml', YAML.replace('exit 2', 'exit 1'));
    const config = await load(where);
    expect(config.diagnostics).toMatchObject([{ code: 'ignored_key' }]);
    expect((await where.runner(config).fire('PreToolUse', bash())).decision).toBeUndefined();
  });

  it('CF-11 the schema for editors is that of the code; run npm run schemas', () => {
    const file = new URL('../../spec/schemas/hookline.config.json', import.meta.url);
    const generated = z.toJSONSchema(fileSchema, { io: 'input' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ properties: generated.properties });
  });
});
