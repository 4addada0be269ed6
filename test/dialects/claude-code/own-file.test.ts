/** Hookline's own configuration file. */
import { readFileSync, symlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { fileSchema } from '../../../src/dialects/hookline/file/schema.js';
import {
  createTrustStore,
  loadClaudeSettings,
  loadHooklineConfig,
  trustSubjects,
} from '../../../src/index.js';
import { bash } from '../../support/runner.js';
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
    loadHooklineConfig({ cwd: where.workspace, configDir: where.home, trust: 'workspace', files });

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

  it('OR-6 a group of a file may come last, after what is registered later', async () => {
    const where = place();
    where.write('home/hookline.yaml', YAML.replace('timeout: 5', 'last: true'));
    const runner = where.runner(await load(where));
    runner.on('PreToolUse', { name: 'first' }, () => undefined);
    const { results } = await runner.fire('PreToolUse', bash());
    expect(results.map(({ decision }) => decision)).toEqual([undefined, 'deny']);
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
      '11:11 error bad_hook',
      '13:3 error unknown_event',
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

  it('CF-17 a module of a workspace can be approved, and then counts', async () => {
    const where = place();
    const file = where.write(
      'workspace/hookline.mjs',
      "export default { Stop: [{ hooks: [() => ({ decision: 'block' })] }] };",
    );
    const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
    const loadIt = () => loadHooklineConfig({ cwd: where.workspace, configDir: where.home, trust });
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
      cwd: where.workspace,
      configDir: join(where.workspace, 'config'),
      trust: createTrustStore({ file: join(where.dir, 'trust', 'trust.json') }),
    });
    expect(inside.diagnostics.map(({ code }) => code)).toContain('untrusted');
    symlinkSync(join(where.workspace, 'config'), join(where.dir, 'link'));
    const linked = await loadHooklineConfig({
      cwd: where.workspace,
      configDir: join(where.dir, 'link'),
      trust: createTrustStore({ file: join(where.dir, 'trust', 'trust.json') }),
    });
    expect(linked.diagnostics.map(({ code }) => code)).toContain('untrusted');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const value of ['', 'config', '.']) {
      vi.stubEnv('XDG_CONFIG_HOME', value);
      vi.stubEnv('CLAUDE_CONFIG_DIR', value);
      const own = await loadHooklineConfig({ cwd: where.workspace });
      const claude = await loadClaudeSettings({ cwd: where.workspace, managedFile: null });
      for (const file of [...own.files, ...claude.files]) expect(isAbsolute(file), file).toBe(true);
    }
  });

  it('CF-3 a file that is not YAML, or a module that throws, disables itself with its place', async () => {
    const where = place();
    where.write('home/hookline.yaml', 'hooks:\n  Stop: [}\n');
    const file = where.write('bad.mjs', "\n  throw new Error('no luck.');");
    const config = await load(where, [file, join(where.dir, 'missing.yaml')]);
    expect(config.groups).toEqual([]);
    expect(short(config)).toEqual([
      '2:10 error broken_file',
      '2:9 error module_failed',
      '1:1 error unreadable_file',
    ]);
    expect(config.diagnostics[1]?.message).toBe(
      'The module cannot be imported: no luck. Nothing in it counts until it is repaired.',
    );
  });

  it.each([
    ['hookline.yaml', 'hooks:\n  Stop: []\n  Stop: []\n', '3:3', 'this key occurs twice'],
    ['hookline.yaml', 'hooks: {}\n---\nhooks: {}\n', '2:1', 'it contains several documents'],
    ['hookline.yaml', 'hooks:\n  Stop: *nobody\n', '2:9', '*nobody is undefined'],
    ['hookline.json', '{\n  "hooks": { "Stop": [ }\n}', '2:24', 'value expected, found "}"'],
    ['hookline.json', '{ "hooks": ', '1:12', 'value expected, found the end of the file'],
  ])('CF-3 %s that holds %j is broken at %s', async (name, text, where, what) => {
    const at = place();
    at.write(`home/${name}`, text);
    const config = await load(at);
    expect(short(config)).toEqual([`${where} error broken_file`]);
    expect(config.diagnostics[0]?.message).toContain(what);
    expect(config.diagnostics[0]?.message).not.toContain('..');
  });

  it.each([
    ['hookline.yaml', '', '1:1 error empty_file'],
    ['hookline.yaml', '# nothing yet\n', '1:1 error empty_file'],
    ['hookline.json', 'null', '1:1 error empty_file'],
    ['hookline.yaml', '- a\n', '1:1 error wrong_type'],
    ['hookline.yaml', 'hooks: 5\n', '1:8 error wrong_type'],
    ['hookline.yaml', 'Stop: []\nhooks: {}\n', '1:1 error misplaced_event'],
    ['hookline.yaml', 'hooks: {}\ncolour: red\n', '2:1 warning unknown_key'],
  ])('CF-1 %s that holds %j is reported: %s', async (name, text, told) => {
    const where = place();
    where.write(`home/${name}`, text);
    expect(short(await load(where))).toEqual([told]);
  });

  it.each([
    ['{ type: command, comand: ls }', '`comand` is unknown; `command` is missing: give a string'],
    ['{ type: comand, command: ls }', '`type` is "comand": give "command" or "http"'],
    ['{ command: ls }', '`type` is missing: give "command" or "http"'],
    ['{ type: command, command: yes }', undefined],
    ['{ type: command, command: true }', '`command` is true: give a string, "true" in quotes'],
    ['{ type: command, command: "" }', '`command` is "": give a string that is not empty'],
    ['{ type: command, command: ls, timeout: 5s }', '`timeout` is "5s": give seconds as a number above 0'],
    ['{ type: command, command: ls, args: x }', '`args` is "x": give a list'],
    ['{ type: http, url: nowhere }', '`url` is "nowhere": give a URL that begins with http://'],
    ['ls', 'it is "ls": give an object'],
  ])('CF-1 of the hook %s it is said in words what does not fit', async (hook, words) => {
    const where = place();
    where.write('home/hookline.yaml', `hooks:\n  Stop:\n    - hooks: [${hook}]\n`);
    const { diagnostics } = await load(where);
    const [first] = diagnostics.filter(({ code }) => code === 'bad_hook');
    if (words === undefined) expect(first).toBeUndefined();
    else expect(first?.message).toContain(`This hook is ignored: ${words}`);
  });

  it('CF-1 a timeout that is surely in milliseconds is doubted, in a group and in a hook', async () => {
    const where = place();
    where.write(
      'home/hookline.yaml',
      `hooks:
  Stop:
    - timeout: 5000
      hooks: [{ type: command, command: 'true', timeout: 3600 }, { type: command, command: 'true', timeout: 60000 }]
`,
    );
    expect(short(await load(where))).toEqual([
      '3:16 warning doubtful_timeout',
      '4:109 warning doubtful_timeout',
    ]);
  });

  it('CF-11 a module may have the level `hooks`, as the other files have it', async () => {
    const where = place();
    const file = where.write(
      'hooks.mjs',
      "export default { hooks: { Stop: [{ hooks: [() => ({ decision: 'block', reason: 'inner' })] }] } };",
    );
    const config = await load(where, [file]);
    expect(config.diagnostics).toEqual([]);
    const outcome = await where.runner(config).fire('Stop', { stop_hook_active: false });
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'inner' });
  });

  it.each([
    ['export const x = 1;', 'error bad_module', 'The module has no default export; write export default {'],
    ['export default 5;', 'error bad_module', 'The default export is 5, not an object of events; write'],
    ['export default { hooks: [] };', 'error bad_module', '`hooks` is '],
    ['export default { Stopp: [] };', 'error unknown_event', 'There is no event "Stopp". Did you mean Stop?'],
    ['export default { Setup: {} };', 'error bad_group', 'give a list of groups'],
    ['export default { Setup: [{}] };', 'error bad_group', 'has no list of hooks'],
  ])('CF-2 of the module %j the rest counts', async (text, told, words) => {
    const where = place();
    const whole = text.startsWith('export default { S')
      ? text.replace('{ S', '{ Stop: [{ hooks: [() => ({})] }], S')
      : text;
    const config = await load(where, [where.write('hooks.mjs', whole)]);
    expect(short(config)).toEqual([`1:1 ${told}`]);
    expect(config.diagnostics[0]?.message).toContain(words);
    expect(config.groups).toHaveLength(whole === text ? 0 : 1);
  });

  it('CF-7 every entry runs, and a file that is found in two ways is read once', async () => {
    const where = place();
    const file = where.write(
      'workspace/hookline.yaml',
      `hooks:
  Stop:
    - hooks: [{ type: command, command: echo x >> ran }, { type: command, command: echo x >> ran }]
    - hooks: [{ type: command, command: echo x >> ran }]
`,
    );
    symlinkSync(file, join(where.dir, 'link.yaml'));
    const config = await load(where, [file, join(where.dir, 'link.yaml')]);
    expect(config.groups.map(({ source }) => source.layer)).toEqual(['file', 'file']);
    await where.runner(config).fire('Stop', { stop_hook_active: false });
    expect(readFileSync(join(where.workspace, 'ran'), 'utf8')).toBe('x\nx\nx\n');
  });

  it('PF-1 CF-1 a command that will not be able to run is said at load, with its line', async () => {
    const where = place();
    where.write(
      'home/hookline.yaml',
      'hooks:\n  Stop:\n    - hooks:\n        - { type: command, command: ./missing.sh }\n',
    );
    expect(short(await load(where))).toEqual(['4:11 error missing_script']);
  });

  const FAILING = YAML.replace('exit 2', 'exit 1');
  it.each([
    ['a group', FAILING],
    [
      'a hook',
      FAILING.replace('      onFailure: block\n', '').replace(
        "exit 1'",
        "exit 1'\n          onFailure: block",
      ),
    ],
  ])('CF-6 TR-1 in a workspace the policy of %s counts once it is approved', async (_, text) => {
    const where = place();
    where.write('workspace/hookline.yaml', text);
    const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
    const loadIt = () => loadHooklineConfig({ cwd: where.workspace, configDir: where.home, trust });
    const decide = async () => (await where.runner(await loadIt()).fire('PreToolUse', bash())).decision;
    expect(await decide()).toBeUndefined();
    await trust.approve(where.workspace, trustSubjects(await loadIt()));
    expect((await loadIt()).diagnostics).toEqual([]);
    expect(await decide()).toBe('deny');
    where.write('workspace/hookline.yaml', text.replace('onFailure: block', 'onFailure: continue'));
    expect((await loadIt()).diagnostics).toMatchObject([{ code: 'modified' }]);
    expect((await where.runner(await load(where)).fire('PreToolUse', bash())).decision).toBeUndefined();
  });

  it('CF-6 CF-12 a broken guard of a workspace refuses when it is approved, and only then', async () => {
    const where = place();
    where.write(
      'workspace/hookline.yaml',
      'hooks: { Stop: [{ onFailure: block, hooks: [{ type: command }] }] }\n',
    );
    const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
    const loadIt = () => loadHooklineConfig({ cwd: where.workspace, configDir: where.home, trust });
    const decide = async () =>
      (await where.runner(await loadIt()).fire('Stop', { stop_hook_active: false })).decision;
    expect(await decide()).toBeUndefined();
    await trust.approve(where.workspace, trustSubjects(await loadIt()));
    expect(await decide()).toBe('deny');
  });

  it('CF-11 the schema for editors is that of the code; run npm run schemas', () => {
    const file = new URL('../../../spec/schemas/hookline.config.json', import.meta.url);
    const generated = z.toJSONSchema(fileSchema(), { io: 'input' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ properties: generated.properties });
  });
});
