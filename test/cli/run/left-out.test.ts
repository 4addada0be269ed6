/** `hookline run` loses no guard without a word: what does not run is said, and what changes refuses. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMPILED_CACHE } from '../../support/compiled-cache.js';
import { missingTerminal, openTerminal } from './pseudo-terminal.js';
import { logging, type Place, place } from './support.js';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const says = (text: string) => ({ text });
const GO = ['-p', 'go', '--script', 'turns.json'];
const FREE = [...GO, '--dangerously-skip-permissions'];

const environment = ({ workspace }: Place): Record<string, string> => {
  const home = join(workspace, '..', 'home');
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    HOOKLINE_HOME: join(home, '.hookline'),
    XDG_CACHE_HOME: COMPILED_CACHE,
  };
};

/** Calls another command in the same folder. */
function hookline(where: Place, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: where.workspace,
    env: environment(where),
    encoding: 'utf8',
  });
  return stdout + stderr;
}

/** A folder with the guard of `hookline init`, and a folder that an agent wants to delete. */
function guarded(...turns: readonly object[]): Place {
  const where = place();
  hookline(where, 'init');
  where.write('data/file', '');
  where.write('turns.json', [...turns, says('Done.')]);
  return where;
}

describe('hooks that do not run', () => {
  it('RU-5: a guard that is no longer approved is named, with the way to approve it', async () => {
    const where = guarded(bash('rm -rf data'));
    expect(await where.run(FREE)).toMatchObject({ code: 0, out: 'Done.\n', err: '' });
    expect(where.has('data')).toBe(true);
    hookline(where, 'trust', 'revoke');
    const { out, err } = await where.run(FREE);
    expect(where.has('data')).toBe(false);
    expect(out).toBe('Done.\n');
    expect(err).toBe(
      [
        'hookline: Not run, because it is not approved:',
        '  hookline.yaml:10  PreToolUse  node hooks/no-rm-rf.mjs',
        'Look at it, then: npx hookline trust approve  (or --trust-workspace for one call)\n',
      ].join('\n'),
    );
  });

  it('RU-5 RU-2: so is one that has changed; formats for programs stay as they are', async () => {
    const where = guarded();
    where.write('hooks/no-rm-rf.mjs', '// nothing left\n');
    for (const format of ['json', 'stream-json']) {
      const { err, lines } = await where.run([...FREE, '--output-format', format, '--verbose']);
      expect(err).toContain('node hooks/no-rm-rf.mjs (changed since it was approved, so it refuses)');
      expect(err.match(/no-rm-rf/g)).toHaveLength(1);
      expect(lines().at(-1)).toMatchObject({ type: 'result', result: 'Done.' });
    }
    expect((await where.run([...FREE, '--trust-workspace'])).err).toBe('');
  });

  it('RU-5: those that are switched off, cannot run or are modules are named too', async () => {
    const where = place();
    where.write('turns.json', [says('Done.')]);
    where.write('.claude/settings.json', { ...logging('Stop', 'SessionStart'), disableAllHooks: true });
    where.write('hookline.mjs', 'export default {};');
    const needy = where.write('needy.json', {
      hooks: {
        Stop: [
          { hooks: [{ type: 'mcp_tool', server: 's', tool: 't' }] },
          { matcher: '(', hooks: [{ type: 'command', command: 'true' }] },
        ],
      },
    });
    const { err } = await where.run([...GO, '--settings', needy]);
    expect(err).toContain('hookline.mjs  (a module, not imported)');
    const trusted = (await where.run([...GO, '--trust-workspace', '--settings', needy])).err;
    expect(trusted).toContain('Not run, switched off by disableAllHooks in');
    expect(trusted).toContain(': 2 hooks (Stop, SessionStart)');
  });
});

describe('a guard that is changed in the middle of a session', () => {
  it('CF-21 RU-5: refuses from then on; the model reads why, and so does whoever sits there, once', async () => {
    const where = guarded(
      bash('rm -rf data'),
      bash("echo '// x' >> hooks/no-rm-rf.mjs"),
      bash('rm -rf data'),
      bash('ls'),
    );
    const { err, lines } = await where.run([...FREE, '--output-format', 'stream-json', '--verbose']);
    expect(where.has('data')).toBe(true);
    const denied = lines().filter(({ subtype }) => subtype === 'permission_denied');
    expect(denied.map(({ message }) => message)).toEqual([
      expect.stringContaining('deletes without asking'),
      expect.stringMatching(/changed since it was approved.*hookline trust approve/),
      expect.stringMatching(/changed since it was approved.*hookline trust approve/),
    ]);
    expect(err.match(/changed since it was approved, so it refuses/g)).toHaveLength(1);
  });

  it('CF-21: also with a whole folder approved', async () => {
    const where = guarded(bash('echo > hooks/no-rm-rf.mjs'), bash('rm -rf data'));
    hookline(where, 'trust', 'revoke');
    await where.run([...FREE, '--trust-workspace']);
    expect(where.has('data')).toBe(true);
  });

  it('CF-21: works again when it is approved', async () => {
    const where = guarded(
      bash("echo '// x' >> hooks/no-rm-rf.mjs"),
      bash('touch first'),
      bash('touch second'),
    );
    // Whoever approves does so in the meantime, before the second call.
    const agree = `"${process.execPath}" "${MAIN}" trust approve --yes >&2`;
    const person = { type: 'command', command: agree, if: 'Bash(touch second)' };
    const settings = where.write('person.json', { hooks: { PreToolUse: [{ hooks: [person] }] } });
    await where.run([...FREE, '--settings', settings]);
    expect([where.has('first'), where.has('second')]).toEqual([false, true]);
  });

  it('CF-19 CF-22: what the agent writes into the files of hooks does not count in its session', async () => {
    const where = guarded(bash('echo "hooks: {}" > hookline.yaml'), bash('rm -rf data'));
    const { err } = await where.run(FREE);
    expect([where.has('data'), err]).toEqual([true, '']);
  });
});

describe('what the folder allows', () => {
  const allowing = (rules: object): Place => {
    const where = place();
    where.write('.claude/settings.json', { permissions: rules });
    where.write('turns.json', [bash('mkdir made && rmdir made && mkfifo made'), says('Done.')]);
    return where;
  };

  it('RU-6 CL-24: counts when it is approved, and it is said when it does not', async () => {
    const where = allowing({ allow: ['Bash(mkdir *)', 'Bash(rmdir *)', 'Bash(mkfifo *)'] });
    const before = await where.run(GO);
    expect(before.err).toContain(
      'What .claude/settings.json allows has no effect, because it is not approved. Its deny and ask rules apply.\nLook at it, then: npx hookline trust approve  (or --trust-workspace for one call)\n',
    );
    expect(where.has('made')).toBe(false);
    expect(hookline(where, 'trust', 'approve', '--yes')).toContain('Approved 1 of 1.');
    expect(await where.run(GO)).toMatchObject({ out: 'Done.\n', err: '' });
    expect(where.has('made')).toBe(true);
  });

  it('RU-6: no longer counts when anything in it changes, a rule that forbids included', async () => {
    const where = allowing({ allow: ['Bash'], deny: ['Bash(rm *)'] });
    hookline(where, 'trust', 'approve', '--yes');
    where.write('.claude/settings.json', { permissions: { allow: ['Bash'] } });
    expect((await where.run(GO)).err).toContain('because it has changed since it was approved');
    expect(where.has('made')).toBe(false);
  });

  it('RU-6: the rules of two files count together or not at all', async () => {
    const where = allowing({ allow: ['Bash'] });
    hookline(where, 'trust', 'approve', '--yes');
    where.write('.claude/settings.local.json', { permissions: { additionalDirectories: ['/'] } });
    expect((await where.run(GO)).err).toContain('What .claude/settings.local.json allows has no effect');
    expect(where.has('made')).toBe(false);
  });

  it("RU-6 CL-10: --no-user leaves out the user's own rules", async () => {
    const where = place();
    where.write('../home/.claude/settings.json', { permissions: { allow: ['Bash'] } });
    where.write('turns.json', [bash('mkfifo made'), says('Done.')]);
    await where.run([...GO, '--no-user']);
    expect(where.has('made')).toBe(false);
    await where.run(GO);
    expect(where.has('made')).toBe(true);
  });
});

describe('calls without a person to ask', () => {
  it('RU-12 PM-34: are counted at the end, and each says what would allow it', async () => {
    const { write, run, has } = place();
    write('turns.json', [bash('mkfifo one'), bash('mkfifo two'), says('Done.')]);
    for (const format of ['text', 'json', 'stream-json']) {
      const { err, out, code } = await run([...GO, '--output-format', format]);
      expect(err).toMatch(
        /^hookline: 2 calls were denied, because there is no terminal to ask for permission: Bash\. .*--allowedTools.*\n$/,
      );
      expect(code).toBe(0);
      if (format === 'stream-json') expect(out).toContain('--allowedTools with a rule for Bash');
    }
    expect(has('one')).toBe(false);
    const refused = await run([...GO, '--disallowedTools', 'Bash(mkfifo *)']);
    expect(refused.err).toBe('');
  });
});

describe('help', () => {
  it('RU-3 CL-1: lists every exit code of a run', async () => {
    const { run } = place();
    const { out } = await run(['--help']);
    const [, codes = ''] = /Exit codes\n([\s\S]*?)\n\n/.exec(out) ?? [];
    expect([...codes.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code)).toEqual([
      '0',
      '1',
      '64',
      '78',
      '130',
    ]);
  });
});

describe.skipIf(missingTerminal !== undefined)(
  `at a pseudo terminal${missingTerminal ? ` (${missingTerminal})` : ''}`,
  () => {
    it('RU-5: what does not run, and what has changed, is said there too', async () => {
      const where = guarded(bash("echo '// x' >> hooks/no-rm-rf.mjs"), bash('rm -rf data'));
      where.write('.claude/settings.json', logging('Stop'));
      const { PATH: _, ...env } = environment(where);
      const args = ['run', '--script', 'turns.json', '--dangerously-skip-permissions'];
      const terminal = openTerminal(args, { cwd: where.workspace, env });
      await terminal.see('Not run, because it is not approved:');
      await terminal.see('› ');
      terminal.type('go\r');
      await terminal.see('changed since it was approved');
      await terminal.see('Done.');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
      expect(where.has('data')).toBe(true);
    });
  },
);

describe('a repository that brings programs', () => {
  it('PM-37 RU-5: git commands are refused unattended until somebody approves what git runs there', async () => {
    const where = place();
    const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: where.workspace });
    git('init', '-q');
    git('config', 'core.fsmonitor', 'touch made; false');
    where.write('turns.json', [bash('git status'), says('Done.')]);
    const { err } = await where.run(GO);
    expect(where.has('made')).toBe(false);
    expect(err).toContain('git runs core.fsmonitor = touch made; false');
    expect(err).toContain('hookline trust approve');
    expect(hookline(where, 'trust')).toContain('core.fsmonitor');
    hookline(where, 'trust', 'approve', '--yes');
    await where.run(GO);
    expect(where.has('made')).toBe(true);
    git('config', 'core.fsmonitor', 'touch other; false');
    await where.run(GO);
    expect(where.has('other')).toBe(false);
  });
});

describe('a hook that could have refused, and failed', () => {
  it('RU-19: is named once, with how often, unless it refused by failing', async () => {
    const { write, run } = place();
    const hook = (command: string, more: object = {}) => ({ type: 'command', command, ...more });
    const settings = write('hooks.json', {
      hooks: {
        PreToolUse: [{ hooks: [hook('exit 7'), hook('exit 0')] }],
        PostToolUse: [{ hooks: [hook('exit 8')] }],
        Stop: [{ hooks: [hook('exit 9', { onFailure: 'block' })] }],
      },
    });
    const call = { tools: [{ name: 'Bash', input: { command: 'echo hi' } }] };
    write('turns.json', [call, call, { text: 'Done.' }]);
    const base = ['-p', 'hi', '--script', 'turns.json', '--permission-mode', 'bypassPermissions'];
    const { err } = await run([...base, '--settings', settings]);
    expect(err).toMatch(
      /Failed, so they decided nothing:\n {2}hooks\.json:\d+ {2}PreToolUse {2}exit 7: it exited with code 7 \(2 times\)\nFor a guard/,
    );
    expect(err).not.toMatch(/exit [089]:/);
  });
});
