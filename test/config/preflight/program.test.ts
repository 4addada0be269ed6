/** Programs and scripts that are started directly: what the system would say, said before. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect } from 'vitest';
import { preflightTest } from './support.js';

const EXEC = { args: [] };

describe('a program', () => {
  preflightTest('PF-2 that is there, by path or by name, gives no finding', async ({ preflight }) => {
    preflight.write('guard.sh', '#!/bin/sh\n');
    for (const program of ['./guard.sh', 'guard.sh', join(preflight.dir, 'guard.sh'), 'node', '/bin/sh']) {
      const env = { PATH: [preflight.dir, process.env['PATH']].join(delimiter) };
      expect(await preflight.check(program, { ...EXEC, env }), program).toEqual([]);
    }
  });

  preflightTest('PF-2 that is not there is named, with the place and what to do', async ({ preflight }) => {
    expect(await preflight.check('./gone.sh', EXEC)).toEqual([
      {
        severity: 'error',
        code: 'missing_script',
        message: `The file '${join(preflight.dir, 'gone.sh')}' does not exist. Create it, or correct the path.`,
      },
    ]);
    expect(await preflight.find('no-such-program', EXEC)).toEqual(['error missing_program']);
    expect(await preflight.find('ruby', { ...EXEC, env: { PATH: '/nowhere' } })).toEqual([
      'error missing_interpreter',
    ]);
  });

  preflightTest('PF-2 is looked for in the PATH of the command, not in ours', async ({ preflight }) => {
    preflight.write('bin/tool', '#!/bin/sh\n');
    expect(await preflight.find('tool', EXEC)).toEqual(['error missing_program']);
    expect(await preflight.find('tool', { ...EXEC, env: { PATH: join(preflight.dir, 'bin') } })).toEqual([]);
    expect(await preflight.find('tool', { ...EXEC, env: { PATH: 'bin' } })).toEqual([]);
    expect(await preflight.find('sh', { ...EXEC, env: {} })).toEqual([]);
  });

  preflightTest(
    'PF-2 that lies in the workspace but is looked for elsewhere is pointed out',
    async ({ preflight }) => {
      preflight.write('hooks/guard.sh', '#!/bin/sh\n');
      mkdirSync(join(preflight.dir, 'sub'));
      const [found] = await preflight.check('hooks/guard.sh', { cwd: join(preflight.dir, 'sub') });
      expect(found?.message).toContain('write "$CLAUDE_PROJECT_DIR"/hooks/guard.sh');
    },
  );

  preflightTest('PF-3 that is a directory, or a pipe, is no file', async ({ preflight }) => {
    mkdirSync(join(preflight.dir, 'folder'));
    execFileSync('mkfifo', [join(preflight.dir, 'pipe')]);
    for (const name of ['./folder', './pipe']) {
      expect(await preflight.find(name, EXEC), name).toEqual(['error not_a_file']);
      expect(await preflight.find(name), name).toEqual(['error not_a_file']);
    }
  });

  preflightTest('PF-3 without the right to execute it says chmod +x', async ({ preflight }) => {
    preflight.write('guard.sh', '#!/bin/sh\n', 0o644);
    const [found] = await preflight.check('./guard.sh', EXEC);
    expect(found).toMatchObject({ severity: 'error', code: 'not_executable' });
    expect(found?.message).toContain('chmod +x');
    expect(await preflight.find('guard.sh', { ...EXEC, env: { PATH: preflight.dir } })).toEqual([
      'error not_executable',
    ]);
    expect(await preflight.find('./guard.sh')).toEqual(['error not_executable']);
    expect(await preflight.find('sh ./guard.sh')).toEqual([]);
  });

  preflightTest('PF-3 later in PATH counts when the first one cannot be executed', async ({ preflight }) => {
    preflight.write('a/tool', '', 0o644);
    preflight.write('b/tool', '#!/bin/sh\n');
    mkdirSync(join(preflight.dir, 'c/tool'), { recursive: true });
    expect(await preflight.find('tool', { ...EXEC, env: { PATH: 'c:a:b' } })).toEqual([]);
    expect(await preflight.find('tool', { ...EXEC, env: { PATH: 'c:a' } })).toEqual(['error not_executable']);
    expect(await preflight.find('tool', { ...EXEC, env: { PATH: 'c' } })).toEqual(['error missing_program']);
  });

  preflightTest('PF-2 behind a link is found, behind a broken link is missing', async ({ preflight }) => {
    preflight.write('real.sh', '#!/bin/sh\n');
    symlinkSync('real.sh', join(preflight.dir, 'good.sh'));
    symlinkSync('gone.sh', join(preflight.dir, 'bad.sh'));
    expect(await preflight.find('./good.sh', EXEC)).toEqual([]);
    expect(await preflight.find('./bad.sh', EXEC)).toEqual(['error missing_script']);
  });
});

/** The first bytes of a script, and what is found when it is started without a shell, and by one. */
const SCRIPTS: readonly (readonly [rule: string, content: string, exec: string[], shell: string[]])[] = [
  ['PF-4', '#!/bin/sh\necho', [], []],
  ['PF-4', '#! /bin/sh -e\n', [], []],
  ['PF-4', '#!/bin/sh', [], []],
  ['PF-4', '#!/usr/bin/env node\n', [], []],
  ['PF-4', '#!/usr/bin/env -S node --no-warnings\n', [], []],
  [
    'PF-4',
    '#!/usr/bin/env -S no-such-thing -x\n',
    ['error missing_interpreter'],
    ['error missing_interpreter'],
  ],
  ['PF-4', '#!/usr/bin/env no-such-thing\n', ['error missing_interpreter'], ['error missing_interpreter']],
  ['PF-4', '#!/no/such/python\n', ['error missing_interpreter'], ['error missing_interpreter']],
  ['PF-4', '#!/usr\n', ['error missing_interpreter'], ['error missing_interpreter']],
  ['PF-1', '#!/usr/bin/env -i no-such-thing\n', [], []],
  ['PF-1', '#!/usr/bin/env -S A=1 no-such-thing\n', [], []],
  ['PF-1', '\x7fELF\0\0\0\0', [], []],
  ['PF-5', '#!/usr/bin/env node --no-warnings\n', ['error bad_shebang'], ['error bad_shebang']],
  ['PF-5', '\ufeff#!/usr/bin/env node\n', ['error bad_shebang'], ['error bad_shebang']],
  ['PF-5', '\ufeff#!/bin/sh\n', ['warning bad_shebang'], ['warning bad_shebang']],
  ['PF-5', '#!\n', ['warning bad_shebang'], []],
  ['PF-5', '#!node\n', ['error bad_shebang'], ['error bad_shebang']],
  ['PF-5', 'echo hi\n', ['warning bad_shebang'], []],
  ['PF-5', '', ['warning bad_shebang'], []],
  ['PF-6', '#!/bin/sh\r\necho\r\n', ['error crlf_script'], ['error crlf_script']],
  ['PF-6', '#!/usr/bin/env node\r\n', ['error crlf_script'], ['error crlf_script']],
  ['PF-6', '#!/usr/bin/env node\nconst a = 1;\r\n', [], []],
];

describe('a script that begins with', () => {
  for (const [rule, content, exec, shell] of SCRIPTS) {
    preflightTest(`${rule} ${JSON.stringify(content)}`, async ({ preflight }) => {
      const path = preflight.write('script', content);
      expect(await preflight.find('./script', EXEC)).toEqual(exec);
      expect(await preflight.find('./script')).toEqual(shell);
      expect(await preflight.find(path, { args: ['an argument'] })).toEqual(exec);
    });

    const broken = exec.some((finding) => finding.startsWith('error'));
    if (!broken) continue;
    preflightTest(`PF-1 ${JSON.stringify(content)} really cannot be started`, async ({ preflight }) => {
      const { error, status } = spawnSync(preflight.write('script', content), [], { stdio: 'ignore' });
      expect(error !== undefined || status !== 0).toBe(true);
    });
  }

  preflightTest('PF-1 nothing is executed, whatever it is', async ({ preflight }) => {
    const canary = join(preflight.dir, 'canary');
    preflight.write('env', `#!/bin/sh\ntouch ${canary}\n`);
    preflight.write('sh', `#!/bin/sh\ntouch ${canary}\n`);
    preflight.write('a.sh', `#!${preflight.dir}/env node\ntouch ${canary}\n`);
    const env = { PATH: preflight.dir };
    for (const line of ['./a.sh', 'env node', 'sh ./a.sh', `$(touch ${canary})`, `\`touch ${canary}\``]) {
      await preflight.check(line, { env });
      await preflight.check(line, { env, shell: join(preflight.dir, 'sh') });
      await preflight.check(line.split(' ')[0] ?? '', { env, args: line.split(' ').slice(1) });
    }
    expect(existsSync(canary)).toBe(false);
  });

  preflightTest('PF-1 only the beginning of a file is read', async ({ preflight }) => {
    const path = preflight.write('late.sh', `#!/bin/sh\n${'# comment\n'.repeat(1000)}echo\r\n`);
    expect(openSync(path, 'r')).toBeGreaterThan(0);
    expect(await preflight.find('sh ./late.sh')).toEqual([]);
  });
});

describe('the surroundings', () => {
  preflightTest('PF-12 a working directory that is missing, or a file', async ({ preflight }) => {
    const file = preflight.write('file', '');
    for (const cwd of [join(preflight.dir, 'gone'), file]) {
      expect(await preflight.find('true', { cwd }), cwd).toEqual(['error missing_cwd']);
      expect(await preflight.find('true', { cwd, args: [] }), cwd).toEqual(['error missing_cwd']);
    }
  });

  preflightTest('PF-12 a shell that is missing, or cannot be executed', async ({ preflight }) => {
    const shell = preflight.write('shell', '#!/bin/sh\n', 0o644);
    expect(await preflight.find('true', { shell })).toEqual(['error missing_shell']);
    expect(await preflight.find('true', { shell: '/no/such/shell' })).toEqual(['error missing_shell']);
    expect(await preflight.find('true', { shell: preflight.dir })).toEqual(['error missing_shell']);
    expect(await preflight.find('true', { shell: 'bash' })).toEqual([]);
  });

  preflightTest('PF-12 lines for other shells are not read', async ({ preflight }) => {
    preflight.write('fish', '#!/bin/sh\n');
    preflight.write('zsh', '#!/bin/sh\n');
    for (const shell of ['fish', 'zsh']) {
      expect(await preflight.find("./gone 'open", { shell: join(preflight.dir, shell) }), shell).toEqual([]);
    }
  });
});
