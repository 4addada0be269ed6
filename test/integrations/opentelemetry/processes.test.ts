/** Telemetry in processes of its own: where OpenTelemetry is not installed, and in the commands. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logging, type Place, place } from '../../cli/run/support.js';
import { until } from '../../support/process-harness.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const importing = (path: string): string => `--import=${pathToFileURL(here(path))}`;
const MAIN = here('../../../dist/cli/main.js');

describe('where it is not installed', () => {
  it('OT-1 the entry loads, nothing happens, and one sentence says why', { timeout: 60_000 }, async () => {
    const program = `
      import { instrument } from './src/integrations/opentelemetry/index.ts';
      import { command, Runner } from './src/index.ts';
      const runner = new Runner();
      runner.on('Stop', command('echo "{\\\\"systemMessage\\\\":\\\\"<$TRACEPARENT>\\\\"}"'));
      const stop = await instrument(runner);
      const { systemMessages } = await runner.fire('Stop', { stop_hook_active: false });
      await stop.flush();
      stop();
      await runner.dispose();
      console.log(JSON.stringify([stop.active, stop.problem, systemMessages]));
    `;
    const args = ['--import', 'tsx', importing('./without-opentelemetry.mjs'), '--input-type=module'];
    const { stdout, stderr } = await execa(process.execPath, [...args, '-e', program], {
      cwd: here('../../..'),
    });
    const [active, problem, messages] = JSON.parse(stdout) as [boolean, string, string[]];
    expect([active, messages, stderr]).toEqual([false, ['<>'], '']);
    expect(problem).toMatch(/@opentelemetry\/api, which is not installed: npm install @opentelemetry\/api$/);
  });

  it('OT-12 hookline run is as it always was', async () => {
    const { write, run } = place();
    const settings = write('hooks.json', logging('Stop'));
    write('turns.json', [{ text: 'Hello.' }]);
    const env = { NODE_OPTIONS: importing('./without-opentelemetry.mjs') };
    const ran = await run(['-p', 'hi', '--script', 'turns.json', '--settings', settings], { env });
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\n', err: '' });
  });
});

interface WrittenSpan {
  readonly name: string;
  readonly id: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A folder with a hook, and what telemetry has been told there. */
function tracedFolder(): {
  where: Place;
  args: readonly string[];
  env: Record<string, string>;
  spans(): WrittenSpan[];
} {
  const where = place();
  const settings = where.write('hooks.json', {
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'cat > /dev/null; echo "$TRACEPARENT" > parent' }] }],
    },
  });
  where.write('turns.json', [{ text: 'Hello.' }]);
  const file = join(where.workspace, 'spans.jsonl');
  return {
    where,
    args: ['--script', 'turns.json', '--settings', settings],
    env: { NODE_OPTIONS: importing('./collector.mjs'), SPANS_FILE: file },
    spans: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as WrittenSpan)
        : [],
  };
}

function checkSpans(where: Place, spans: readonly WrittenSpan[]): void {
  const fire = spans.find(({ name }) => name === 'hookline.fire Stop');
  const hook = spans.find(({ parent }) => parent !== undefined && parent === fire?.id);
  expect(hook?.attributes).toMatchObject({
    'hookline.event': 'Stop',
    'hookline.hook.kind': 'command',
    'hookline.hook.outcome': 'success',
    'hookline.hook.exit_code': 0,
  });
  expect(where.read('parent')).toContain(`-${hook?.id}-01`);
}

describe('the commands', () => {
  it('OT-12 run records its fires and hooks, and hands them on before it ends', async () => {
    const { where, args, env, spans } = tracedFolder();
    const ran = await where.run(['-p', 'hi', ...args], { env });
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\n', err: '' });
    checkSpans(where, spans());
  });

  it('OT-12 serve does so too', async () => {
    const { where, args, env, spans } = tracedFolder();
    const home = join(where.workspace, '..', 'home');
    const child = spawn(process.execPath, [MAIN, 'serve', 'hi', ...args], {
      cwd: where.workspace,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, HOOKLINE_HOME: join(home, '.hookline'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      out += piece;
    });
    const err = text(child.stderr);
    const code = new Promise<number | null>((resolve) => child.on('close', resolve));
    await until(() => out.includes('Hello.\n'), 'the answer');
    child.kill('SIGINT');
    expect([await code, await err]).toEqual([130, '']);
    checkSpans(where, spans());
  });
});
