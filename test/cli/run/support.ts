/** Calls `hookline run` as a process, in a folder and with a home of its own. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { COMPILED_CACHE } from '../../support/compiled-cache.js';

/** As it is installed; `npm test` builds it first. */
const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output as lines of JSON. */
  lines(): readonly Record<string, unknown>[];
}

export interface Started {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ran>;
}

export interface Place {
  readonly workspace: string;
  /** Writes a file of the workspace; objects become JSON, programs become executable. */
  write(path: string, content: unknown): string;
  read(path: string): string;
  has(path: string): boolean;
  start(
    args: readonly string[],
    options?: { stdin?: string; open?: boolean; env?: Record<string, string> },
  ): Started;
  run(
    args: readonly string[],
    options?: { stdin?: string; open?: boolean; env?: Record<string, string> },
  ): Promise<Ran>;
}

export function place(): Place {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-run-')));
  const workspace = join(dir, 'workspace');
  const home = join(dir, 'home');
  for (const path of [workspace, home]) mkdirSync(path);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    HOOKLINE_HOME: join(home, '.hookline'),
    XDG_CACHE_HOME: COMPILED_CACHE,
  };
  const start: Place['start'] = (args, { stdin = '', open = false, env = {} } = {}) => {
    const child = spawn(process.execPath, [MAIN, 'run', ...args], {
      cwd: workspace,
      env: { ...own, ...env },
      stdio: 'pipe',
    });
    child.stdin.on('error', () => {});
    child.stdin.write(stdin);
    if (!open) child.stdin.end();
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
    const ended = Promise.all([exit, output]).then(([code, [out, err]]) => ({
      code,
      out,
      err,
      lines: () =>
        out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
    }));
    return { pid: child.pid ?? 0, kill: (signal) => child.kill(signal), ended };
  };
  return {
    workspace,
    write: (path, content) => {
      const file = join(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      const said = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(file, said);
      if (said.startsWith('#!')) chmodSync(file, 0o755);
      return file;
    },
    read: (path) => readFileSync(join(workspace, path), 'utf8'),
    has: (path) => readdirSync(workspace).includes(path),
    start,
    run: (args, options) => start(args, options).ended,
  };
}

/** A hook on an event that appends the event's name and what else is asked for to a file. */
export const logging = (...events: readonly string[]) => ({
  hooks: Object.fromEntries(
    events.map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: `cat > /dev/null; echo ${event} >> log.txt` }] }],
    ]),
  ),
});
