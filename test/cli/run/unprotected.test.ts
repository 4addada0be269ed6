/** `hookline run` does not start unattended while something that protects cannot be read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { refuseUnprotected } from '../../../src/cli/run/refuse-unprotected.js';
import type { Diagnostic } from '../../../src/index.js';
import { folder, settings } from '../support.js';
import { missingTerminal, openTerminal } from './pseudo-terminal.js';
import { type Place, place } from './support.js';

const TOUCH = [{ tools: [{ name: 'Bash', input: { command: 'touch ran' } }] }, { text: 'Done.' }];
const GO = ['-p', 'go', '--script', 'turns.json', '--dangerously-skip-permissions'];
const GUARD = { type: 'command', command: 'exit 2' };

/** What the user has written, and what is said about it. */
const LOST: readonly (readonly [content: unknown, told: RegExp])[] = [
  [
    { permissions: { deny: ['Bash(touch *'] } },
    /settings\.json:4:7: The permission rule "Bash\(touch \*" cannot/,
  ],
  [
    { permissions: { ask: ['bash(touch *)'] } },
    /settings\.json:4:7: The permission rule "bash\(touch \*\)" cannot.*did you mean `Bash\(…\)`\?/,
  ],
  [
    { permissions: { deny: 'Bash' } },
    /settings\.json:3:13: `deny` is not a list.*write \["Bash\(git diff:\*\)"\]/,
  ],
  [{ permissions: 'Bash' }, /settings\.json:2:18: `permissions` is no object; write \{ "deny"/],
  [
    '{ "permissions": ',
    /settings\.json:1:18: The file cannot be read.*\n {4}to do: Open the file at this line/,
  ],
  [
    settings('PreToolUse', [{ type: 'command', comand: 'exit 2' }]),
    /settings\.json:6:11: A command for PreToolUse.*\n {4}to do: Write command instead of comand\./,
  ],
  [
    settings('PreToolUse', [GUARD], { matcher: '(Bash' }),
    /settings\.json:5:20: The matcher "\(Bash" cannot be used.*\n {4}to do: Correct the matcher/,
  ],
  [
    settings('PreToolUs', [GUARD]),
    /settings\.json:3:5: There is no event "PreToolUs"\. Did you mean PreToolUse\?/,
  ],
];

describe('settings of the user in which something that protects cannot be read', () => {
  it.each(LOST)('RU-13 %j stop a start, with place and cure', async (content, told) => {
    const { call, write, writeUser } = folder();
    write('turns.json', TOUCH);
    writeUser(content);
    for (const command of ['run', 'serve']) {
      const { code, out, err } = await call([command, 'go', '--script', 'turns.json']);
      expect(err).toMatch(told);
      expect(err).toContain('Not started. Repair it, or give --ignore-broken-settings to start without it.');
      expect([code, out]).toEqual([78, '']);
    }
  });

  it('RU-13 stop nobody who does not read them', async () => {
    const { call, writeUser } = folder();
    writeUser('{ "permissions": ');
    const { err } = await call(['run', 'go', '--script', 'nowhere.json', '--no-user']);
    expect(err).toContain('The script');
    expect(err).not.toContain('Not started');
  });

  it('RU-13 so do those of a file that the caller names', async () => {
    const { call, write } = folder();
    write('turns.json', TOUCH);
    write('named.json', settings('PreToolUs', [GUARD]));
    write('named.yaml', 'hooks:\n  PreToolUs: []\n');
    write('massgen.yaml', 'hooks:\n  PreToolUs: []\n');
    const named = ['--settings', 'named.json', '--settings', 'named.yaml', '--massgen', 'massgen.yaml'];
    const { code, err } = await call(['run', 'go', '--script', 'turns.json', ...named]);
    expect(err.match(/There is no event "PreToolUs"/g)).toHaveLength(3);
    expect(code).toBe(78);
  });
});

/** The same as processes, with a home whose settings are given. */
function home(content: unknown): Place {
  const where = place();
  where.write('turns.json', TOUCH);
  where.write('../home/.claude/settings.json', content);
  return where;
}

describe('starting anyway', () => {
  it('RU-13 is what --ignore-broken-settings means, and what is left out is said', async () => {
    const where = home(settings('PreToolUs', [GUARD]));
    const { code, out, err } = await where.run([...GO, '--ignore-broken-settings']);
    expect(err).toMatch(/^hookline: .*settings\.json:\d+:\d+: There is no event "PreToolUs".*\n$/);
    expect([code, out]).toEqual([0, 'Done.\n']);
    expect(where.has('ran')).toBe(true);
  });

  it('RU-13 RU-5 is what happens where only hooks for other hosts are left out, and they are named', async () => {
    const where = home({ ...settings('WorktreeCreate', [GUARD]), permissions: { allow: 'Bash' } });
    const { code, err } = await where.run(GO);
    expect(err).toContain('The agent of hookline never fires WorktreeCreate: it has no worktrees.');
    expect(err).toContain('`allow` is not a list');
    expect(code).toBe(0);
  });

  it('RU-13 CF-29 is what happens with rules for tools of other agents', async () => {
    const where = home({ permissions: { deny: ['PowerShell(Remove-Item *)'], allow: ['SlashCommand(/x)'] } });
    expect(await where.run(GO)).toMatchObject({ code: 0, err: '' });
  });

  it('RU-13 is refused where the file of a workspace is broken and something of it was approved', async () => {
    const { call, write } = folder();
    write('turns.json', TOUCH);
    write('.claude/settings.json', settings('PreToolUse', ['exit 2']));
    write('.claude/settings.local.json', settings('PreToolUs', ['exit 2']));
    await call(['trust', 'approve', '--yes']);
    write('.claude/settings.json', settings('PreToolUs', ['exit 2']));
    const { code, err } = await call(['run', 'go', '--script', 'turns.json']);
    expect(err).toContain('.claude/settings.json:3:5: There is no event "PreToolUs"');
    expect(err).not.toContain('.claude/settings.local.json');
    expect(code).toBe(78);
  });

  it('RU-13 is not refused because of a workspace of which nothing was approved', async () => {
    const where = home({});
    where.write('.claude/settings.json', settings('PreToolUs', [GUARD]));
    const { code, err } = await where.run(GO);
    expect(err).toContain('There is no event "PreToolUs"');
    expect(code).toBe(0);
  });
});

describe('settings of the administrator', () => {
  it('RU-13 are binding: nobody is asked, and no option goes on without them', async () => {
    const source = { layer: 'managed', file: '/etc/managed.json', line: 2, column: 3 } as const;
    const lost: Diagnostic = {
      severity: 'error',
      code: 'x',
      message: 'It is lost.',
      source,
      failsOpen: true,
    };
    const hooks = {
      cwd: '/',
      hosts: [],
      configs: [],
      diagnostics: [],
      entries: [],
      reloads: new Map(),
      check: async () => [],
    };
    const confirm = vi.fn(async () => true);
    const start = { cwd: '/', ignored: true, report: () => {}, confirm };
    await expect(refuseUnprotected(hooks, [lost], start)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(
        /\/?etc\/managed\.json:2:3: It is lost\.\nNot started.*ask your administrator/,
      ),
    });
    expect(confirm).not.toHaveBeenCalled();
  });
});

describe.skipIf(missingTerminal !== undefined)(
  `at a pseudo terminal${missingTerminal ? ` (${missingTerminal})` : ''}`,
  () => {
    it.each([
      ['y', 0],
      ['n', 78],
      ['', 78],
    ])('RU-13 it is asked whether to start without it: %j', async (answer, code) => {
      const where = home(settings('PreToolUs', [GUARD]));
      const dir = join(where.workspace, '..', 'home');
      const env = {
        HOME: dir,
        CLAUDE_CONFIG_DIR: join(dir, '.claude'),
        HOOKLINE_HOME: join(dir, '.hookline'),
      };
      const terminal = openTerminal(['run', '--script', 'turns.json'], { cwd: where.workspace, env });
      await terminal.see(/There\s+is\s+no\s+event\s+"PreToolUs"/);
      await terminal.see('Start without it? [y/N] ');
      terminal.type(`${answer}\r`);
      if (code === 0) {
        await terminal.see('› ');
        terminal.type('/exit\r');
      }
      expect(await terminal.exit).toBe(code);
    });
  },
);

describe('the env of settings', () => {
  it('RU-14 of the user reaches the Bash tool, that of the workspace does not', async () => {
    const where = home({ env: { OF_USER: 'user' } });
    writeFileSync(
      where.write('turns.json', ''),
      JSON.stringify([
        { tools: [{ name: 'Bash', input: { command: 'echo "$OF_USER,$OF_PROJECT" > said' } }] },
        { text: 'Done.' },
      ]),
    );
    where.write('.claude/settings.json', { env: { OF_PROJECT: 'project' } });
    expect((await where.run([...GO, '--trust-workspace'])).code).toBe(0);
    expect(where.read('said')).toBe('user,\n');
  });
});
