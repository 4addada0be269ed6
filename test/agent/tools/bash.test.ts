import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBashTool } from '../../../src/agent/tools/bash.js';
import { quoted } from '../../../src/base/text/shell-word.js';
import { isRunning, openFiles, readPids, until } from '../../support/process-harness.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const bash = (command: string, more: object = {}) => bench.run(createBashTool(), { command, ...more });
const reports = (): string[] => readdirSync(bench.dir).filter((name) => name.startsWith('hookline-bash-'));
const temporary = process.env['TMPDIR'];

// So that what is left of a report is seen, and only that of this test.
beforeEach(() => {
  process.env['TMPDIR'] = bench.dir;
});
afterEach(() => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
});

/** Two processes that ignore a polite end, their pids in a file. */
const STUBBORN = `trap '' TERM; (trap '' TERM; echo $BASHPID >> pids; while :; do sleep 1; done) & echo $$ >> pids; echo begun; while :; do sleep 1; done`;

async function stubbornPids(): Promise<number[]> {
  await until(() => readPids(bench.path('pids')).length === 2, 'two pids');
  return readPids(bench.path('pids'));
}

describe('a command', () => {
  it('TO-24: what it printed, for the model and for hooks', async () => {
    const { content, response } = succeeded(await bash('echo out; echo err >&2'));
    expect(content).toBe('out\nerr');
    expect(response).toEqual({ stdout: 'out', stderr: 'err', interrupted: false, isImage: false });
    expect(succeeded(await bash('true', { description: 'nothing' })).content).toBe('(no output)');
    expect(reports()).toEqual([]);
  });

  it('TO-24: quotes, lines and here documents reach the shell as they are', async () => {
    expect(succeeded(await bash(`printf '%s|' 'a b' "it's" \\$x\ncat <<'END'\n$HOME 'q'\nEND`)).content).toBe(
      "a b|it's|$x|$HOME 'q'",
    );
    expect(quoted("a'b")).toBe(`'a'\\''b'`);
  });

  it('TO-24: there is no input to wait for', async () => {
    expect(succeeded(await bash('cat; echo done')).content).toBe('done');
  });

  it('TO-24: the environment, the shell and the way to start are the host’s choice', async () => {
    const started: string[] = [];
    const { runProcess } = await import('../../../src/process/run-process.js');
    const tool = createBashTool({
      env: { ONLY: 'this' },
      shell: '/bin/sh',
      start: (request) => {
        started.push(request.command);
        return runProcess(request);
      },
    });
    expect(succeeded(await bench.run(tool, { command: 'echo $ONLY' })).content).toBe('this');
    expect(started).toEqual(['/bin/sh']);
  });

  it('TO-25: a code other than 0 is an error with all that was printed', async () => {
    expect(await bash('echo part; echo why >&2; exit 3')).toEqual({
      ok: false,
      error: 'Exit code 3\npart\nwhy',
    });
    expect(failed(await bash('false')).error).toBe('Exit code 1');
    expect(failed(await bash('no-such-program-here')).error).toMatch(/^Exit code 127\n.*not found/);
    expect(failed(await bash('if then')).error).toMatch(/^Exit code \d+\n.*syntax error/);
    expect(failed(await bash('kill -9 $$')).error).toMatch(/ended by SIGKILL/);
  });

  it('TO-25: a shell that is not there is said to be missing', async () => {
    const tool = createBashTool({ shell: '/no/such/shell' });
    expect(failed(await bench.run(tool, { command: 'true' })).error).toMatch(
      /could not be started.*\/no\/such\/shell/,
    );
    expect(reports()).toEqual([]);
  });

  it('TO-2: an empty command, an unknown field and a timeout beyond the limit are refused', async () => {
    expect(failed(await bash('')).error).toMatch(/command/);
    expect(failed(await bash('true', { background: true })).error).toMatch(/unknown: background/);
    expect(failed(await bash('true', { timeout: 700_000 })).error).toMatch(/timeout/);
  });
});

describe('the working directory', () => {
  it('TO-26: follows cd, also when the command fails or exits', async () => {
    bench.write("sub/it's/f", '');
    succeeded(await bash('cd sub'));
    expect(bench.cwd).toBe(bench.path('sub'));
    expect(succeeded(await bash('pwd')).content).toBe(bench.path('sub'));
    failed(await bash(`cd "it's" && exit 4`));
    expect(bench.cwd).toBe(bench.path("sub/it's"));
    succeeded(await bash('(cd /); cd ..; cd ..'));
    expect(bench.cwd).toBe(bench.dir);
  });

  it('TO-26: a directory that is a link is not left by standing still', async () => {
    bench.write('real/f', '');
    symlinkSync('real', bench.path('link'));
    bench.cwd = bench.path('link');
    succeeded(await bash('ls'));
    expect(bench.cwd).toBe(bench.path('link'));
  });

  it('TO-26: a directory that was removed does not strand the agent', async () => {
    bench.write('sub/deep/f', '');
    bench.cwd = bench.path('sub/deep');
    rmSync(bench.path('sub'), { recursive: true });
    expect(succeeded(await bash('pwd')).content).toMatch(/sub\/deep is gone; .*\]\n/);
    expect(bench.cwd).toBe(bench.dir);
    bench.write('again/f', '');
    expect(succeeded(await bash('cd again && rm -r ../again')).content).toBe('(no output)');
    expect(succeeded(await bash('pwd')).content).toContain(bench.dir);
  });
});

describe('environment files', () => {
  it('TO-27: are read in order, in silence, and may be missing', async () => {
    const first = bench.write("fi'rst.sh", 'export A=1 B=1\necho noise\n');
    const second = bench.write('second.sh', 'export B=2\n');
    bench.environmentFiles = [first, bench.path('missing.sh'), second];
    expect(succeeded(await bash('echo $A$B')).content).toBe('12');
    expect(failed(await bash('exit $B')).error).toBe('Exit code 2');
  });
});

describe('the end of a command', () => {
  it('TO-28: a timeout ends the whole group and keeps what was printed', async () => {
    const { error, interrupted } = failed(await bash(STUBBORN, { timeout: 2000 }));
    expect(error).toMatch(/did not finish within 2 s[\s\S]*\nbegun/);
    expect(interrupted).toBeUndefined();
    expect((await stubbornPids()).filter(isRunning)).toEqual([]);
  });

  it('TO-28: an abort ends the whole group in under a second', async () => {
    const open = openFiles();
    const run = bash(STUBBORN);
    const pids = await stubbornPids();
    const at = performance.now();
    bench.controller.abort();
    const { error, interrupted } = failed(await run);
    expect(performance.now() - at).toBeLessThan(15_000);
    expect(interrupted).toBe(true);
    expect(error).toBe('The command was interrupted.\nbegun');
    await until(() => !pids.some(isRunning), 'the end of both');
    await until(() => reports().length === 0, 'no report left');
    await until(() => openFiles() <= open, 'no file left open');
  });

  it('TO-5: a command that is aborted before it begins does not begin', async () => {
    const run = bash('touch made');
    bench.controller.abort();
    expect(await run).toEqual({ ok: false, error: 'Bash was interrupted.', interrupted: true });
    expect(readdirSync(bench.dir)).toEqual([]);
  });

  it('TO-29: long output is cut in the middle', async () => {
    const { content, response } = succeeded(await bash('echo BEGIN; seq 1 20000; echo END'));
    expect(content).toMatch(/^BEGIN\n1\n[\s\S]*characters left out here[\s\S]*\n20000\nEND$/);
    expect(String(content).length).toBeLessThan(31_000);
    expect(JSON.stringify(response).length).toBeLessThan(50_000);
  });

  it('TO-29: endless output ends the command', async () => {
    expect(failed(await bash('yes')).error).toMatch(/printed more than 16777216 bytes on stdout.*\ny\n/);
  });
});
