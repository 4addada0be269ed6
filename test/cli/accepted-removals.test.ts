/** A guard that was approved and is gone: what is said about it, and how its user decides. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTrustStore, loadClaudeSettings, loadHooklineConfig, Runner } from '../../src/index.js';
import { bash } from '../support/runner.js';
import { bridged, fingerprints, fire, GUARD, gone, guarded } from './guarded-folder.js';
import { type CallOptions, folder, settings } from './support.js';

describe('a guard that is gone', () => {
  it('TR-23 refuses what it would have judged and nothing else, and says which it is and what to do', async () => {
    const where = await guarded();
    gone(where);
    expect(await fire(where)).toMatch(
      /\.\/guard\.sh was approved for PreToolUse Bash, and hookline\.yaml does not have it any more as it was approved.*Restore it, or accept that it is gone: hookline trust approve/,
    );
    expect(await fire(where, 'Read')).toBeUndefined();
    expect(await where.call(['fire', 'Stop'])).toMatchObject({ code: 0 });
  });

  it('TR-23 refuses by itself where it is there and has changed, and is not said to be gone', async () => {
    const where = await guarded();
    where.write('guard.sh', '#!/bin/sh\nexit 0\n');
    expect(await fire(where)).toContain('has changed since it was approved');
    const { err } = await where.call(['list']);
    expect(err).toContain('./guard.sh');
    expect(err).not.toContain('no longer there as approved');
  });

  it('TR-23 refuses only calls that met its condition', async () => {
    const where = await guarded();
    const hook = { type: 'command', command: './guard.sh', if: 'Bash(git push:*)' };
    where.write('.claude/settings.json', settings('PreToolUse', [hook], { matcher: 'Bash' }));
    await where.call(['trust', 'approve', '--yes']);
    where.write('hookline.yaml', 'hooks: {}');
    rmSync(join(where.workspace, '.claude'), { recursive: true });
    await where.call(['trust', 'approve', '--yes', ...(await fingerprints(where, 'hookline.yaml'))]);
    const refused = async (command: string) =>
      (await where.call(['fire', 'PreToolUse', '--json', '--set', `tool_input.command=${command}`])).json<{
        decision?: string;
      }>().decision;
    expect([await refused('git push origin'), await refused('ls')]).toEqual(['deny', undefined]);
  });

  it('TR-23 a skill’s and an agent’s guards refuse where these are used', async () => {
    const where = await guarded();
    const hooks = JSON.stringify(settings('PreToolUse', ['./guard.sh'])['hooks']);
    where.write('.claude/skills/deploy/SKILL.md', `---\nhooks: ${hooks}\n---\nDeploy.`);
    where.write('.claude/agents/helper.md', `---\nname: helper\nhooks: ${hooks}\n---\nHelp.`);
    await where.call(['trust', 'approve', '--yes']);
    rmSync(join(where.workspace, '.claude'), { recursive: true });
    where.write('hookline.yaml', GUARD.replace('Bash', 'Never'));
    await where.call(['trust', 'approve', '--yes', ...(await fingerprints(where, 'hookline.yaml'))]);
    const runner = new Runner({ cwd: where.workspace, onWarning: () => {} });
    runner.use(await loadClaudeSettings({ cwd: where.workspace }));
    const decision = async (more: object) =>
      (await runner.fire('PreToolUse', { ...bash('ls'), ...more })).decision;
    expect(await decision({})).toBeUndefined();
    expect(await decision({ active_skills: ['other'] })).toBeUndefined();
    expect(await decision({ active_skills: ['deploy'] })).toBe('deny');
    expect(await decision({ agent_id: 'a', agent_type: 'other' })).toBeUndefined();
    expect(await decision({ agent_id: 'a', agent_type: 'helper' })).toBe('deny');
    await runner.dispose();
  });

  it('TR-1 an agent that takes over the guards of another one has to be approved', async () => {
    const where = folder();
    const hooks = JSON.stringify(settings('PreToolUse', ['exit 2'])['hooks']);
    where.write('.claude/agents/helper.md', `---\nname: helper\nhooks: ${hooks}\n---\n`);
    await where.call(['trust', 'approve', '--yes']);
    where.write('.claude/agents/helper.md', `---\nname: other\nhooks: ${hooks}\n---\n`);
    expect((await where.call(['trust', '--json'])).json()).toMatchObject([{ status: 'modified' }]);
  });

  it.each(['"("', '5', '[]'])(
    'TR-24 a guard for all tools is not lost by the matcher %s',
    async (matcher) => {
      const { call, write } = await guarded();
      const files = {
        'hookline.json': 'PreToolUse',
        '.claude/settings.json': 'PreToolUse',
        '.gemini/settings.json': 'BeforeTool',
      };
      for (const [file, event] of Object.entries(files)) {
        const text = (group: string) =>
          `{"hooks":{"${event}":[{${group}"hooks":[{"type":"command","command":"echo all >&2; exit 2"}]}]}}`;
        write(file, text(''));
        await call(['trust', 'approve', '--yes', '--hooks-of', 'gemini']);
        const args = ['fire', 'PreToolUse', '--hooks-of', 'gemini', '--set', 'tool_name=Read'];
        expect(await call(args)).toMatchObject({ code: 2, out: expect.stringContaining('all') });
        write(file, text(`"matcher":${matcher},`));
        expect(await call(args)).toMatchObject({ code: 2, out: expect.stringContaining('approved') });
        write(file, '{"hooks":{}}');
        await call(['trust', 'approve', '--yes', '--hooks-of', 'gemini']);
      }
    },
  );

  it('TR-24 a plugin that only the folder enables is not switched off by it', async () => {
    const where = folder();
    const root = join(where.home, '.claude', 'plugins', 'cache', 'shop', 'guards');
    mkdirSync(join(root, '.claude-plugin'), { recursive: true });
    mkdirSync(join(root, 'hooks'));
    writeFileSync(join(root, '.claude-plugin', 'plugin.json'), '{"name":"guards"}');
    writeFileSync(
      join(root, 'hooks', 'hooks.json'),
      JSON.stringify(settings('PreToolUse', ['echo plugin >&2; exit 2'])),
    );
    where.write('.claude/settings.json', { enabledPlugins: { 'guards@shop': true } });
    await where.call(['trust', 'approve', '--yes']);
    expect(await fire(where)).toBe('plugin');
    where.write('.claude/settings.local.json', { enabledPlugins: { 'guards@shop': false } });
    expect(await fire(where)).toBe('plugin');
    rmSync(join(where.workspace, '.claude'), { recursive: true });
    expect(await fire(where)).toContain('echo plugin >&2; exit 2 was approved for PreToolUse');
    // As the user's own it runs without an approval.
    where.writeUser({ enabledPlugins: { 'guards@shop': true } });
    expect(await fire(where)).toBe('plugin');
    expect((await where.call(['list'])).err).toBe('');
    where.writeUser({});
    // Without the user's own folder, nothing of its plugins is looked for.
    expect(await where.call(['fire', 'PreToolUse', '--no-user'])).toMatchObject({ code: 0 });
  });

  it('TR-24 the guard of a command stays if a skill takes its name', async () => {
    const where = folder();
    const hooks = JSON.stringify(settings('PreToolUse', ['echo command >&2; exit 2'])['hooks']);
    where.write('.claude/commands/deploy.md', `---\nhooks: ${hooks}\n---\nDeploy.`);
    await where.call(['trust', 'approve', '--yes']);
    where.write('.claude/skills/deploy/SKILL.md', 'Deploy.');
    const set = ['--set', 'active_skills=["deploy"]'];
    const { out, code } = await where.call(['fire', 'PreToolUse', ...set]);
    expect([code, out]).toEqual([2, expect.stringContaining('command')]);
  });

  it('TR-23 a command whose name the user gives to a skill of their own keeps its approval, and does not refuse', async () => {
    const where = folder();
    const hooks = JSON.stringify(settings('PreToolUse', ['exit 2'])['hooks']);
    where.write('.claude/commands/deploy.md', `---\nhooks: ${hooks}\n---\nDeploy.`);
    await where.call(['trust', 'approve', '--yes']);
    const skill = join(where.home, '.claude', 'skills', 'deploy');
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), 'Deploy.');
    expect(await where.call(['trust'])).toMatchObject({ code: 0 });
    expect(await fire(where)).toBeUndefined();
  });

  it('TR-25 is named by every command that shows hooks', async () => {
    const where = await guarded();
    gone(where);
    const text =
      /Approved, and no longer there as approved.*:\n {2}hookline\.yaml {2}PreToolUse Bash {2}\.\/guard\.sh\n/;
    for (const command of [['list'], ['check'], ['fire', 'Stop'], ['explain', 'PreToolUse', 'Bash']])
      expect((await where.call(command)).err).toMatch(text);
    expect(await where.call(['check'])).toMatchObject({ code: 1 });
    expect((await where.call(['list'])).out).toMatch(/removed +Bash +\.\/guard\.sh +hookline\.yaml:1/);
    expect((await where.call(['list', '--json'])).json()).toMatchObject([
      { event: 'PreToolUse', matcher: 'Bash', active: false, inactive: { reason: 'removed' } },
    ]);
    expect((await where.call(['check', '--json'])).json()).toMatchObject({
      ok: false,
      problems: [{ code: 'removed', message: expect.stringContaining('./guard.sh was approved') }],
    });
    const doctor = await where.call(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringMatching(/1 removed\n.*guard\.sh/)]);
    expect((await where.call(['doctor', '--json'])).json()).toMatchObject({ hooks: [{ state: 'removed' }] });
    const status = (await where.call(['status', '--json'])).json<{ folder: object }>();
    expect(status.folder).toMatchObject({ state: 'removed', message: expect.stringContaining('guard.sh') });
    const run = await where.call([
      'run',
      '-p',
      'go',
      '--script',
      where.write('turns.json', [{ text: 'Done.' }]),
    ]);
    expect(run.err).toMatch(text);
  });

  it('CL-41 a file that is broken is still an error of its own', async () => {
    const where = await guarded();
    where.write('hookline.yaml', 'hooks: [');
    for (const command of [['list'], ['explain', 'PreToolUse', 'Bash'], ['trust']]) {
      const { code, err } = await where.call(command);
      expect([code, err]).toEqual([1, expect.stringMatching(/hookline\.yaml:1:\d+: The file/)]);
    }
    expect(await where.call(['fire', 'PreToolUse'])).toMatchObject({ code: 2 });
    expect(await where.call(['fire', 'Stop'])).toMatchObject({ code: 1 });
  });

  it('TR-25 a test or a replay would prove nothing', async () => {
    const where = await guarded();
    where.write(
      'guard.hookline.test.yaml',
      'tests:\n  - event: PreToolUse\n    expect: { decision: deny }\n',
    );
    gone(where);
    expect(await where.call(['test'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No test was run'),
    });
  });

  it('TR-25 trust lists it, and approve shows what it withdraws', async () => {
    const where = await guarded();
    gone(where);
    const shown = await where.call(['trust']);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(
      /^removed {4}[0-9a-f]{8} {2}PreToolUse Bash {2}hookline\.yaml:1\n {4}\.\/guard\.sh\n {4}approved, and gone/,
    );
    expect(shown.out).toContain('Restore it, or accept that it is gone: npx hookline trust approve');
    expect((await where.call(['trust', '--json'])).json()).toMatchObject([{ status: 'removed' }]);
    let asked = '';
    const options = { answer: true, onQuestion: (question: string) => (asked = question) };
    const done = await where.call(['trust', 'approve'], options as CallOptions);
    expect(asked).toBe('Accept that what is shown as removed is gone?');
    expect(done.out).toContain('Withdrew the approval of a hook that is gone.');
    expect(await where.call(['trust'])).toMatchObject({ code: 0 });
    expect(await fire(where)).toBeUndefined();
    expect((await where.call(['list'])).err).toBe('');
  });

  it('TR-25 nothing is withdrawn without an answer', async () => {
    const where = await guarded();
    gone(where);
    expect(await where.call(['trust', 'approve'])).toMatchObject({ code: 1 });
    expect(await where.call(['trust', 'approve'], { answer: false })).toMatchObject({ code: 1 });
    expect(await fire(where)).toContain('./guard.sh was approved');
  });
});

describe('its user', () => {
  it('TR-25 restores the file, and nothing else is to be done', async () => {
    const where = await guarded();
    gone(where);
    expect(await bridged(where)).toContain('./guard.sh was approved');
    where.write('hookline.yaml', GUARD);
    expect(await bridged(where)).toBe('guarded');
    expect(await where.call(['trust'])).toMatchObject({ code: 0 });
  });

  it('TR-25 accepts a changed guard: its old version does not refuse any more', async () => {
    const where = await guarded();
    where.write('hookline.yaml', GUARD.replace('Bash', 'Write'));
    expect(await fire(where)).toContain('./guard.sh was approved for PreToolUse Bash');
    const [fingerprint = ''] = await fingerprints(where, 'hookline.yaml');
    // The listing has the difference, so the old version is not listed again.
    const listed = (await where.call(['trust', '--json'])).json<{ status: string }[]>();
    expect(listed.map(({ status }) => status)).toEqual(['modified']);
    await where.call(['trust', 'approve', fingerprint.slice(0, 8)]);
    expect(await fire(where)).toBeUndefined();
    expect(await fire(where, 'Write')).toBe('guarded');
  });

  it.each([
    ['everything', []],
    ['this one', ['fingerprint']],
  ])('TR-25 revokes %s', async (_, chosen) => {
    const where = await guarded();
    gone(where);
    const [fingerprint = ''] = await fingerprints(where, 'hookline.yaml');
    const given = chosen.map(() => fingerprint.slice(0, 8));
    expect((await where.call(['trust', 'revoke', ...given])).out).toContain('Revoked 1 approvals.');
    expect(await fire(where)).toBeUndefined();
    expect(await bridged(where)).toBeUndefined();
  });

  it('TR-25 decides while a session runs', async () => {
    const where = await guarded();
    gone(where);
    const runner = new Runner({ cwd: where.workspace, onWarning: () => {} });
    const config = await loadHooklineConfig({ cwd: where.workspace });
    runner.use(config);
    expect((await runner.fire('PreToolUse', bash())).decision).toBe('deny');
    const gonePrints = (config.missing ?? []).map(({ fingerprint }) => fingerprint);
    expect(await createTrustStore().withdraw(where.workspace, gonePrints)).toBe(1);
    expect((await runner.fire('PreToolUse', bash())).decision).toBeUndefined();
    await runner.dispose();
  });

  it('TR-25 approves the folder for one call', async () => {
    const where = await guarded();
    gone(where);
    expect(await where.call(['fire', 'PreToolUse', '--trust-workspace'])).toMatchObject({ code: 0 });
  });

  it('TR-24 switches off approved hooks in the own settings, not in those of the folder', async () => {
    const where = await guarded();
    where.write('.claude/settings.json', { ...settings('PreToolUse', ['exit 2']), disableAllHooks: true });
    rmSync(join(where.workspace, 'hookline.yaml'));
    await where.call(['trust', 'approve', '--yes']);
    const { err, code } = await where.call(['fire', 'PreToolUse']);
    expect(code).toBe(2);
    expect((await where.call(['check'])).out).toContain('a file of the workspace cannot switch it off');
    expect(err).not.toContain('Approved, and no longer there');
    where.writeUser({ disableAllHooks: true });
    expect(await where.call(['fire', 'PreToolUse'])).toMatchObject({ code: 0 });
    // What is gone would have judged nothing.
    rmSync(join(where.workspace, '.claude'), { recursive: true });
    expect(await where.call(['fire', 'PreToolUse'])).toMatchObject({ code: 0 });
    where.writeUser({});
    expect(await where.call(['fire', 'PreToolUse'])).toMatchObject({ code: 2 });
  });
});
