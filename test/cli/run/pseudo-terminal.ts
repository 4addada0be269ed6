/** Runs the command in a real pseudo terminal, and types. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { COMPILED_CACHE } from '../../support/compiled-cache.js';
import { until } from '../../support/process-harness.js';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** A terminal of 100 columns and 30 rows between our pipes and the program. */
const PYTHON = [
  'import fcntl, os, pty, struct, sys, termios',
  'size = lambda fd: fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))',
  'def read(fd):',
  '    size(fd)',
  '    return os.read(fd, 4096)',
  'sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))',
].join('\n');

/** Why there is no pseudo terminal; undefined when there is one. */
export const missingTerminal: string | undefined =
  spawnSync('python3', ['-c', 'import fcntl, pty, termios'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'left out: there is no python3 with pty, which makes pseudo terminals';

export interface Terminal {
  /** Everything that was written to it, without colours and other sequences. */
  readonly shown: string;
  /** The same as it was sent. */
  readonly raw: string;
  /** Resolves when something is shown behind what was seen last. */
  see(what: string | RegExp): Promise<void>;
  type(keys: string): void;
  readonly exit: Promise<number | null>;
}

export function openTerminal(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const child = spawn('python3', ['-c', PYTHON, process.execPath, MAIN, ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      XDG_CACHE_HOME: COMPILED_CACHE,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  let raw = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    raw += piece;
  });
  const shown = (): string => withoutSequences(raw);
  return {
    get shown() {
      return shown();
    },
    get raw() {
      return raw;
    },
    see: async (what) => {
      const pattern =
        typeof what === 'string' ? new RegExp(what.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : what;
      let found: RegExpExecArray | null = null;
      await until(() => {
        found = pattern.exec(shown().slice(seen));
        return found !== null;
      }, `${what} on the terminal`);
      const { index, 0: text } = found as unknown as RegExpExecArray;
      seen += index + text.length;
    },
    type: (keys) => void child.stdin.write(keys),
    exit: new Promise((resolve) => child.on('close', resolve)),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with ESC
const withoutSequences = (text: string): string => text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
