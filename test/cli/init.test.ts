/** `hookline init`: a first hook that works. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from './support.js';

describe('init', () => {
  it.each([[[], 'hookline.yaml'] as const, [['--claude'], '.claude/settings.json'] as const])(
    'CL-26 %j writes a guard that denies, a test that passes, and files in which check finds nothing',
    async (argv, config) => {
      const { call, workspace } = folder();
      const { code, out } = await call(['init', ...argv]);
      expect(code).toBe(0);
      expect(out).toContain(`wrote  ${config}`);
      expect(existsSync(join(workspace, config))).toBe(true);
      const denied = await call(['fire', 'PreToolUse', '--set', 'tool_input.command=rm -rf /']);
      expect(denied.out).toContain("reason:      'rm -rf /' deletes without asking.");
      expect([denied.code, denied.err]).toEqual([2, '']);
      expect((await call(['test'])).code).toBe(0);
      const checked = await call(['check', '--strict']);
      expect([checked.code, checked.out]).toEqual([0, 'Fine: 1 hook checked, nothing found.\n']);
    },
  );

  it.each([
    ['rm -rf build', 2],
    ['cd x && rm -fr .', 2],
    ['rm -r --force x', 2],
    ['rm --recursive -f x', 2],
    ['rm -Rf x', 2],
    ['rm x -rf', 2],
    ['rm -r x; ls -f', 0],
    ['rm -r x', 0],
    ['rm x', 0],
    ['echo form -rf', 0],
    ['ls -rf', 0],
  ])('CL-26 the guard judges %j by exit code %i', async (line, exit) => {
    const { call } = folder();
    await call(['init']);
    const { code } = await call(['fire', 'PreToolUse', '--set', `tool_input.command=${line}`]);
    expect(code).toBe(exit);
  });

  it.each([[[], 'hooks/no-rm-rf.mjs'] as const, [['--claude'], '.claude/hooks/no-rm-rf.mjs'] as const])(
    'CL-26 %j the guard fails closed: when it crashes, nothing passes',
    async (argv, guard) => {
      const { call, write } = folder();
      await call(['init', ...argv]);
      write(guard, "throw new Error('not today');\n");
      await call(['trust', 'approve', '--yes']);
      const { code, out } = await call(['fire', 'PreToolUse', '--set', 'tool_input.command=ls']);
      expect(code).toBe(2);
      expect(out).toContain('failed and is set to block');
    },
  );

  it.each(['hookline.yaml', 'hooks/no-rm-rf.mjs', 'hookline.test.yaml'])(
    'CL-27 with a %s that is there it writes nothing',
    async (name) => {
      const { call, write, workspace } = folder();
      write(name, 'mine');
      const { code, err } = await call(['init']);
      expect(err).toContain(`${name} already exists, so nothing was written.`);
      expect(code).toBe(64);
      expect(readFileSync(join(workspace, name), 'utf8')).toBe('mine');
      expect(existsSync(join(workspace, 'hookline.yaml'))).toBe(name === 'hookline.yaml');
    },
  );

  it.each([[[]], [['--claude']]])(
    'CL-27 %j a second call finds its files, changes and approves nothing',
    async (argv) => {
      const { call } = folder();
      await call(['init', ...argv]);
      await call(['trust', 'revoke']);
      const { code, out, err } = await call(['init', ...argv]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('unchanged  hookline.test.yaml');
      expect(out).not.toMatch(/^approved/m);
      expect(out).toContain('Whether the hook is approved here, hookline trust shows.');
      const [hook] = (await call(['list', '--json'])).json<{ active: boolean }[]>();
      expect(hook?.active).toBe(false);
    },
  );

  it('CL-27 a second call refuses where one of its files was changed', async () => {
    const { call, write } = folder();
    await call(['init']);
    write('hookline.test.yaml', 'tests: []');
    const { code, err } = await call(['init']);
    expect(code).toBe(64);
    expect(err).toContain('already exists, so nothing was written.');
  });

  it('CL-27 approves its own hook only', async () => {
    const { call, write } = folder();
    write(
      'hookline.json',
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "true" }] }] } }',
    );
    write('.claude/settings.json', { hooks: {} });
    await call(['init']);
    const hooks = (await call(['list', '--json'])).json<{ active: boolean; source: { file: string } }[]>();
    expect(hooks.map(({ active, source }) => [source.file.endsWith('hookline.yaml'), active])).toEqual([
      [true, true],
      [false, false],
    ]);
  });
});
