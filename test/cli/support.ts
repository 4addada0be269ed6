/** A folder, a home and a trust store of their own, and calls of the command in this process. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { runCli } from '../../src/cli/cli.js';
import { createPrinter } from '../../src/cli/printer.js';
import { COMPILED_CACHE } from '../support/compiled-cache.js';

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What was printed for programs. */
  json<T = unknown>(): T;
}

export interface CallOptions {
  /** An error: it cannot be read. */
  readonly stdin?: string | Error;
  /** What the person at the terminal answers; absent: there is nobody. */
  readonly answer?: boolean;
  /** Told before an answer is given. */
  readonly onQuestion?: (question: string) => void;
  readonly signal?: AbortSignal;
  /** The folder of the process. Default: the workspace. */
  readonly cwd?: string;
  /** The streams are terminals. */
  readonly columns?: number;
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with everything that is printed, as it is printed. */
  readonly onPrint?: (text: string) => void;
}

export interface Folder {
  readonly dir: string;
  readonly workspace: string;
  readonly home: string;
  /** The variables that keep a process away from the real home. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the workspace; objects become JSON. Text that begins with `#!` is made executable. */
  write(path: string, content: unknown): string;
  /** Writes the user's own settings. */
  writeUser(content: unknown): void;
  call(argv: readonly string[], options?: CallOptions): Promise<Called>;
}

export function folder(): Folder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-cli-')));
  const workspace = join(dir, 'workspace');
  const home = join(dir, 'home');
  for (const path of [workspace, home]) mkdirSync(path);
  const env = {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    XDG_CONFIG_HOME: join(home, '.config'),
    HOOKLINE_HOME: join(home, '.hookline'),
    XDG_CACHE_HOME: COMPILED_CACHE,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  // Nobody closes that of this process: each `run` would wait three seconds for a prompt.
  const stdin = vi.spyOn(process, 'stdin', 'get');
  stdin.mockImplementation(() => Readable.from([]) as typeof process.stdin);
  onTestFinished(() => {
    stdin.mockRestore();
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true, force: true });
  });
  const write = (file: string, content: unknown): string => {
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    writeFileSync(file, text);
    if (text.startsWith('#!')) chmodSync(file, 0o755);
    return file;
  };
  return {
    dir,
    workspace,
    home,
    env,
    write: (path, content) => write(join(workspace, path), content),
    writeUser: (content) => void write(join(home, '.claude', 'settings.json'), content),
    call: (argv, options) => call(argv, options?.cwd ?? workspace, options),
  };
}

async function call(argv: readonly string[], cwd: string, options: CallOptions = {}): Promise<Called> {
  let out = '';
  let err = '';
  const isTTY = options.tty === true;
  const code = await runCli(argv, {
    printer: createPrinter(
      {
        isTTY,
        columns: options.columns,
        write: (text) => {
          out += text;
          options.onPrint?.(text);
        },
      },
      {
        isTTY,
        write: (text) => {
          err += text;
          options.onPrint?.(text);
        },
      },
      options.env ?? {},
    ),
    cwd,
    signal: options.signal ?? new AbortController().signal,
    readStdin: async () => {
      if (options.stdin instanceof Error) throw options.stdin;
      return options.stdin ?? '';
    },
    confirm: async (question) => {
      options.onQuestion?.(question);
      return options.answer;
    },
  });
  return { code, out, err, json: () => JSON.parse(out) };
}

/** Settings with one group of commands for an event. */
export function settings(
  event: string,
  commands: readonly (string | object)[],
  group: object = {},
): Readonly<Record<string, unknown>> {
  const hooks = commands.map((each) =>
    typeof each === 'string' ? { type: 'command', command: each } : each,
  );
  return { hooks: { [event]: [{ ...group, hooks }] } };
}

/** A hookline file with one group of commands for an event. */
export function hooklineFile(event: string, ...commands: readonly string[]): string {
  const hooks = commands.map((command) => `        - { type: command, command: ${JSON.stringify(command)} }`);
  return `hooks:\n  ${event}:\n    - hooks:\n${hooks.join('\n')}\n`;
}

/** A shell line that prints an answer. */
export const answering = (answer: object): string => `echo '${JSON.stringify(answer)}'`;

export const denying = (reason: string): string =>
  answering({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  });
