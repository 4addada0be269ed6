/** `hookline check`: every mistake with its place and what to do about it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/agent/tools/built-in.js';
import { OF_HOOKLINE } from '../../src/cli/check/tools.js';
import { type Folder, folder, hooklineFile, settings } from './support.js';

const TRUST = '--trust-workspace';

interface Found {
  readonly ok: boolean;
  readonly hooks: number;
  readonly problems: readonly { code: string; severity: string; inactive: boolean }[];
}

/** A folder in which everything is wrong in another way, one thing on each line. */
function manyMistakes({ write }: Folder): void {
  write(
    '.claude/settings.json',
    `{
  "hooks": {
    "PreTolUse": [{ "hooks": [{ "type": "command", "command": "true" }] }],
    "PreToolUse": [
      { "matcher": "Bash(", "hooks": [{ "type": "command", "command": "true # 1" }] },
      { "matcher": "bash", "hooks": [{ "type": "command", "command": "true # 2" }] },
      { "hooks": [{ "type": "command", "command": ".claude/hooks/missing.sh" }] },
      { "hooks": [{ "type": "command", "command": ".claude/hooks/plain.sh" }] },
      { "hooks": [{ "type": "command", "command": ".claude/hooks/dos.sh" }] },
      { "hooks": [{ "type": "comand", "command": "true # 3" }] },
      { "hooks": [{ "type": "command", "command": "echo 'open" }] },
      { "hooks": [{ "type": "command", "command": "true # 4", "timout": 5 }] },
      { "hooks": [{ "type": "command", "command": "true # 5", "timeout": -5 }] },
      { "hooks": [{ "type": "command", "command": "no-such-program --now" }] },
      { "hooks": "true" }
    ],
    "Stop": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true # 6" }] }]
  }
}
`,
  );
  write('.claude/settings.local.json', '{\n  "hooks": { "Stop": [ }\n}\n');
  write('.claude/hooks/plain.sh', 'echo hi\n');
  write('.claude/hooks/dos.sh', '#!/bin/sh\r\necho hi\r\n');
  write(
    'hookline.yaml',
    'hooks:\n  PreToolUse:\n    - matchr: Write\n      hooks: []\n    - hooks:\n        - { type: command }\n  Stopp: []\n',
  );
}

const EXPECTED: readonly (readonly [place: string, what: RegExp, toDo: RegExp])[] = [
  ['.claude/settings.json:3:5', /There is no event "PreTolUse"/, /to do: Write PreToolUse\./],
  ['.claude/settings.json:5:20', /The matcher "Bash\(" cannot be used/, /to do: Correct the matcher/],
  ['.claude/settings.json:6:7', /matches none of the known tools/, /Write Bash: matchers are case-sensitive/],
  ['.claude/settings.json:7:51', /missing\.sh' does not exist/, /Create it, or correct the path/],
  ['.claude/settings.json:8:51', /plain\.sh' is not executable/, /Run chmod \+x on it/],
  ['.claude/settings.json:9:51', /dos\.sh' has Windows line endings/, /Save it with LF line endings/],
  ['.claude/settings.json:10:29', /no known type/, /to do: "comand" is not one of them: write "command"\./],
  ['.claude/settings.json:11:51', /opens ' and never closes it/, /Close it, or put a backslash before it/],
  ['.claude/settings.json:12:63', /`timout` is unknown/, /to do: Write timeout instead of timout\./],
  ['.claude/settings.json:13:19', /timeout of a hook is -5/, /give seconds as a number above 0/],
  [
    '.claude/settings.json:14:51',
    /'no-such-program' is not in the PATH/,
    /Install it, or give its full path/,
  ],
  ['.claude/settings.json:15:7', /has no list of hooks/, /write \{ "hooks": \[\.\.\.\] \}/],
  ['.claude/settings.json:17:14', /the matcher "Bash" is ignored/, /to do: Remove the matcher\./],
  ['.claude/settings.local.json:2:24', /The file cannot be read/, /to do: Open the file at this line/],
  ['hookline.yaml:3:7', /`matchr` is unknown/, /to do: Write matcher instead of matchr\./],
  ['hookline.yaml:6:11', /`command` is missing/, /give a string/],
  ['hookline.yaml:7:3', /There is no event "Stopp"/, /to do: Write Stop\./],
];

describe('check', () => {
  it(`CL-20 on a folder with ${EXPECTED.length} different mistakes names all of them, each with its place and what to do`, async () => {
    const where = folder();
    manyMistakes(where);
    const { code, out } = await where.call(['check', TRUST]);
    const reports = out.split(/\n(?=\S)/);
    for (const [place, what, toDo] of EXPECTED) {
      const report = reports.find((each) => each.startsWith(`${place}  `));
      expect(report, `${place} in\n${out}`).toMatch(what);
      expect(report).toMatch(toDo);
    }
    expect(out).toContain('14 errors, 3 warnings in 3 files; 12 hooks checked.');
    expect(code).toBe(1);
  });

  it('CL-22 the usual tools include all built-in ones', () => {
    expect(OF_HOOKLINE).toEqual(builtInTools().map(({ name }) => name));
  });

  it('CL-20 the same for programs', async () => {
    const where = folder();
    manyMistakes(where);
    const found = (await where.call(['check', TRUST, '--json'])).json<Found>();
    expect(found).toMatchObject({ ok: false, hooks: 12 });
    expect(found.problems).toHaveLength(EXPECTED.length);
    for (const problem of found.problems) {
      expect(problem).toMatchObject({ source: { line: expect.any(Number) }, message: expect.any(String) });
    }
  });

  it('CL-21 a folder without hooks is not called fine: it says what to do', async () => {
    const { code, out } = await folder().call(['check', '--no-user']);
    expect([code, out]).toEqual([0, expect.stringContaining('nothing to check. hookline init writes')]);
  });

  it('CL-21 a package that several scripts miss is said once, by `check` and beside other results', async () => {
    const { call } = folder();
    await call(['add', 'secrets', 'git', 'destructive-shell']);
    const checked = await call(['check']);
    expect(checked.out.match(/imports hookline, which is not installed/g)).toHaveLength(1);
    expect(checked.out).toContain('also at hookline.yaml:');
    const listed = await call(['list']);
    const fired = await call(['fire', 'PreToolUse', '--set', 'tool_input.command=ls']);
    for (const { err } of [listed, fired])
      expect(err.match(/imports hookline, which is not installed/g)).toHaveLength(1);
  });

  it('CL-21 a folder without mistakes is fine', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', ['true'], { matcher: 'Bash|mcp__files__.*' }));
    const { code, out } = await call(['check', TRUST]);
    expect([code, out]).toEqual([0, 'Fine: 1 hook checked, nothing found.\n']);
    expect((await folder().call(['check'])).code).toBe(0);
  });

  it('CL-21 a hook that is not approved is inactive, and is named with the command that approves it', async () => {
    const { call, write } = folder();
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    const { code, out, err } = await call(['check']);
    expect(code).toBe(1);
    expect(out).toBe('1 not approved; 1 hook checked.\n');
    expect(err).toContain('hookline.yaml:4  Stop  true');
    expect(err).toContain('hookline trust approve');
  });

  it('CL-21 so is one that is switched off', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', { disableAllHooks: true, ...settings('Stop', ['true']) });
    const { code, out } = await call(['check', TRUST]);
    expect(out).toMatch(
      /settings\.json:7:\d+ {2}error {2}This hook does not run: switched off by disableAllHooks/,
    );
    expect(out).toContain('to do: Remove the switch, or the hook.');
    expect(out).toContain('1 error, 0 warnings in 1 file; 1 hook checked.');
    expect(code).toBe(1);
  });

  it('CL-21 so is one that only registering shows to be broken', async () => {
    const { call, write } = folder();
    write('hookline.mjs', `export default { Stop: [{ hooks: [{ type: 'command', command: '' }] }] };`);
    const { code, out } = await call(['check', TRUST]);
    expect(out).toMatch(/hookline\.mjs:1:1 {2}error {2}This hook never runs/);
    expect(code).toBe(1);
  });

  it('CL-21 warnings count with --strict', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', ['true'], { matcher: 'bash' }));
    const mild = await call(['check', TRUST]);
    expect(mild.out).toContain('(matcher_matches_nothing)');
    expect(mild.code).toBe(0);
    expect((await call(['check', TRUST, '--strict'])).code).toBe(1);
  });

  it('CL-22 runs nothing', async () => {
    const { call, write, workspace } = folder();
    write('.claude/settings.json', settings('SessionStart', ['touch ran']));
    write('hookline.yaml', hooklineFile('Setup', 'touch ran'));
    await call(['check', TRUST]);
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  it('CL-22 knows the tools of an agent when it is told', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('PreToolUse', ['true'], { matcher: 'Deploy' }));
    expect((await call(['check', TRUST, '--strict'])).code).toBe(1);
    expect((await call(['check', TRUST, '--strict', '--tool', 'Deploy'])).code).toBe(0);
  });

  it('CL-22 hooks that need a model or an MCP client are fine; the application brings them', async () => {
    const { call, write } = folder();
    const tool = { type: 'mcp_tool', server: 'files', tool: 'read' };
    write('.claude/settings.json', settings('Stop', [{ type: 'prompt', prompt: 'Done?' }, tool]));
    expect((await call(['check', TRUST, '--strict'])).code).toBe(0);
  });

  it('CL-22 a hook for an event of another host is a warning, one for an event of nobody is not there', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('WorktreeCreate', ['true']));
    const elsewhere = await call(['check', TRUST]);
    expect(elsewhere.out).toContain(
      'The agent of hookline never fires WorktreeCreate: it has no worktrees. These hooks run in Claude Code,',
    );
    expect(elsewhere.code).toBe(0);
    write('.claude/settings.json', settings('PostCompakt', ['true']));
    expect((await call(['check', TRUST])).code).toBe(1);
  });

  it('CL-20 equal findings are one, with all their places; a terminal shows the line', async () => {
    const { call, write } = folder();
    const group = { matcher: 'bash', hooks: [{ type: 'command', command: 'true' }] };
    write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [group, group] } }, null, 2));
    const piped = await call(['check', '--trust-workspace']);
    expect(piped.out.match(/matches none of the known tools/g)).toHaveLength(1);
    expect(piped.out).toContain('    also at .claude/settings.json:13:7');
    expect(piped.out).not.toContain('│');
    expect(piped.out).toContain('2 warnings in 1 file');
    const shown = await call(['check', '--trust-workspace'], {
      tty: true,
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(shown.out).toContain('    4 │       {\n      │       ^\n');
  });
});
