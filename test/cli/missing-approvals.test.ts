/** When an approved guard counts as gone: which folders, files, modules and rules are looked at, and which are not. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTrustStore, loadClaudeSettings, loadHooklineConfig, Runner } from '../../src/index.js';
import { bridged, fire, GUARD, gone, guarded } from './guarded-folder.js';
import { folder } from './support.js';

describe('nothing is missing', () => {
  it('TR-23 in a folder in which nothing was approved', async () => {
    const where = await guarded();
    const fresh = join(where.dir, 'fresh');
    mkdirSync(fresh);
    expect(await fire(where, 'Bash', fresh)).toBeUndefined();
    expect(await bridged(where, { cwd: fresh })).toBeUndefined();
    expect((await where.call(['list'], { cwd: fresh })).err).toBe('');
  });

  it('TR-23 in a folder that was moved or copied: its hooks wait for their approval there', async () => {
    const where = await guarded();
    const [copy, moved] = [join(where.dir, 'copy'), join(where.dir, 'moved')];
    cpSync(where.workspace, copy, { recursive: true });
    renameSync(where.workspace, moved);
    for (const cwd of [copy, moved]) {
      expect((await where.call(['trust', '--json'], { cwd })).json()).toMatchObject([
        { status: 'untrusted' },
      ]);
      expect(await fire(where, 'Bash', cwd)).toBeUndefined();
    }
    // The approvals of a folder that is no more can be withdrawn.
    mkdirSync(where.workspace);
    expect(await fire(where)).toContain('./guard.sh was approved');
    await where.call(['trust', 'revoke']);
    expect(await fire(where)).toBeUndefined();
  });

  it('TR-23 for a loader that does not read its file', async () => {
    const where = await guarded();
    const hooks = [{ type: 'command', command: './guard.sh' }];
    where.write('.gemini/settings.json', { hooks: { BeforeTool: [{ matcher: '.*', hooks }] } });
    where.write('hookline.yaml', GUARD);
    await where.call(['trust', 'approve', '--yes', '--hooks-of', 'gemini']);
    rmSync(join(where.workspace, '.gemini'), { recursive: true });
    expect(await fire(where, 'Read')).toBeUndefined();
    expect(
      (await where.call(['fire', 'PreToolUse', '--hooks-of', 'gemini', '--set', 'tool_name=Read'])).code,
    ).toBe(2);
    const told = (await where.call(['list', '--hooks-of', 'gemini'])).err;
    expect(told).toContain('hookline trust approve --hooks-of gemini');
    expect((await loadClaudeSettings({ cwd: where.workspace })).missing).toBeUndefined();
  });

  it('TR-23 of approvals that name no file', async () => {
    const { workspace } = await guarded();
    const handler = { type: 'command', command: 'exit 2' };
    const subject = { event: 'PreToolUse', handler, workspace };
    await createTrustStore().approve(workspace, [subject]);
    for (const load of [loadClaudeSettings, loadHooklineConfig])
      expect((await load({ cwd: workspace })).missing).toBeUndefined();
  });

  it('TR-23 if a hook that cannot refuse is gone: that is only said', async () => {
    const where = await guarded();
    where.write(
      'hookline.yaml',
      `${GUARD}  PostToolUse:\n    - hooks: [{ type: command, command: ./guard.sh }]\n`,
    );
    await where.call(['trust', 'approve', '--yes']);
    where.write('hookline.yaml', GUARD);
    expect(await where.call(['fire', 'PostToolUse'])).toMatchObject({ code: 0 });
    expect((await where.call(['check'])).out).toContain('(removed_watcher)');
    expect((await where.call(['trust'])).out).toMatch(/removed {4}\S+ {2}PostToolUse/);
    expect(await where.call(['trust', 'approve', '--yes'])).toMatchObject({ code: 0 });
    expect((await where.call(['check'])).out).not.toContain('removed');
  });

  it('TR-23 of hooks that another name of the file brings as they were', async () => {
    const where = await guarded();
    renameSync(join(where.workspace, 'hookline.yaml'), join(where.workspace, 'hookline.yml'));
    expect(await fire(where)).toBe('guarded');
    expect(await where.call(['trust'])).toMatchObject({ code: 0 });
  });
});

describe('a module that was approved', () => {
  it('TR-23 and is gone keeps what uses it from starting, because nobody knows what it guarded', async () => {
    const where = folder();
    where.write('hookline.mjs', 'export default { PreToolUse: [] };');
    await where.call(['trust', 'approve', '--yes']);
    const load = () => loadHooklineConfig({ cwd: where.workspace });
    expect((await load()).missing).toBeUndefined();
    rmSync(join(where.workspace, 'hookline.mjs'));
    const runner = new Runner({ cwd: where.workspace, onWarning: () => {} });
    const config = await load();
    expect(() => runner.use(config)).toThrow('hookline.mjs was approved and is gone');
    const run = await where.call([
      'run',
      '-p',
      'go',
      '--script',
      where.write('turns.json', [{ text: 'Done.' }]),
    ]);
    expect([run.code, run.err]).toEqual([78, expect.stringContaining('hookline trust approve')]);
    expect(await bridged(where)).toContain('hookline.mjs was approved and is gone');
    await where.call(['trust', 'approve', '--yes']);
    runner.use(await load());
    await runner.dispose();
  });
});

describe('the folders of a call of another host', () => {
  it('HS-29 a folder below finds the guard that is gone', async () => {
    const where = await guarded();
    const below = join(where.workspace, 'src');
    mkdirSync(below);
    gone(where);
    expect(await bridged(where, { cwd: below })).toContain('./guard.sh was approved');
  });

  it.each([
    ['a file without hooks', 'sub/hookline.yaml', 'hooks: {}'],
    ['a repository', 'sub/.git/HEAD', ''],
  ])('HS-29 neither does %s hide a guard above', async (_, file, content) => {
    const where = await guarded();
    where.write(file, content);
    const cwd = join(where.workspace, 'sub');
    expect(await bridged(where, { cwd })).toBe('guarded');
    gone(where);
    expect(await bridged(where, { cwd })).toContain('./guard.sh was approved');
  });

  it('HS-29 nor a link in the place of a folder', async () => {
    const where = await guarded();
    const link = join(where.dir, 'link');
    symlinkSync(where.workspace, link);
    gone(where);
    expect(await bridged(where, { cwd: link })).toContain('./guard.sh was approved');
  });
});

describe('the rules of a folder that were approved and are gone', () => {
  it('TR-26 still deny, and trust approve accepts that they are gone', async () => {
    const where = folder();
    where.write('turns.json', [
      { tools: [{ name: 'Bash', input: { command: 'touch ran' } }] },
      { text: 'Done.' },
    ]);
    const file = where.write('.claude/settings.json', {
      permissions: { allow: ['Read'], deny: ['Bash(touch:*)'] },
    });
    await where.call(['trust', 'approve', '--yes']);
    rmSync(file);
    const run = () =>
      where.call(['run', '-p', 'go', '--script', 'turns.json', '--dangerously-skip-permissions']);
    expect((await run()).err).toContain('Bash(touch:*) still counts, as approved');
    expect(existsSync(join(where.workspace, 'ran'))).toBe(false);
    expect((await where.call(['trust'])).out).toMatch(
      /^removed .*permissions.*\n {4}permissions of \.claude/,
    );
    await where.call(['trust', 'approve', '--yes']);
    await run();
    expect(existsSync(join(where.workspace, 'ran'))).toBe(true);
  });
});
