/** Calls the bridge as a host does: a real process, the host's event on stdin. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/cli.js';
import { createPrinter } from '../../src/cli/printer.js';
import type { Host, Spelling } from '../../src/dialects/host/host.js';
import { spellingFor, toHost } from '../../src/dialects/host/translate.js';
import { hostNamed } from '../../src/dialects/hosts.js';
import type { AnyEvent } from '../../src/index.js';
import { COMPILED_CACHE } from '../support/compiled-cache.js';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Done {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
}

export interface Folder {
  readonly dir: string;
  readonly project: string;
  readonly home: string;
  write(path: string, content: string): string;
  /** `hookline …` in the project, as its user. */
  hookline(args: readonly string[], stdin?: string): Promise<Done>;
  /** The same in this process, for what a process proves nothing more about. */
  call(args: readonly string[], stdin?: string): Promise<Done>;
  /** The same, with a stdin that is never closed. */
  unfinished(args: readonly string[], stdin: string): Promise<Done>;
  remove(): void;
}

/** A project and a home that no other test knows. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): Folder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-bridge-')));
  const [project, home] = [join(dir, 'project'), join(dir, 'home')];
  mkdirSync(project);
  mkdirSync(home);
  const write = (path: string, content: string): string => {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: '',
    XDG_STATE_HOME: '',
    XDG_DATA_HOME: '',
    CODEX_HOME: '',
    XDG_CACHE_HOME: COMPILED_CACHE,
  };
  const env = { ...process.env, ...own };
  return {
    dir,
    project,
    home,
    write,
    hookline: (args, stdin = '') => run(process.execPath, [MAIN, ...args], project, stdin, env),
    call: async (args, stdin = '') => {
      Object.assign(process.env, own);
      const printed = { stdout: '', stderr: '' };
      const stream = (name: keyof typeof printed) => ({
        isTTY: false,
        write: (text: string) => {
          printed[name] += text;
        },
      });
      const exit = await runCli(args, {
        printer: createPrinter(stream('stdout'), stream('stderr'), {}),
        cwd: project,
        signal: new AbortController().signal,
        readStdin: async () => stdin,
        confirm: async () => undefined,
      });
      return { ...printed, exit };
    },
    unfinished: (args, stdin) => run(process.execPath, [MAIN, ...args], project, stdin, env, false),
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Ready guards import `hookline/guard` from the project. */
export function linkPackage({ project }: Folder): void {
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), join(project, 'node_modules', 'hookline'));
}

export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  stdin: string,
  env: NodeJS.ProcessEnv,
  closesStdin = true,
): Promise<Done> {
  const child = spawn(program, args, { cwd, env });
  child.stdin.on('error', () => {});
  child.stdin.write(stdin);
  if (closesStdin) child.stdin.end();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, exit };
}

const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Bash: { command: 'ls' },
  Read: { file_path: 'README.md' },
  Write: { file_path: 'new.txt', content: 'x' },
  Edit: { file_path: 'README.md', old_string: 'a', new_string: 'b' },
};

/** The host's own event for a call of one of our tools, as it writes it to stdin. */
export function callOf(
  host: Host,
  tool: string,
  toolInput: Readonly<Record<string, unknown>> = INPUTS[tool] ?? {},
  spelling?: Spelling,
): string {
  const input = { session_id: 's', cwd: '.', tool_name: tool, tool_input: toolInput, tool_use_id: 't' };
  return eventOf(host, 'PreToolUse', input, spelling);
}

export function eventOf(
  host: Host,
  event: AnyEvent,
  input: Readonly<Record<string, unknown>>,
  spelling: Spelling = spellingFor(host, event, input['tool_name']) ?? host.spellings[0],
): string {
  return JSON.stringify(toHost(spelling, event, { ...input, hook_event_name: spelling.events[event]?.name }));
}

/** The arguments of a bridge for an event of a host. */
export function bridge(
  host: Host,
  event: AnyEvent = 'PreToolUse',
  spelling: Spelling = host.spellings[0],
): string[] {
  return ['hook', '--host', host.name, '--event', spelling.events[event]?.name ?? event];
}

/** What the host's own reader makes of what was printed. */
export function readBy(
  host: Host,
  done: Done,
  event: AnyEvent = 'PreToolUse',
  spelling: Spelling = host.spellings[0],
) {
  const own = spelling.events[event];
  if (own === undefined) throw new Error(`${host.name} has no ${event}`);
  const exit = { kind: 'exited', exitCode: done.exit ?? undefined, signal: undefined, ...done } as const;
  return spelling.read(
    { kind: exit.kind, exitCode: exit.exitCode, signal: undefined, stdout: done.stdout, stderr: done.stderr },
    { event, own, input: {} },
  );
}

export const host = hostNamed;
