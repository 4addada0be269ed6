// Runs the checks of the project before the agent stops, if files changed since they last passed. If one fails, the
// agent continues and reads the end of its output. This file is yours: change the checks.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deny, guard } from 'hookline/guard';

/** Scripts of package.json; those that the project does not have are left out. */
const SCRIPTS = ['lint', 'typecheck', 'test'];
/** Other commands, each as words: ['cargo', 'test']. */
const COMMANDS = [];
/** After so many refusals the agent may stop, and the user reads that the checks fail. */
const MAX_REFUSALS = 3;
const MAX_OUTPUT = 2000;
/** Of all checks together; keep it below the timeout in hookline.yaml. */
const TIMEOUT_MS = 540_000;

await guard((input) => {
  const memory = memoryOf(input.session_id);
  const state = stateOf(input.cwd);
  if (state !== undefined && (state === '' || state === memory.read().passed)) return undefined;
  const deadline = Date.now() + TIMEOUT_MS;
  for (const [program, ...args] of checks(input.cwd)) {
    const run = spawnSync(program, args, {
      cwd: input.cwd,
      encoding: 'utf8',
      timeout: Math.max(1, deadline - Date.now()),
    });
    if (run.status === 0) continue;
    const refusals = (input.stop_hook_active ? memory.read().refusals : 0) + 1;
    memory.write({ refusals });
    const text = `\`${[program, ...args].join(' ')}\` fails.`;
    if (refusals > MAX_REFUSALS)
      return { systemMessage: `${text} The agent has tried ${MAX_REFUSALS} times and stops.` };
    const output = run.error?.message ?? `${run.stdout}${run.stderr}`;
    return deny(`${text} Mend this before you stop:\n${output.trim().slice(-MAX_OUTPUT)}`);
  }
  memory.write({ refusals: 0, passed: state });
  return undefined;
});

function checks(cwd) {
  const file = join(cwd, 'package.json');
  const scripts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}) : {};
  const isReal = (name) => scripts[name] !== undefined && !/no test specified/.test(scripts[name]);
  return [...SCRIPTS.filter(isReal).map((name) => ['npm', 'run', '--silent', name]), ...COMMANDS];
}

/** Of all that is not committed, and of the commit; empty if nothing changed; undefined outside of a repository. */
function stateOf(cwd) {
  const git = (...args) => spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  const status = git('status', '--porcelain', '-uall', '-z');
  if (status.status !== 0) return undefined;
  if (status.stdout === '') return '';
  const files = status.stdout
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((name) => name !== '');
  const stamps = files.map((name) => {
    const stats = statSync(resolve(cwd, name), { throwIfNoEntry: false });
    return `${name} ${stats?.size} ${stats?.mtimeMs}`;
  });
  return createHash('sha256')
    .update(`${git('rev-parse', 'HEAD').stdout}${status.stdout}${stamps.join('\n')}`)
    .digest('hex');
}

/** What this session has seen. */
function memoryOf(session) {
  const folder = join(tmpdir(), `hookline-checks-${process.getuid?.() ?? 'user'}`);
  const file = join(
    folder,
    `${createHash('sha256').update(`${process.cwd()} ${session}`).digest('hex').slice(0, 32)}.json`,
  );
  return {
    read() {
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch {
        return { refusals: 0 };
      }
    },
    write(value) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
    },
  };
}
