/** From the approval to the refusal: what `trust` and `check` say about what a hook executes. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edited, furnish, IDIOMS } from '../config/trust/spellings.js';
import { type Folder, folder, settings } from './support.js';

interface Shown {
  readonly status: string;
  readonly description: string;
}

const SETTINGS = '.claude/settings.json';

function withHooks(...commands: readonly string[]): Folder {
  const where = folder();
  furnish(where.workspace);
  where.write(SETTINGS, settings('PreToolUse', commands));
  return where;
}

describe('a guard that is edited', () => {
  it('TR-3 CL-24 refuses, however its line is spelled', async () => {
    const spellings = IDIOMS.filter(([, , handler]) => handler === undefined);
    const { call, workspace } = withHooks(...new Set(spellings.map(([command]) => command)));
    const approved = await call(['trust', 'approve', '--yes']);
    expect([approved.code, approved.err]).toEqual([0, '']);
    expect(approved.out).not.toContain('(missing)');
    expect((await call(['check'])).out).toMatch(/^Fine: /);
    for (const [, path] of spellings) {
      const content = edited(path);
      writeFileSync(join(workspace, path), typeof content === 'string' ? content : JSON.stringify(content));
      chmodSync(join(workspace, path), 0o755);
    }
    const shown = (await call(['trust', '--json'])).json<Shown[]>();
    expect(shown.filter(({ status }) => status !== 'modified')).toEqual([]);
    const fired = await call(['fire', 'PreToolUse', '--json']);
    expect(fired.json()).toMatchObject({ decision: 'deny' });
    expect(existsSync(join(workspace, 'OWNED'))).toBe(false);
  });

  it('TR-3 CF-21 runs where what was approved is, also when its line names no path', async () => {
    const { call, workspace, write } = withHooks('node guard', '$(pwd)/guard.sh', 'python3 -m mod');
    write('guard.js', "console.error('approved'); process.exit(2);");
    write('guard.sh', '#!/bin/sh\necho approved >&2; exit 2\n');
    write('mod.py', "import sys; print('approved', file=sys.stderr); sys.exit(2)");
    for (const path of ['guard.js', 'guard.sh', 'mod.py']) write(`sub/${path}`, '#!/bin/sh\ntouch OWNED\n');
    await call(['trust', 'approve', '--yes']);
    const cwd = join(workspace, 'sub');
    const fired = await call(['fire', 'PreToolUse', '--set', `cwd=${cwd}`, '--json']);
    const { results } = fired.json<{ results: { reason?: string }[] }>();
    expect(results.map(({ reason }) => reason)).toEqual(['approved', 'approved', 'approved']);
    expect(existsSync(join(cwd, 'OWNED'))).toBe(false);
  });
});

describe('what is shown before an approval', () => {
  it('TR-4 CL-23 is what will be covered, without anything that only looks like a file', async () => {
    const { call } = withHooks(
      'test -f package.json && curl -s "https://api.example.com/bot$TOKEN/send" >> .claude/edits.txt; echo N/A $((D / 60))',
      '"$CLAUDE_PROJECT_DIR"/guard.sh < data.txt',
      'npm run lint',
    );
    const { out } = await call(['trust']);
    expect(out.match(/covers .*/g)).toEqual([
      'covers guard.sh',
      'covers guard.js',
      'covers node_modules/.bin/eslint',
      'covers package.json (only scripts.lint, scripts.prelint)',
      'covers scripts/lint.sh',
    ]);
  });
});

describe('a hook that cannot be approved', () => {
  const UNRESOLVED = '"$(cat where.txt)"/guard.sh';

  it('TR-21 CL-24 is refused by approve, which says what to write, and approves nothing', async () => {
    const { call } = withHooks('./guard.sh', UNRESOLVED);
    const { code, out, err } = await call(['trust', 'approve', '--yes']);
    expect(code).toBe(1);
    expect(out).toContain(
      'cannot be approved: What `"$(cat where.txt)"/guard.sh` stands for is only known when the hook runs',
    );
    expect(out.match(/Give a full path, such as "\$CLAUDE_PROJECT_DIR"\/hooks\/guard\.sh/g)).toHaveLength(1);
    expect(err).toMatch(
      /^hookline: Nothing was approved\. Repair what cannot be approved\. To approve only the other one: npx hookline trust approve [0-9a-f]{8}\n$/,
    );
    const json = await call(['trust', 'approve', '--yes', '--json']);
    expect([json.code, json.err]).toEqual([1, expect.stringContaining('is only known when the hook runs')]);
    const shown = (await call(['trust', '--json'])).json<Shown[]>();
    expect(shown.map(({ status }) => status)).toEqual(['untrusted', 'untrusted']);
  });

  it('TR-21 CL-24 does not keep others from being approved by their fingerprints', async () => {
    const { call } = withHooks('./guard.sh', UNRESOLVED);
    const [guard] = (await call(['trust', '--json'])).json<{ fingerprint: string }[]>();
    expect((await call(['trust', 'approve', guard?.fingerprint ?? ''])).code).toBe(0);
  });

  it('TR-21 CL-21 is an error of check, at its place, whoever is trusted', async () => {
    const { call } = withHooks('./guard.sh', UNRESOLVED);
    for (const more of [[], ['--trust-workspace']]) {
      const { code, out } = await call(['check', ...more]);
      expect(code).toBe(1);
      expect(out).toMatch(/settings\.json:\d+:\d+ {2}error {2}.*cat where\.txt.*\(hook_unresolved\)/);
    }
  });

  it('TR-22 CL-21 CL-24 a script that is missing is an error of check, and of approve', async () => {
    const { call, write } = withHooks('true; ./guard.sh && ./gone.sh');
    const check = await call(['check']);
    expect(check.code).toBe(1);
    expect(check.out).toMatch(/error {2}.*runs 'gone\.sh', which does not exist.*\(missing_script\)/);
    const approve = await call(['trust', 'approve', '--yes']);
    expect([approve.code, approve.out]).toEqual([
      1,
      expect.stringContaining("cannot be approved: It runs 'gone.sh', which does not exist"),
    ]);
    expect(approve.err).toContain('Nothing was approved. Repair what cannot be approved, then: npx hookline');
    write('gone.sh', '#!/bin/sh\n');
    expect((await call(['trust', 'approve', '--yes'])).code).toBe(0);
  });

  it('CL-23 a file that cannot be read is not a folder without hooks', async () => {
    const { call, write } = withHooks('./guard.sh');
    write('.claude/settings.json', '{ "hooks": ');
    const { code, out, err } = await call(['trust']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('The file cannot be read');
  });

  it('CL-23 a hook that has changed is not called one that is not approved', async () => {
    const { call, write } = withHooks('./guard.sh');
    await call(['trust', 'approve', '--yes']);
    write('guard.sh', '#!/bin/sh\nexit 1\n');
    const { err } = await call(['fire', 'PreToolUse']);
    expect(err).toContain('Not run, because it is not approved as it is now:');
  });

  it('TR-22 CL-20 a script that is missing is named once', async () => {
    const { call } = withHooks('./gone.sh');
    const { out } = await call(['check']);
    expect(out.match(/missing_script/g)).toHaveLength(1);
  });
});
