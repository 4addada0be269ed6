/** `hookline explain` and `hookline list`: what there is, without running anything. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, hooklineFile, settings } from './support.js';

describe('explain', () => {
  it('CL-18 says who would run, step by step, and why the others would not', async () => {
    const { call, write, workspace } = folder();
    const write_ = { type: 'command', command: 'touch ran # for writes' };
    const pushes = { type: 'command', command: 'touch ran # for pushes', if: 'Bash(git push:*)' };
    write('.claude/settings.json', {
      hooks: {
        PreToolUse: [
          { matcher: 'Write', hooks: [write_] },
          { matcher: 'Bash', hooks: [pushes] },
        ],
      },
    });
    write('hookline.yaml', hooklineFile('PreToolUse', 'touch ran # first', 'touch ran # second'));
    const { code, out } = await call(['explain', 'PreToolUse', 'Bash', '--trust-workspace']);
    expect(code).toBe(0);
    expect(out).toBe(`PreToolUse Bash would run, step by step:
   2  touch ran # first  hookline.yaml:4
   3  touch ran # second  hookline.yaml:5

Would not run:
   -  touch ran # for writes  [Write]  .claude/settings.json:7
      its matcher is "Write"
   -  touch ran # for pushes  [Bash]  .claude/settings.json:16
      condition: only if Bash(git push:*)
`);
    const argv = ['--set', 'tool_input.command=git push --force', '--trust-workspace', '--json'];
    const explained = await call(['explain', 'PreToolUse', 'Bash', ...argv]);
    const { hooks } = explained.json<{ hooks: { runs: boolean; description: string }[] }>();
    expect(hooks.filter(({ runs }) => runs).map(({ description }) => description)).toEqual([
      'touch ran # for pushes',
      'touch ran # first',
      'touch ran # second',
    ]);
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  it('CL-18 the subject is whatever matchers of the event look at, and a text even where it reads as JSON', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', settings('SessionStart', ['true'], { matcher: 'resume' }));
    const argv = ['--trust-workspace', '--json'];
    const { json } = await call(['explain', 'SessionStart', 'resume', ...argv]);
    expect(json()).toMatchObject({ subject: 'resume', hooks: [{ runs: true }] });
    expect((await call(['explain', 'PreToolUse', '5', ...argv])).json()).toMatchObject({ subject: '5' });
  });

  it('CL-18 says so when there is nothing, and names what is not trusted', async () => {
    const { call, write } = folder();
    expect((await call(['explain', 'Stop'])).out).toBe('No hook is registered for Stop.\n');
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    const { out, err } = await call(['explain', 'Stop']);
    expect(out).toContain('untrusted: it comes with the workspace');
    expect(err).toContain('hookline trust approve');
  });
});

describe('list', () => {
  it('CL-19 shows every hook with event, matcher, place and state', async () => {
    const { call, write, writeUser } = folder();
    writeUser(settings('Stop', ['true # of the user']));
    write('.claude/settings.json', settings('PreToolUse', ['true # guard'], { matcher: 'Bash|Write' }));
    const { code, out } = await call(['list']);
    expect(code).toBe(0);
    expect(out).toContain('Stop\n  active     *           true # of the user  ');
    expect(out).toContain(
      'PreToolUse\n  untrusted  Bash|Write  true # guard        .claude/settings.json:7 (project)\n',
    );
    const { json } = await call(['list', 'PreToolUse', '--json']);
    expect(json()).toMatchObject([
      {
        event: 'PreToolUse',
        matcher: 'Bash|Write',
        dialect: 'claude-code',
        active: false,
        inactive: { reason: 'untrusted' },
        source: { layer: 'project', line: 7 },
      },
    ]);
  });

  it('CL-19 without hooks shows where they were looked for', async () => {
    const { out } = await folder().call(['list']);
    for (const file of [
      '.claude/settings.json',
      '.claude/settings.local.json',
      'hookline.yaml',
      'hookline init',
    ])
      expect(out).toContain(file);
  });
});
