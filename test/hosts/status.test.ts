/** `hookline status`: what is guarded, and what the host skips by its own rules. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folder as inProcess } from '../cli/support.js';
import { type Folder, MAIN, makeFolder } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function made(files: Readonly<Record<string, string>> = {}): Folder {
  const folder = makeFolder(files);
  folders.push(folder);
  return folder;
}

function writeAtHome({ home }: Folder, path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

async function scopeOf(folder: Folder, host: string, at: number) {
  const done = await folder.hookline(['status', '--host', host, '--json']);
  const [status] = JSON.parse(done.stdout).hosts;
  return { exit: done.exit, unguarded: status.unguarded, ...status.scopes[at] };
}

const HOOKS = 'hooks: { PreToolUse: [{ hooks: [{ type: command, command: "echo no >&2; exit 2" }] }] }';

/** What Codex 0.169.0 reports for our entry of PreToolUse, started as `hookline`. */
const HASH = 'sha256:228886c9d3bb09c8e8335fb6ef5dec4a39219fb63bc2919e5c4d70a47e6d2f56';

/** The same of the entry of a project. */
const PROJECT_HASH = 'sha256:f283dd043ccedfae9a9fbb8c45b61880932290253de64271738aa6d625a92208';

describe('the status of a host that skips what is not approved', () => {
  it('HS-17 Codex: an entry counts as approved with the hash that Codex stores, and no longer when it is changed', async () => {
    const folder = made();
    const install = (): Promise<unknown> =>
      folder.hookline(['install', '--host', 'codex', '--user', '--command', 'hookline']);
    await install();
    const untrusted = await scopeOf(folder, 'codex', 0);
    expect(untrusted).toMatchObject({ exit: 1, state: 'intact', approved: false, guarded: [] });
    const key = `${join(folder.home, '.codex/hooks.json')}:pre_tool_use:0:0`;
    const approve = (more = ''): void =>
      writeAtHome(
        folder,
        '.codex/config.toml',
        `# mine\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${HASH}"\n${more}`,
      );
    approve();
    const trusted = await scopeOf(folder, 'codex', 0);
    expect(trusted.guarded).toEqual(['PreToolUse']);
    expect(trusted.skipped).not.toContain('PreToolUse');
    approve('enabled = false\n');
    expect(await scopeOf(folder, 'codex', 0)).toMatchObject({
      exit: 1,
      guarded: [],
      switchedOff: [{ key: `hooks.state."${key}".enabled`, events: ['PreToolUse'] }],
    });
    approve();
    await folder.hookline(['install', '--host', 'codex', '--user', '--command', 'hookline2']);
    expect((await scopeOf(folder, 'codex', 0)).guarded).toEqual([]);
  });

  it('HS-17 Codex: hooks of a project are skipped until the project is trusted', async () => {
    const folder = made();
    await folder.hookline(['install', '--host', 'codex', '--project', '--command', 'hookline']);
    const key = `${join(folder.project, '.codex/hooks.json')}:pre_tool_use:0:0`;
    const state = `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${PROJECT_HASH}"\n`;
    writeAtHome(folder, '.codex/config.toml', state);
    expect((await scopeOf(folder, 'codex', 1)).guarded).toEqual([]);
    const project = `[projects.${JSON.stringify(folder.project)}]\ntrust_level = "trusted"\n`;
    writeAtHome(folder, '.codex/config.toml', project + state);
    expect((await scopeOf(folder, 'codex', 1)).guarded).toEqual(['PreToolUse']);
  });

  it('HS-17 Copilot: hooks of a repository are skipped until its folder is trusted; those of the user never', async () => {
    const folder = made({ 'hookline.yaml': HOOKS });
    await folder.hookline(['install', '--host', 'copilot', '--project']);
    // On a machine without the host, such as one for CI, that is no failure.
    expect(await scopeOf(folder, 'copilot', 1)).toMatchObject({ exit: 0, approved: false });
    mkdirSync(join(folder.home, '.copilot'));
    expect(await scopeOf(folder, 'copilot', 1)).toMatchObject({ exit: 1, approved: false, guarded: [] });
    writeAtHome(folder, '.copilot/config.json', `// mine\n{"trusted_folders":["${folder.project}"]}`);
    expect(await scopeOf(folder, 'copilot', 1)).toMatchObject({ exit: 0, approved: true, skipped: [] });
    await folder.hookline(['uninstall', '--host', 'copilot', '--project']);
    await folder.hookline(['install', '--host', 'copilot', '--user']);
    expect(await scopeOf(folder, 'copilot', 0)).toMatchObject({ exit: 0, approved: true });
  });

  it('HS-17 names the events that are never guarded', async () => {
    const folder = made();
    const { unguarded } = await scopeOf(folder, 'gemini', 0);
    expect(unguarded).toEqual(['BeforeModel', 'AfterModel', 'BeforeToolSelection', 'PreCompress']);
  });

  it('install says what is still to do in the host', async () => {
    const folder = made();
    const done = await folder.hookline(['install', '--host', 'codex', '--project']);
    expect(done.stdout).toContain('approve them with /hooks');
  });
});

describe('the status of a host whose own settings turn hooks off', () => {
  /** A file of the host gets these keys beside what is there. */
  function setKeys(file: string, keys: object): void {
    mkdirSync(dirname(file), { recursive: true });
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    writeFileSync(file, JSON.stringify({ ...before, ...keys }));
  }
  const off = { disableAllHooks: true };
  const noHooks = { hooksConfig: { enabled: false } };

  it.each([
    ['gemini', 'user', 'home/.gemini/settings.json', noHooks, 'hooksConfig.enabled'],
    ['gemini', 'user', 'project/.gemini/settings.json', noHooks, 'hooksConfig.enabled'],
    ['gemini', 'project', 'home/.gemini/settings.json', noHooks, 'hooksConfig.enabled'],
    ['qwen', 'user', 'home/.qwen/settings.json', off, 'disableAllHooks'],
    ['qwen', 'project', 'project/.qwen/settings.json', off, 'disableAllHooks'],
    ['codex', 'user', 'home/.codex/config.toml', '[features]\nhooks = false\n', 'features.hooks'],
    ['codex', 'user', 'project/.codex/config.toml', '[features]\ncodex_hooks = false\n', 'features.hooks'],
    ['copilot', 'user', 'home/.copilot/hooks/hookline.json', off, 'disableAllHooks'],
    ['copilot', 'user', 'project/.github/copilot/settings.json', off, 'disableAllHooks'],
    ['copilot', 'project', 'project/.claude/settings.local.json', off, 'disableAllHooks'],
  ])('HS-17 HS-32 %s, entries of the %s, set in %s', async (host, scope, path, keys, key) => {
    const folder = made({ 'hookline.yaml': HOOKS });
    await folder.call(['install', '--host', host, `--${scope}`, '--command', 'node']);
    const file = join(folder.dir, path);
    const installed = await folder.call(['status', '--host', host]);
    expect(installed.stdout).not.toContain('turns hooks off');
    if (typeof keys === 'string') writeAtHome(folder, join('..', path), keys);
    else setKeys(file, keys);
    const done = await folder.call(['status', '--host', host]);
    expect(done.exit).toBe(1);
    expect(done.stdout).toContain(`The setting \`${key}\` in ${file} turns hooks off in`);
    expect(done.stdout).toContain('Remove it from that file.');
    const json = JSON.parse((await folder.call(['status', '--host', host, '--json'])).stdout);
    const [status] = json.hosts;
    expect(json).toMatchObject({ guarded: false, problem: expect.stringContaining(file) });
    expect(status.scopes[scope === 'user' ? 0 : 1]).toMatchObject({
      guarded: [],
      switchedOff: [{ file, key }],
    });
    const again = await folder.call(['install', '--host', host, `--${scope}`, '--command', 'node']);
    expect(again.stderr).toContain('turns hooks off in');
  });

  it('HS-17 HS-32 a switch that names another hook, or hooks of another file, turns off no entry', async () => {
    const folder = made({ 'hookline.yaml': HOOKS });
    for (const host of ['gemini', 'copilot'])
      await folder.call(['install', '--host', host, '--user', '--command', 'node']);
    const line = JSON.parse(readFileSync(join(folder.home, '.gemini/settings.json'), 'utf8')).hooks
      .BeforeTool[0].hooks[0].command;
    setKeys(join(folder.home, '.gemini/settings.json'), {
      hooksConfig: { disabled: ['mine'], enabled: true },
    });
    for (const path of ['settings.json', 'hooks/other.json'])
      setKeys(join(folder.home, '.copilot', path), off);
    for (const host of ['gemini', 'copilot'])
      expect(await scopeOf(folder, host, 0), host).toMatchObject({ exit: 0, switchedOff: [] });
    setKeys(join(folder.home, '.gemini/settings.json'), { hooksConfig: { disabled: ['mine', line] } });
    const { exit, guarded, switchedOff } = await scopeOf(folder, 'gemini', 0);
    expect([exit, switchedOff[0].events]).toEqual([1, ['BeforeTool']]);
    expect(guarded).toContain('AfterTool');
    expect(guarded).not.toContain('BeforeTool');
  });
});

describe('the exit code of status', () => {
  const GEMINI = '.gemini/settings.json';

  it('HS-32 is 1 when nothing is installed, with what to do', async () => {
    const own = inProcess();
    const done = await own.call(['status']);
    expect(done).toMatchObject({ code: 1, out: expect.stringContaining('hookline install --host') });
    const json = (await own.call(['status', '--host', 'all', '--json'])).json();
    expect(json).toMatchObject({ guarded: false, problem: expect.stringContaining('Nothing is installed') });
  });

  it('HS-32 the hooks of the folder count for the entries of a project: gone, broken, or to be approved', async () => {
    const own = inProcess();
    const status = async () => {
      const done = await own.call(['status', '--host', 'gemini', '--json']);
      const { folder, guarded } = done.json<{ folder: { state: string }; guarded: boolean }>();
      return [folder.state, guarded, done.code];
    };
    await own.call(['install', '--host', 'gemini', '--command', 'node']);
    expect(await status()).toEqual(['none', false, 1]);
    own.write('hookline.yaml', HOOKS);
    // The bridge refuses meanwhile: the host is guarded.
    expect(await status()).toEqual(['unapproved', true, 0]);
    await own.call(['trust', 'approve', '--yes']);
    expect(await status()).toEqual(['approved', true, 0]);
    own.write('hookline.yaml', 'hooks: [');
    expect(await status()).toEqual(['broken', false, 1]);
    expect((await own.call(['status', '--host', 'gemini'])).out).toContain('hookline.yaml:1');
  });

  it('HS-32 an entry whose program is gone does not guard; nothing is run to see it', async () => {
    const own = inProcess();
    own.write('hookline.yaml', HOOKS);
    const ran = join(own.dir, 'ran');
    const program = own.write('bin/line', `#!/bin/sh\ntouch ${ran}\n`);
    const status = async (line: string) => {
      await own.call(['install', '--host', 'gemini', '--command', line]);
      rmSync(ran, { force: true });
      const done = await own.call(['status', '--host', 'gemini']);
      expect(existsSync(ran)).toBe(false);
      return done;
    };
    for (const line of ['./bin/line', `'${program}'`, 'node', `X=1 ${process.execPath} ${MAIN}`])
      expect(await status(line), line).toMatchObject({ code: 0 });
    for (const line of ['./bin/none', 'no-such-program', `${process.execPath} ${MAIN}.old.js`])
      expect(await status(line), line).toMatchObject({
        code: 1,
        out: expect.stringContaining('does not work'),
      });
    // Only a call shows that this program refuses nothing.
    await status('./bin/line');
    const canary = await own.call(['status', '--host', 'gemini', '--canary']);
    expect(canary).toMatchObject({ code: 1, out: expect.stringContaining('must be refused was not') });
    expect(existsSync(ran)).toBe(true);
    await own.call(['install', '--host', 'gemini', '--command', `${process.execPath} ${MAIN}`]);
    expect(await own.call(['status', '--host', 'gemini', '--canary'])).toMatchObject({ code: 0 });
    const text = readFileSync(join(own.workspace, GEMINI), 'utf8');
    own.write(GEMINI, text.replaceAll(' --require .', ''));
    expect(await own.call(['status'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('missing or changed'),
    });
  });

  it('HS-30 install says that a folder has no hooks yet', async () => {
    const own = inProcess();
    const args = ['install', '--host', 'gemini', '--command', 'node'];
    expect((await own.call(args)).err).toContain('has no hooks yet');
    own.write('hookline.yaml', HOOKS);
    expect((await own.call(args)).err).not.toContain('has no hooks yet');
  });
});
