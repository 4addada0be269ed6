/** `hookline trust` on hooks that have changed, and on the variables that hooks get. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Folder, folder, settings } from './support.js';

const SCRIPT = '#!/bin/sh\n# a guard\necho one\necho two\necho three\necho four\ntest -n "$OPENAI_API_KEY"\n';

afterEach(() => void vi.unstubAllEnvs());

async function approved(...argv: readonly string[]): Promise<Folder> {
  vi.stubEnv('OPENAI_API_KEY', 'key');
  const where = folder();
  where.write('guard.sh', SCRIPT);
  where.write(
    '.claude/settings.json',
    settings('PreToolUse', [{ type: 'command', command: './guard.sh', timeout: 5 }]),
  );
  expect((await where.call(['trust', 'approve', '--yes', ...argv])).code).toBe(0);
  return where;
}

describe('a hook that has changed', () => {
  it('CL-45 is shown with what is different, before it is asked about', async () => {
    const { call, write } = await approved();
    write('guard.sh', SCRIPT.replace('two', '2'));
    write(
      '.claude/settings.json',
      settings('PreToolUse', [{ type: 'command', command: './guard.sh', timeout: 9 }]),
    );
    let shown = '';
    const { out } = await call(['trust', 'approve'], {
      answer: false,
      onQuestion: (question) => (shown = question),
    });
    expect(shown).toBe('Approve this hook?');
    const [, changes = ''] = out.split(/ {4}changed since it was approved on \d{4}-\d\d-\d\d:\n/);
    expect(changes).toBe(`      timeout
        - 5
        + 9
      guard.sh
        @@ -2,5 +2,5 @@
         # a guard
         echo one
        -echo two
        +echo 2
         echo three
         echo four
`);
    expect((await call(['trust'])).out).toContain('        +echo 2\n');
    const json = (await call(['trust', '--json'])).json<{ changes: object }[]>();
    expect(json[0]?.changes).toMatchObject({ fields: [{ field: 'timeout', before: '5', after: '9' }] });
  });

  it('CL-45 is coloured where there are colours, and what a script holds steers no terminal', async () => {
    const { call, write } = await approved();
    write('guard.sh', SCRIPT.replace('two', '\u001b[2Ktwo'));
    const { out } = await call(['trust'], { env: { FORCE_COLOR: '1' } });
    expect(out).toContain('\u001b[31m-echo two\u001b[39m');
    expect(out).toContain('\u001b[32m+echo ␛[2Ktwo\u001b[39m');
  });

  it('CL-45 names a script whose text is not there to compare', async () => {
    const { call, write } = await approved();
    write('guard.sh', 'x'.repeat(70_000));
    expect((await call(['trust'])).out).toContain('      guard.sh (removed, or no longer text)\n');
    write('other.sh', '#!/bin/sh\n');
    write('.claude/settings.json', settings('PreToolUse', ['./other.sh']));
    const { out } = await call(['trust']);
    expect(out).toContain('      command\n        - "./guard.sh"\n        + "./other.sh"\n');
    expect(out).toContain('      other.sh (new, or its approved content was not kept)\n');
  });

  it('CL-45 so are the permissions of a file', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', { permissions: { allow: ['Bash(ls *)'] } });
    await call(['trust', 'approve', '--yes']);
    write('.claude/settings.json', { permissions: { allow: ['Bash(ls *)', 'Bash(rm *)'] } });
    expect((await call(['trust'])).out).toContain(
      '      permissions.allow\n        - ["Bash(ls *)"]\n        + ["Bash(ls *)","Bash(rm *)"]\n',
    );
  });
});

describe('the variables of a hook', () => {
  it('CL-47 CL-23 that it mentions and does not get are named by check and trust', async () => {
    const { call } = await approved();
    const { code, out } = await call(['check']);
    expect(out).toMatch(
      /^\.claude\/settings\.json:6:11 {2}warning {2}OPENAI_API_KEY is set but withheld from this hook; use hookline trust approve \w{8} --env OPENAI_API_KEY to pass it\. \(withheld_variable\)$/m,
    );
    expect(code).toBe(0);
    expect((await call(['trust'])).out).toContain(
      'mentions OPENAI_API_KEY, which is withheld; use --env OPENAI_API_KEY to pass it',
    );
  });

  it('CL-46 are passed on by an approval that names them, also of a hook that is trusted already', async () => {
    const { call } = await approved();
    expect((await call(['fire', 'PreToolUse'])).code).toBe(1);
    const again = await call([
      'trust',
      'approve',
      '--yes',
      '--env',
      'OPENAI_API_KEY,OTHER',
      '--env',
      'THIRD',
    ]);
    expect(again.out).toContain('    gets the variables OPENAI_API_KEY, OTHER, THIRD\n');
    expect((await call(['fire', 'PreToolUse'])).code).toBe(0);
    expect((await call(['trust'])).out).toContain('    gets the variables OPENAI_API_KEY, OTHER, THIRD\n');
    expect((await call(['check', '--strict'])).code).toBe(0);
    await call(['trust', 'revoke']);
    await call(['trust', 'approve', '--yes']);
    expect((await call(['fire', 'PreToolUse'])).code).toBe(1);
  });

  it('CL-46 go to the hook whose fingerprint is given', async () => {
    const where = await approved();
    const both = settings('PreToolUse', [
      { type: 'command', command: './guard.sh', timeout: 5 },
      'test -z "$OPENAI_API_KEY"',
    ]);
    where.write('.claude/settings.json', both);
    await where.call(['trust', 'approve', '--yes']);
    const [first] = (await where.call(['trust', '--json'])).json<{ fingerprint: string }[]>();
    const { json } = await where.call([
      'trust',
      'approve',
      first?.fingerprint ?? '',
      '--env',
      'OPENAI_API_KEY',
      '--json',
    ]);
    expect(json()).toMatchObject([{ status: 'trusted', env: ['OPENAI_API_KEY'] }]);
    expect((await where.call(['fire', 'PreToolUse'])).code).toBe(0);
  });

  it('CL-46 have to be named again when the hook has changed, and that is said', async () => {
    const { call, write } = await approved('--env', 'OPENAI_API_KEY');
    write('guard.sh', SCRIPT.replace('one', '1'));
    const { out } = await call(['trust', 'approve', '--yes']);
    expect(out).toContain(
      'the last approval passed OPENAI_API_KEY; use --env OPENAI_API_KEY to pass it again',
    );
    expect((await call(['fire', 'PreToolUse'])).out).toContain('OPENAI_API_KEY is set but withheld');
  });

  it('CL-46 cannot be such as make programs load code, and go with approve only', async () => {
    const { call } = await approved();
    const loader = await call(['trust', 'approve', '--yes', '--env', 'NODE_OPTIONS']);
    expect(loader.err).toContain(
      'The variable "NODE_OPTIONS" cannot be passed to hooks: it makes programs load code',
    );
    const status = await call(['trust', 'status', '--env', 'A']);
    expect(status.err).toContain('--env works only with approve');
    expect([loader.code, status.code]).toEqual([64, 64]);
  });
});
