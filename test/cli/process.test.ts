/** The command as a process: exit codes, pipes, signals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { isRunning, readPids, until } from '../support/process-harness.js';
import { type Folder, folder, hooklineFile, settings } from './support.js';

const SOURCE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

function start({ workspace, env }: Folder, argv: readonly string[], input = '') {
  return execa(process.execPath, [MAIN, ...argv], {
    cwd: workspace,
    env: { ...env, NO_COLOR: undefined, FORCE_COLOR: undefined },
    input,
    reject: false,
  });
}

describe('the process', () => {
  it('CL-26 from an empty folder to a denial: reason and exit code 2, without colours on a pipe', async () => {
    const where = folder();
    expect((await start(where, ['init'])).exitCode).toBe(0);
    const argv = ['fire', 'PreToolUse', '--set', 'tool_input.command=rm -rf /'];
    const { exitCode, stdout, stderr } = await start(where, argv);
    expect(stdout).toContain('Denied: the tool does not run, and the model reads the reason.');
    expect(stdout).toContain("'rm -rf /' deletes without asking.");
    expect(stdout).not.toContain('\u001b');
    expect([exitCode, stderr]).toEqual([2, '']);
  });

  it('CL-3 reads standard input where it is told to', async () => {
    const where = folder();
    const { stdout } = await start(where, ['samples', 'Stop', '--input', '-'], '{"session_id":"piped"}');
    expect(JSON.parse(stdout)).toMatchObject({ session_id: 'piped', hook_event_name: 'Stop' });
  });

  it('CL-2 a mistake is a sentence on stderr and exit code 64', async () => {
    const { exitCode, stdout, stderr } = await start(folder(), ['fire', 'PreTolUse']);
    expect(stderr).toMatch(/^hookline: There is no event "PreTolUse"\. Did you mean PreToolUse\?$/);
    expect([exitCode, stdout]).toEqual([64, '']);
  });

  it('CL-9 Ctrl-C ends the hook that runs, and the command with 130', async () => {
    const where = folder();
    where.write('slow.sh', '#!/bin/sh\nsleep 60 &\necho $$ >> pids\necho $! >> pids\nwait\n');
    where.write('.claude/settings.json', settings('PreToolUse', ['./slow.sh']));
    const running = start(where, ['fire', 'PreToolUse', '--trust-workspace']);
    const file = join(where.workspace, 'pids');
    await until(() => readPids(file).length === 2, 'the hook to run');
    running.kill('SIGINT');
    expect((await running).exitCode).toBe(130);
    await until(() => !readPids(file).some(isRunning), 'the end of the hook');
  });

  it('CL-5 a reader that goes away early is no error', async () => {
    const { workspace, env, write } = folder();
    write('hookline.yaml', hooklineFile('Stop', 'sleep 0.1'));
    const test = '{ event: Stop, expect: {} }';
    write('hookline.test.yaml', `tests: [${Array(5).fill(test).join(', ')}]\n`);
    const line = `'${process.execPath}' '${MAIN}' test --trust-workspace | head -c 1`;
    const { stdout, stderr } = await execa('sh', ['-c', line], { cwd: workspace, env });
    expect([stdout, stderr]).toEqual(['p', '']);
  });

  it('CL-5 long results reach a pipe whole, and nothing that a hook module leaves behind holds up the end', async () => {
    const where = folder();
    where.write('hookline.mjs', 'setInterval(() => {}, 1000); export default {};');
    const { stdout, exitCode } = await start(where, ['schema']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['config', 'tests', 'events']);
    expect(exitCode).toBe(0);
    expect((await start(where, ['list', '--trust-workspace', '--no-user'])).exitCode).toBe(0);
  });

  it('CL-38 as a hook of a settings file it records what it is fired with', async () => {
    const where = folder();
    const command = `'${process.execPath}' '${MAIN}' record session.jsonl`;
    where.write('hookline.yaml', hooklineFile('UserPromptSubmit', command));
    const { exitCode } = await start(where, ['fire', 'UserPromptSubmit', '--trust-workspace']);
    expect(exitCode).toBe(0);
    const recorded = JSON.parse(readFileSync(join(where.workspace, 'session.jsonl'), 'utf8'));
    expect(recorded).toMatchObject({
      event: 'UserPromptSubmit',
      input: { prompt: 'Add a test for the parser' },
    });
  });
});

describe('the package', () => {
  it('CL-1 has the command where the build puts it, and a first line that names Node', () => {
    expect(manifest.bin).toEqual({ hookline: 'dist/cli/main.js' });
    expect(readFileSync(SOURCE, 'utf8').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  });
});
