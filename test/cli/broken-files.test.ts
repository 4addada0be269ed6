/** Files that are broken, and folders that look for hooks in the wrong place: no command looks complete when it is not. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { denying, folder, hooklineFile, settings } from './support.js';

const TRUST = '--trust-workspace';

/** Ways in which nothing of a file counts, and where. */
const BROKEN: readonly (readonly [file: string, text: string, told: string])[] = [
  ['.claude/settings.json', '{bad', '.claude/settings.json:1:2: The file cannot be read: "bad" is not JSON'],
  [
    '.claude/settings.json',
    '{\n  "hooks": { "Stop": [ }\n}',
    '.claude/settings.json:2:24: The file cannot be read',
  ],
  ['.claude/settings.json', '', '.claude/settings.json:1:1: The file cannot be read: it is empty'],
  ['.claude/settings.json', '{ "hook": { "Stop": [] } }', '.claude/settings.json:1:3: `hook` is unknown'],
  ['.claude/settings.json', '{ "Stop": [] }', '.claude/settings.json:1:3: `Stop` is beside `hooks`'],
  [
    '.claude/settings.json',
    '{ "hooks": { "Stop": [{ "hook": [] }] } }',
    '.claude/settings.json:1:23: A group of Stop',
  ],
  [
    '.claude/settings.json',
    '{ "hooks": { "Stpo": [] } }',
    '.claude/settings.json:1:14: There is no event "Stpo"',
  ],
  ['hookline.yaml', 'hooks:\n  Stop: [}\n', 'hookline.yaml:2:10: The file cannot be read'],
  ['hookline.yaml', '', 'hookline.yaml:1:1: The file is empty'],
  ['hookline.json', '{ "hooks": { "Stop": [ } }', 'hookline.json:1:24: The file cannot be read'],
  ['hookline.mjs', '\nthrow new Error("oops.");', 'hookline.mjs:2:7: The module cannot be imported: oops. '],
  ['hookline.mjs', 'export default 5;', 'hookline.mjs:1:1: The default export is 5'],
];

const COMMANDS: readonly (readonly string[])[] = [['list'], ['explain', 'Stop'], ['fire', 'Stop']];

describe('a broken file', () => {
  for (const [file, text, told] of BROKEN) {
    it.each(COMMANDS)(
      `CL-41 ${file} with ${JSON.stringify(text)} is named with its place by %s`,
      async (...argv) => {
        const { call, write } = folder();
        write(file, text);
        const { code, err, out } = await call([...argv, TRUST]);
        expect(err).toContain(told);
        expect(err).toContain('hookline check shows what to do.');
        expect(err.match(/hookline check shows/g)).toHaveLength(1);
        expect(out).not.toContain('hookline init');
        expect(code).toBe(1);
        expect((await call(['check', TRUST])).code).toBe(1);
      },
    );
  }

  const misspelt: readonly (readonly [string, string])[] = [
    ['.claude/settings.json', '{ "hooks": { "PreToolUs": [] } }'],
    ['hookline.yaml', 'hooks:\n  PreToolUs: []\n'],
  ];
  for (const [file, text] of misspelt)
    it.each([
      [['status'], 1],
      [['status', '--json'], 1],
      [['install', '--host', 'gemini', '--dry-run'], 0],
      [['export', '--host', 'gemini'], 1],
      [['export', '--host', 'gemini', '--json'], 1],
    ] as const)(`CL-41 an event of ${file} that does not exist is named by %s`, async (argv, exit) => {
      const { call, write } = folder();
      write(file, text);
      const { code, err } = await call([...argv]);
      expect(err).toContain('There is no event "PreToolUs". Did you mean PreToolUse?');
      expect(err).toContain(`${file}:`);
      expect(err.match(/hookline check shows/g)).toHaveLength(1);
      expect(code).toBe(exit);
    });

  it('CL-41 the hooks of other files are exported nevertheless', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    write('hookline.yaml', hooklineFile('PreToolUse', 'exit 2'));
    const { code, out, err } = await call(['export', '--host', 'gemini']);
    expect(err).toContain('.claude/settings.json:1:2: The file cannot be read');
    expect(out).toContain('BeforeTool');
    expect(code).toBe(1);
  });

  it.each(['status', 'approve'])('CL-41 is named by trust %s, which then is not done', async (action) => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    const { code, err } = await call(['trust', action, '--yes']);
    expect(err).toContain('.claude/settings.json:1:2: The file cannot be read');
    expect(code).toBe(1);
  });

  it('CL-41 makes a fire without an opinion incomplete, for people and for programs', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    write('hookline.yaml', hooklineFile('PreToolUse', 'true'));
    const { out } = await call(['fire', 'PreToolUse', TRUST]);
    expect(out).toContain('Incomplete: a part of the configuration cannot be read, so not every hook ran.');
    const { json, code } = await call(['fire', 'PreToolUse', TRUST, '--json']);
    const source = { layer: 'project', line: 1, column: 2 };
    expect(json()).toMatchObject({
      verdict: 'incomplete',
      exit: 1,
      complete: false,
      broken: [{ code: 'broken_file', source }],
    });
    expect(code).toBe(1);
  });

  it('CL-41 does not make a refusal less', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    write('hookline.yaml', hooklineFile('PreToolUse', denying('no')));
    const { code, out } = await call(['fire', 'PreToolUse', TRUST]);
    expect(out).toContain('Denied');
    expect(code).toBe(2);
  });

  it('CL-41 is named beside the hooks of the others', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    const { code, out, err } = await call(['list', TRUST]);
    expect(out).toBe('Stop\n  active  *  true  hookline.yaml:4 (project)\n');
    expect(err).toContain('.claude/settings.json:1:2');
    expect(code).toBe(1);
  });

  it('CL-34 CL-41 no test is run while there is one', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', '{bad');
    write('hookline.test.yaml', 'tests:\n  - { name: x, event: Stop, expect: { decision: none } }\n');
    const { code, out, err } = await call(['test', TRUST]);
    expect(err).toContain('No test was run: while a hook file cannot be read it would prove nothing.');
    expect([code, out]).toEqual([1, '']);
  });

  it('CL-12 CL-44 what does not count in a file of which the rest counts is named, and makes a fire incomplete', async () => {
    const { call, write } = folder();
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }], Stpo: [], Setup: 5 };
    write('.claude/settings.json', { hooks });
    for (const argv of COMMANDS) {
      const { code, err } = await call([...argv, TRUST]);
      expect(err).toMatch(/settings\.json:\d+:\d+: There is no event "Stpo"/);
      expect(err).toMatch(/settings\.json:\d+:\d+: Setup /);
      expect(code).toBe(argv[0] === 'fire' ? 1 : 0);
    }
  });

  it('CL-12 of many the first are named, and how many there are', async () => {
    const { call, write } = folder();
    const names = Array.from({ length: 8 }, (_, i) => [`Never${i}`, []]);
    write('.claude/settings.json', { hooks: Object.fromEntries(names) });
    const { err } = await call(['list', TRUST]);
    expect(err.match(/There is no event/g)).toHaveLength(5);
    expect(err).toContain('and 3 more.');
  });
});

describe('a name that is no event', () => {
  it('CF-25 CL-12 is named by every command, for every kind of file', async () => {
    const [event, expected] = ['PreToolUs', 'There is no event "PreToolUs". Did you mean PreToolUse?'];
    const { call, write, writeUser } = folder();
    writeUser(settings(event, ['true']));
    write('hookline.yaml', hooklineFile(event, 'true'));
    write('hookline.mjs', `export default { ${event}: [] };`);
    write('massgen.yaml', `hooks:\n  ${event}: []\n`);
    write('hookline.test.yaml', 'tests:\n  - { name: x, event: Stop, expect: {} }\n');
    write('session.jsonl', '');
    const commands = [['list'], ['explain', 'Stop'], ['fire', 'Stop'], ['test'], ['replay', 'session.jsonl']];
    // Equal findings of a check are one.
    const checked = (await call(['check', TRUST, '--massgen', 'massgen.yaml'])).out;
    const [, places = ''] = /also at (.*)/.exec(checked.slice(checked.indexOf(expected))) ?? [];
    expect(places.split(', ')).toHaveLength(3);
    for (const argv of commands) {
      const { out, err } = await call([...argv, TRUST, '--massgen', 'massgen.yaml']);
      expect((out + err).split(expected), argv.join(' ')).toHaveLength(5);
    }
  });

  it('CF-25 hooks for an event that this loop never fires are named, with where they do run', async () => {
    const { call, write, writeUser } = folder();
    writeUser(settings('WorktreeCreate', ['true']));
    write('hookline.yaml', hooklineFile('InstructionsLoaded', 'true'));
    for (const command of ['check', 'list']) {
      const { out, err } = await call([command, TRUST]);
      expect(out + err).toContain('The agent of hookline never fires WorktreeCreate: it has no worktrees.');
      expect(out + err).toContain(
        'The agent of hookline never fires InstructionsLoaded: it reads no instruction files',
      );
    }
  });

  it('CF-25 such an event can be fired by hand: it is not taken for a slip', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('WorktreeCreate', 'echo seen >&2; exit 2'));
    const { out } = await call(['fire', 'WorktreeCreate', TRUST]);
    expect(out).toContain('seen');
  });
});

describe('hooks above the folder', () => {
  const ABOVE: readonly (readonly string[])[] = [
    ['list'],
    ['explain', 'Stop'],
    ['check'],
    ['fire', 'Stop'],
    ['run', '-p', 'hello'],
  ];

  it.each(ABOVE)('CL-42 are named by %s, with how to work with them', async (...argv) => {
    const { call, write, workspace } = folder();
    write('.claude/settings.json', settings('Stop', ['true']));
    mkdirSync(join(workspace, '.git'));
    mkdirSync(join(workspace, 'packages', 'sub'), { recursive: true });
    const { code, err } = await call([...argv, '--cwd', 'packages/sub']);
    expect(err).toContain(`${join(workspace, '.claude', 'settings.json')} is not loaded from here.`);
    expect(err).toContain(`--cwd ${workspace}.`);
    expect(code).toBe(0);
    expect((await call(argv)).err).not.toContain('is not loaded from here');
  });

  it('CL-42 the nearest file counts, and hooks that are here are enough', async () => {
    const { call, write, workspace } = folder();
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    write('a/hookline.yaml', hooklineFile('Stop', 'true'));
    write('a/b/c/.claude/settings.json', settings('Stop', ['true']));
    const from = async (cwd: string) => (await call(['list', '--cwd', cwd])).err;
    expect(await from('a/b')).toContain(`${join(workspace, 'a', 'hookline.yaml')} is not loaded`);
    expect(await from('a/b/c')).not.toContain('is not loaded');
  });

  it('CL-42 nothing above the repository, no settings without hooks, and nothing of the user', async () => {
    const { call, write, writeUser, home } = folder();
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    write('repository/.git/HEAD', '');
    write('repository/.claude/settings.json', { permissions: { deny: ['WebFetch'] } });
    write('repository/sub/x', '');
    expect((await call(['list', '--cwd', 'repository/sub'])).err).toBe('');
    writeUser(settings('Stop', ['true']));
    mkdirSync(join(home, 'project'));
    expect((await call(['list', '--cwd', join(home, 'project')])).err).toBe('');
  });
});
