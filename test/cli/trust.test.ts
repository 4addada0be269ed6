/** `hookline trust`: seeing and deciding which hooks of a folder may run. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Folder, folder, hooklineFile, settings } from './support.js';

interface Shown {
  readonly status: string;
  readonly fingerprint: string;
  readonly description: string;
}

function project(): Folder & { statuses(): Promise<string[]>; hooks(): Promise<Shown[]> } {
  const where = folder();
  where.write('guard.sh', '#!/bin/sh\nexit 0\n');
  where.write('.claude/settings.json', settings('PreToolUse', ['./guard.sh'], { matcher: 'Bash' }));
  where.write('hookline.yaml', hooklineFile('Stop', 'touch stopped'));
  const hooks = async () => (await where.call(['trust', '--json'])).json<Shown[]>();
  return { ...where, hooks, statuses: async () => (await hooks()).map(({ status }) => status) };
}

describe('trust status', () => {
  it('CL-11 hooks of the folder for another host are approved with the command that is named', async () => {
    const { call, write } = folder();
    const hooks = [{ type: 'command', command: 'echo Not here. >&2; exit 2' }];
    write('.gemini/settings.json', { hooks: { BeforeTool: [{ matcher: 'run_shell_command', hooks }] } });
    const fire = ['fire', 'PreToolUse', '--hooks-of', 'gemini', '--set', 'tool_name=run_shell_command'];
    const before = await call(fire);
    expect(before).toMatchObject({ code: 1 });
    expect(before.err).toContain('npx hookline trust approve --hooks-of gemini');
    expect(await call(['trust', 'approve', '--hooks-of', 'gemini', '--yes'])).toMatchObject({ code: 0 });
    const after = await call(fire);
    expect(after).toMatchObject({ code: 2 });
    expect(after.out).toContain('Not here.');
  });

  it('CL-23 shows everything that an approval covers', async () => {
    const { call, write } = project();
    const env = { type: 'command', command: 'true', env: { PATH: '/tmp/evil' } };
    write('hookline.json', { hooks: { Stop: [{ hooks: [env] }] } });
    const { code, out } = await call(['trust']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^untrusted {2}[0-9a-f]{8} {2}PreToolUse Bash {2}\.claude\/settings\.json:7\n {4}\.\/guard\.sh\n/,
    );
    expect(out).toContain('    covers guard.sh\n');
    expect(out).toContain('    env: {"PATH":"/tmp/evil"}\n');
    expect(out).toContain('Look at them, then: npx hookline trust approve');
  });

  it('CL-23 shows a long command whole, and nothing of it steers the terminal', async () => {
    const { call, write } = folder();
    const long = `true ${'x'.repeat(300)}; curl evil.example\u001b[2K\u001b[1A`;
    write('hookline.json', { hooks: { Stop: [{ hooks: [{ type: 'command', command: long }] }] } });
    const { out } = await call(['trust'], { tty: true });
    expect(out).toContain('curl evil.example␛[2K');
    expect(out).not.toContain('\u001b[2K');
  });

  it('CL-23 shows a command of several lines as such, so that nothing hides behind a comment', async () => {
    const { call, write } = folder();
    const command = '# looks harmless\ncurl evil.example | cat';
    const plain = { type: 'command', command: 'prog', args: ['one two', 'three'] };
    write('hookline.json', { hooks: { Stop: [{ hooks: [{ type: 'command', command }, plain] }] } });
    const { out } = await call(['trust']);
    expect(out).toContain('    # looks harmless\n    curl evil.example | cat\n');
    expect(out).toContain('    args: ["one two","three"]\n');
  });

  it('CL-23 breaks long sentences between words, on a terminal', async () => {
    const { call, write } = folder();
    write('hookline.json', { hooks: { Stop: [{ hooks: [{ type: 'command', command: '"$X"/a.sh' }] }] } });
    const { out } = await call(['trust'], { tty: true, columns: 60, env: { NO_COLOR: '1' } });
    const lines = out.split('\n').filter((line) => line.startsWith('    '));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.length < 60)).toBe(true);
    expect(lines.map((line) => line.trim()).join(' ')).toContain(
      'so no approval can cover it. Give a full path',
    );
    expect((await call(['trust'])).out).toContain('so no approval can cover it. Give a full path');
  });

  it('CL-23 tells trusted from untrusted and from modified, and ends with 0 once everything is trusted', async () => {
    const { call, write, statuses } = project();
    expect(await statuses()).toEqual(['untrusted', 'untrusted']);
    expect((await call(['trust', 'approve', '--yes'])).code).toBe(0);
    expect(await statuses()).toEqual(['trusted', 'trusted']);
    expect((await call(['trust', 'status'])).code).toBe(0);
    write('guard.sh', '#!/bin/sh\nexit 1\n');
    expect(await statuses()).toEqual(['modified', 'trusted']);
    expect((await call(['fire', 'PreToolUse'])).err).toContain(
      './guard.sh (changed since it was approved, so it refuses)',
    );
    expect((await call(['explain', 'PreToolUse', 'Bash'])).out).toContain('refuses in its place, modified: ');
  });

  it('CL-23 modules that are not imported are hooks to approve, too', async () => {
    const { call, write, workspace } = folder();
    write(
      'hookline.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync('${workspace}/ran', ''); export default {};`,
    );
    const { out } = await call(['trust']);
    expect(out).toContain('hookline.mjs:1\n    a module with hooks\n');
    expect((await call(['list'])).err).toContain('hookline.mjs  (a module, not imported)');
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
    await call(['trust', 'approve', '--yes']);
    await call(['list']);
    expect(existsSync(join(workspace, 'ran'))).toBe(true);
  });
});

describe('what a folder allows', () => {
  const allowing = (permissions: object): Folder => {
    const where = folder();
    where.write('.claude/settings.json', { permissions });
    return where;
  };

  it('CL-23 is shown whole, as something to approve', async () => {
    const { call, write } = allowing({
      allow: ['Bash(npm *)', 'Edit(notes.md)'],
      deny: ['Bash(rm *)'],
      additionalDirectories: ['../shared'],
      defaultMode: 'acceptEdits',
    });
    write('notes.md', 'a file to work on is none that runs');
    const { code, out } = await call(['trust']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^untrusted {2}[0-9a-f]{8} {2}permissions {2}\.claude\/settings\.json:2\n {4}allows Bash\(npm \*\), Edit\(notes\.md\); works in \.\.\/shared; is in the mode acceptEdits\n/,
    );
    expect(out).toContain('    denies Bash(rm *)\n');
    expect(out.match(/acceptEdits|npm \*/g)).toHaveLength(2);
    expect(out).not.toContain('covers');
    await call(['trust', 'approve', '--yes']);
    for (const file of ['notes.md', 'acceptEdits']) write(file, 'worked on');
    expect((await call(['trust'])).code).toBe(0);
  });

  it('CL-23 a folder that only forbids has nothing to approve', async () => {
    const { call } = allowing({ deny: ['Bash'], ask: ['Edit'], allow: [] });
    const { code, out } = await call(['trust']);
    expect([code, out]).toEqual([0, 'Nothing here needs approval: no hooks and no allow rules.\n']);
  });

  it('CL-24 CL-25 is approved and taken back beside hooks, each file for itself', async () => {
    const { call, write } = allowing({ allow: ['Read'] });
    write('.claude/settings.local.json', { permissions: { allow: ['Edit'] } });
    write('hookline.yaml', hooklineFile('Stop', 'true'));
    const statuses = async () =>
      (await call(['trust', '--json'])).json<Shown[]>().map(({ status }) => status);
    const questions: string[] = [];
    await call(['trust', 'approve'], {
      answer: true,
      onQuestion: (question) => void questions.push(question),
    });
    expect(questions).toEqual([
      'Approve this hook and the allow rules of .claude/settings.json and .claude/settings.local.json?',
    ]);
    expect(await statuses()).toEqual(['trusted', 'trusted', 'trusted']);
    write('.claude/settings.json', { permissions: { allow: ['Read', 'Bash'] }, model: 'other' });
    expect(await statuses()).toEqual(['trusted', 'modified', 'trusted']);
    await call(['trust', 'approve', '--yes']);
    expect(await statuses()).toEqual(['trusted', 'trusted', 'trusted']);
    write('.claude/settings.json', { permissions: { allow: ['Read', 'Bash'] }, model: 'another' });
    expect(await statuses()).toEqual(['trusted', 'trusted', 'trusted']);
    const [, rules] = (await call(['trust', '--json'])).json<Shown[]>();
    await call(['trust', 'revoke', rules?.fingerprint ?? '']);
    expect(await statuses()).toEqual(['trusted', 'untrusted', 'trusted']);
  });

  it('CL-24 what changed since it was shown is not approved', async () => {
    const { call, write } = allowing({ allow: ['Read'] });
    const { code, err } = await call(['trust', 'approve'], {
      answer: true,
      onQuestion: () => void write('.claude/settings.json', { permissions: { allow: ['Bash'] } }),
    });
    expect(code).toBe(0);
    expect(err).toBe('');
    const [shown] = (await call(['trust', '--json'])).json<Shown[]>();
    expect(shown).toMatchObject({ status: 'modified' });
  });
});

describe('trust approve', () => {
  it('CL-24 asks, and takes no for an answer', async () => {
    const { call, statuses } = project();
    const questions: string[] = [];
    const onQuestion = (question: string): void => void questions.push(question);
    const no = await call(['trust', 'approve'], { answer: false, onQuestion });
    expect([no.code, no.err]).toEqual([1, 'hookline: Nothing was approved.\n']);
    expect(await statuses()).toEqual(['untrusted', 'untrusted']);
    const yes = await call(['trust', 'approve'], { answer: true, onQuestion });
    expect(yes.out).toContain('Approved 2 of 2.');
    expect(questions).toEqual(['Approve these 2 hooks?', 'Approve these 2 hooks?']);
    expect(await statuses()).toEqual(['trusted', 'trusted']);
    expect((await call(['trust', 'approve'])).out).toBe('Everything is trusted already.\n');
  });

  it('CL-24 shows whoever is asked the scripts that they approve, and of changed ones the difference', async () => {
    const { call, write } = project();
    write('guard.sh', `#!/bin/sh\n${'# more\n'.repeat(80)}exit 0\n`);
    const { out } = await call(['trust', 'approve'], { answer: true });
    expect(out).toContain('    covers guard.sh\n      | #!/bin/sh\n      | # more\n');
    expect(out).toContain('      | (22 more lines)\n');
    write('guard.sh', '#!/bin/sh\nexit 1\n');
    const again = await call(['trust', 'approve'], { answer: true });
    expect(again.out).toContain('+exit 1');
    expect(again.out).not.toContain('      | ');
  });

  it('CL-24 approves nothing without a person to ask', async () => {
    const { call, statuses } = project();
    const { code, err } = await call(['trust', 'approve']);
    expect(err).toContain('Cannot ask for confirmation without a terminal.');
    expect(code).toBe(1);
    expect(await statuses()).toEqual(['untrusted', 'untrusted']);
  });

  it('CL-24 approves exactly the hooks whose fingerprints are given', async () => {
    const { call, hooks, statuses, write } = project();
    const [guard] = await hooks();
    const { code } = await call(['trust', 'approve', guard?.fingerprint.slice(0, 8) ?? '']);
    expect(code).toBe(0);
    expect(await statuses()).toEqual(['trusted', 'untrusted']);
    write('guard.sh', '#!/bin/sh\nexit 1\n');
    const stale = await call(['trust', 'approve', guard?.fingerprint.slice(0, 8) ?? '']);
    expect(stale.err).toContain('belongs to no hook here');
    expect(stale.code).toBe(64);
  });

  it('CL-24 refuses what has changed between being shown and being approved', async () => {
    const { call, write, statuses } = project();
    const { code, err } = await call(['trust', 'approve'], {
      answer: true,
      onQuestion: () => void write('guard.sh', '#!/bin/sh\ncurl evil.example\n'),
    });
    expect(err).toContain('has changed since it was shown, so it was not approved');
    expect(code).toBe(1);
    expect((await statuses())[0]).toBe('untrusted');
  });

  it('CL-24 says why when the store is not fit', async () => {
    const { call, workspace } = project();
    process.env['HOOKLINE_HOME'] = workspace;
    const { code, err } = await call(['trust', 'approve', '--yes']);
    expect(err).toContain('is inside the workspace');
    expect(code).toBe(1);
    expect(existsSync(join(workspace, 'trust.json'))).toBe(false);
  });

  it('CL-5 with --json prints what was approved, and nothing else', async () => {
    const { call } = project();
    const { json } = await call(['trust', 'approve', '--yes', '--json']);
    expect(json<Shown[]>().map(({ status }) => status)).toEqual(['trusted', 'trusted']);
  });
});

describe('trust revoke', () => {
  it('CL-25 takes back everything of the folder, or single hooks', async () => {
    const { call, hooks, statuses } = project();
    await call(['trust', 'approve', '--yes']);
    const [guard] = await hooks();
    expect((await call(['trust', 'revoke', guard?.fingerprint ?? ''])).out).toBe('Revoked 1 approvals.\n');
    expect(await statuses()).toEqual(['untrusted', 'trusted']);
    expect((await call(['trust', 'revoke'])).code).toBe(0);
    expect(await statuses()).toEqual(['untrusted', 'untrusted']);
    expect((await call(['trust', 'revoke'])).out).toBe('Nothing was approved here.\n');
  });

  it('CL-25 also of a folder that is gone', async () => {
    const { call, workspace } = project();
    await call(['trust', 'approve', '--yes']);
    rmSync(workspace, { recursive: true });
    expect((await call(['trust', 'revoke', '--json'])).json()).toEqual({ revoked: 2 });
  });
});
