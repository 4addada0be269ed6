import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type BackgroundShells, MAX_RUNNING } from '../../../src/agent/tools/background-shells.js';
import { createBashTool } from '../../../src/agent/tools/bash.js';
import type { EndedJob, SessionPart, ToolHost } from '../../../src/agent/tools/host.js';
import { runTool } from '../../../src/agent/tools/run-tool.js';
import { bashOutputTool, killShellTool } from '../../../src/agent/tools/shell-tools.js';
import type { Tool, ToolProgress } from '../../../src/agent/tools/tool.js';
import { isRunning, until } from '../../support/process-harness.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const bash = createBashTool();
const parts = new Map<object, SessionPart>();
const jobs: EndedJob[] = [];

/** What a loop gives to its tools, as far as shells need it. */
const host = {
  keep: (key: object, make: () => SessionPart) => {
    const part = parts.get(key) ?? make();
    parts.set(key, part);
    return part;
  },
  reportJob: (job: EndedJob) => void jobs.push(job),
} as unknown as ToolHost;

const run = (tool: Tool, input: object) => runTool(tool, input, { ...bench.context(), host });
const start = async (command: string): Promise<string> => {
  const { response } = succeeded(await run(bash, { command, run_in_background: true }));
  return (response as { backgroundTaskId: string }).backgroundTaskId;
};
const read = async (bash_id: string, filter?: string) =>
  succeeded(await run(bashOutputTool, { bash_id, ...(filter !== undefined && { filter }) }));
const endAll = async (): Promise<void> => {
  await Promise.all([...parts.values()].map((part) => part.close()));
  parts.clear();
};
const pidIn = (name: string): number => (existsSync(bench.path(name)) ? Number(bench.read(name)) : 0);

afterEach(async () => {
  await endAll();
  jobs.length = 0;
});

describe('commands in the background', () => {
  it('TO-45: return at once; their output is read as it comes, each part once', async () => {
    const id = await start('echo one; until [ -e go ]; do sleep 0.02; done; echo two >&2; echo three');
    let seen = '';
    while (!seen.includes('one')) {
      seen += String((await read(id)).content);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await read(id)).content).toBe(`${id} is running.\n(no new output)`);
    bench.write('go', '');
    await until(() => jobs.length > 0, 'the end');
    const { content, response } = await read(id);
    expect(content).toMatch(/has ended: completed \(exit code 0\)\./);
    expect(String(content)).not.toContain('one');
    expect(response).toMatchObject({
      status: 'completed',
      exitCode: 0,
      stdout: expect.stringContaining('three'),
    });
    expect((response as { stdout: string }).stdout.split('\n').sort()).toEqual(['three', 'two']);
  });

  it('TO-45: a filter keeps the lines that match', async () => {
    const id = await start('printf "a1\\nb2\\na3\\n"');
    await until(() => jobs.length > 0, 'the end');
    expect((await read(id, '^a')).response).toMatchObject({ stdout: 'a1\na3' });
    expect(failed(await run(bashOutputTool, { bash_id: id, filter: '(' })).error).toContain(
      'not a valid regular expression',
    );
  });

  it('TO-45: output that is not read is dropped from its beginning', async () => {
    const id = await start('head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end');
    await until(() => jobs.length > 0, 'the end');
    const { content } = await read(id);
    expect(content).toMatch(/\[\d{7} characters before this were dropped/);
    expect(String(content)).toMatch(/end$/);
    expect(String(content).length).toBeLessThan(40_000);
  });

  it('TO-45: the end is reported with what was printed; a failure as one', async () => {
    const id = await start('echo oops; exit 3');
    await until(() => jobs.length > 0, 'the end');
    expect(jobs).toEqual([
      {
        id,
        tool: 'Bash',
        status: 'failed',
        result: `echo oops; exit 3\n${id} has ended: failed (exit code 3).\noops`,
      },
    ]);
  });

  it('TO-46: KillShell ends a command with all it started, and nothing is reported', async () => {
    const id = await start('sleep 100 & echo $! > child; echo $$ > pid; wait');
    await until(() => pidIn('pid') > 0, 'the pids');
    const both = [pidIn('child'), pidIn('pid')];
    expect(succeeded(await run(killShellTool, { shell_id: id })).content).toBe(`${id} was ended.`);
    expect(both.filter(isRunning)).toEqual([]);
    expect(succeeded(await run(killShellTool, { shell_id: id })).content).toBe(
      `${id} had ended before: killed.`,
    );
    expect(jobs).toEqual([]);
  });

  it('TO-46: all end with the session', async () => {
    await start('sleep 100 & echo $! > child; echo $$ > pid; wait');
    await until(() => pidIn('pid') > 0, 'the pids');
    const both = [pidIn('child'), pidIn('pid')];
    await endAll();
    expect(both.filter(isRunning)).toEqual([]);
  });

  it('TO-46: an abort of the call does not end a command that has started', async () => {
    const id = await start('echo $$ > pid; sleep 100');
    bench.controller.abort();
    await until(() => pidIn('pid') > 0, 'the pid');
    expect((parts.values().next().value as BackgroundShells).list()).toMatchObject([
      { id, status: 'running' },
    ]);
  });

  it(`TO-46: at most ${MAX_RUNNING} run at once; an unknown id and a call outside a loop are errors`, async () => {
    for (let i = 0; i < MAX_RUNNING; i += 1) await start('sleep 100');
    expect(failed(await run(bash, { command: 'sleep 100', run_in_background: true })).error).toContain(
      'KillShell',
    );
    expect(failed(await run(bashOutputTool, { bash_id: 'x' })).error).toMatch(
      /no background command x\. Known: shell_1 \(running\)/,
    );
    for (const [tool, input] of [
      [bash, { command: 'true', run_in_background: true }],
      [bashOutputTool, { bash_id: 'x' }],
      [killShellTool, { shell_id: 'x' }],
    ] as const)
      expect(failed(await bench.run(tool, input)).error).toContain('only within an agent loop');
  });
});

describe('progress', () => {
  it('TO-47: Bash counts lines and bytes while it prints', async () => {
    const seen: ToolProgress[] = [];
    const progress = (each: ToolProgress) => void seen.push(each);
    await runTool(bash, { command: 'echo é; echo two >&2' }, { ...bench.context(), progress });
    expect(seen.at(-1)).toEqual({ totalLines: 2, totalBytes: 7 });
  });
});
