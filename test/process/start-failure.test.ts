import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeStartFailure } from '../../src/process/start-failure.js';
import { compileProgram } from '../support/compile-program.js';
import { describeEveryWay, fixturePath, processTest } from '../support/process-harness.js';

const EXHAUST_FILES = await compileProgram(fixturePath('exhaust-files.ts'));

describeEveryWay('a start that fails', (check) => {
  check(
    'a program that is not there is named, with the place where it was looked for',
    async ({ run, dir }) => {
      const byName = await run({ command: 'no-such-program', args: [] }).done;
      expect(byName.end).toMatchObject({ kind: 'failed-to-start', code: 'ENOENT' });
      expect(byName.end).toHaveProperty(
        'message',
        expect.stringMatching(/'no-such-program' was not found in the PATH/),
      );
      expect(byName.pid).toBeUndefined();
      const byPath = await run({ command: './gone', args: [] }).done;
      expect(byPath.end).toHaveProperty('message', expect.stringContaining(join(dir, 'gone')));
      const shell = await run({ command: 'true', shell: '/bin/no-such-shell' }).done;
      expect(shell.end).toHaveProperty('message', expect.stringContaining('/bin/no-such-shell'));
    },
  );

  check('a program deleted before its second run fails that run only', async ({ run, dir }) => {
    const command = script(dir, 'once.sh', '#!/bin/sh\nexit 0\n');
    expect((await run({ command, args: [] }).done).end.kind).toBe('exited');
    rmSync(command);
    expect((await run({ command, args: [] }).done).end).toMatchObject({
      kind: 'failed-to-start',
      code: 'ENOENT',
    });
  });

  check('a shell line whose program is missing is an exit with 127, as the shell says', async ({ run }) => {
    const { end, stderr } = await run({ command: 'no-such-program' }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 127 });
    expect(stderr).toContain('no-such-program');
  });

  check('a working directory that was deleted is named', async ({ run, dir }) => {
    const cwd = join(dir, 'deleted');
    mkdirSync(cwd);
    rmSync(cwd, { recursive: true });
    const { end } = await run({ command: 'true', cwd }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'ENOENT' });
    expect(end).toHaveProperty('message', expect.stringContaining(`directory '${cwd}' does not exist`));
  });

  check('a working directory that is a file is named', async ({ run, dir }) => {
    const cwd = script(dir, 'file', '');
    const { end } = await run({ command: 'true', cwd }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'ENOTDIR' });
    expect(end).toHaveProperty('message', expect.stringContaining(`'${cwd}' is not a directory`));
  });

  check('a script without the permission to execute says how to get it', async ({ run, dir }) => {
    const command = script(dir, 'plain.sh', '#!/bin/sh\n', 0o644);
    const { end } = await run({ command, args: [] }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'EACCES' });
    expect(end).toHaveProperty('message', expect.stringMatching(/plain\.sh' may not be executed.*chmod \+x/));
  });

  check('a directory is not a program', async ({ run, dir }) => {
    const { end } = await run({ command: dir, args: [] }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'EACCES' });
    expect(end).toHaveProperty('message', expect.stringContaining('is a directory'));
  });

  check('a missing interpreter is named, not the script', async ({ run, dir }) => {
    const command = script(dir, 'odd.sh', '#!/no/such/interpreter -x\n');
    const { end } = await run({ command, args: [] }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'ENOENT' });
    expect(end).toHaveProperty('message', expect.stringContaining("interpreter '/no/such/interpreter'"));
  });

  check('a script with Windows line endings is recognised', async ({ run, dir }) => {
    const command = script(dir, 'crlf.sh', '#!/bin/sh\r\nexit 0\r\n');
    const { end } = await run({ command, args: [] }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'ENOENT' });
    expect(end).toHaveProperty('message', expect.stringContaining('Windows line endings'));
  });

  check('too large an environment is blamed on its largest variable, without its value', async ({ run }) => {
    const { end } = await run({ command: 'true', env: { SMALL: 'x', HUGE: 'secret'.repeat(50_000) } }).done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'E2BIG' });
    expect(end).toHaveProperty(
      'message',
      expect.stringContaining('the variable HUGE alone has 300000 bytes'),
    );
    expect(JSON.stringify(end)).not.toContain('secretsecret');
  });

  check('too long an argument is blamed by its number', async ({ run }) => {
    const { end } = await run({ command: 'true', args: ['a', 'b'.repeat(300_000)] }).done;
    expect(end).toHaveProperty('message', expect.stringContaining('argument 2 alone has 300000 bytes'));
  });

  check('a zero byte in a command is refused as a value', async ({ run }) => {
    for (const request of [
      { command: 'a\0b' },
      { command: 'echo', args: ['a\0b'] },
      { command: '', args: [] },
    ]) {
      expect((await run(request).done).end.kind).toBe('failed-to-start');
    }
  });

  check('an abort of what never started changes nothing', async ({ run }) => {
    const running = run({ command: 'no-such-program', args: [] });
    running.abort();
    running.setTimeout(1);
    expect((await running.done).end.kind).toBe('failed-to-start');
  });
});

describe('a system without resources', () => {
  processTest(
    'without file descriptors starts fail as values, and work again afterwards',
    async ({ run }) => {
      const command = `ulimit -n 150; exec "${process.execPath}" "${EXHAUST_FILES}"`;
      const { end, stdout, stderr } = await run({ command, cwd: process.cwd() }).done;
      expect([end, stderr]).toEqual([{ kind: 'exited', exitCode: 0 }, '']);
      const { during, after } = JSON.parse(stdout);
      const failed = during.filter((each: { kind: string }) => each.kind === 'failed-to-start');
      expect(failed.length).toBeGreaterThan(5);
      for (const each of failed) {
        expect(each.code).toBe('EMFILE');
        expect(each.message).toContain('ulimit -n');
      }
      expect(after).toEqual(Array(3).fill({ kind: 'exited', exitCode: 0 }));
    },
  );

  test('without processes or memory the message says which limit to raise', () => {
    const request = { command: 'x', cwd: '/', env: {}, stdin: '', timeoutMs: 1 };
    for (const code of ['EAGAIN', 'ENOMEM']) {
      const failure = describeStartFailure(Object.assign(new Error('spawn'), { code }), request);
      expect(failure).toMatchObject({ kind: 'failed-to-start', code });
      expect(failure.message).toContain('ulimit -u');
    }
  });
});

function script(dir: string, name: string, text: string, mode = 0o755): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
