/** `hookline status`: what is guarded, and what the host skips by its own rules. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Folder, makeFolder } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function made(): Folder {
  const folder = makeFolder();
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

/** What Codex 0.166.0 and 0.169.0 report for our entry of PreToolUse, started as `hookline`. */
const HASH = 'sha256:fae022f799fa0110b96630c7dc473dfa47a395541a7cfb7a5c760643306910e3';

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
    expect((await scopeOf(folder, 'codex', 0)).guarded).toEqual([]);
    approve();
    await folder.hookline(['install', '--host', 'codex', '--user', '--command', 'hookline2']);
    expect((await scopeOf(folder, 'codex', 0)).guarded).toEqual([]);
  });

  it('HS-17 Codex: hooks of a project are skipped until the project is trusted', async () => {
    const folder = made();
    await folder.hookline(['install', '--host', 'codex', '--project', '--command', 'hookline']);
    const key = `${join(folder.project, '.codex/hooks.json')}:pre_tool_use:0:0`;
    const state = `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${HASH}"\n`;
    writeAtHome(folder, '.codex/config.toml', state);
    expect((await scopeOf(folder, 'codex', 1)).guarded).toEqual([]);
    const project = `[projects.${JSON.stringify(folder.project)}]\ntrust_level = "trusted"\n`;
    writeAtHome(folder, '.codex/config.toml', project + state);
    expect((await scopeOf(folder, 'codex', 1)).guarded).toEqual(['PreToolUse']);
  });

  it('HS-17 Copilot: hooks of a repository are skipped until its folder is trusted; those of the user never', async () => {
    const folder = made();
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
