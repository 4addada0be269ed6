// What a program pays once: the import, the start of the command, the first fire. Each in fresh processes, in turn.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuOf, FILES_RUN, inTurn } from '../fresh.mjs';
import { at } from '../measure.mjs';

const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = place('../../dist/cli/main.js');
const ROOT = place('../../dist/index.js');

const importing = (url) => () =>
  cpuOf(['--input-type=module', '--eval', `await import(${JSON.stringify(url)})`]);

/** How many files of this package an import runs. */
function ownFiles() {
  const program = `${FILES_RUN}
    await import(${JSON.stringify(ROOT)});
    process.stdout.write(JSON.stringify(files));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return new Set(JSON.parse(stdout).filter((file) => file.startsWith(dirname(ROOT)))).size;
}

/** A folder with an approved hook in its hookline.yaml, and a user who has nothing else. */
async function inWorkspace(hooks, use) {
  const dir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const cwd = join(dir, 'workspace');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'hookline.yaml'), hooks);
  mkdirSync(join(dir, 'cache'));
  const own = { HOME: dir, HOOKLINE_HOME: join(dir, 'own'), XDG_CACHE_HOME: join(dir, 'cache') };
  const env = { ...process.env, ...own };
  spawnSync(process.execPath, [MAIN, 'trust', 'approve', '--yes'], { cwd, env });
  const result = await use({ cwd, env });
  rmSync(dir, { recursive: true });
  return result;
}

const firesOf = (hook) => `
    import { command, Runner } from ${JSON.stringify(ROOT)};
    const runner = new Runner();
    runner.on('PreToolUse', ${hook});
    const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call' };
    const run = () => runner.fire('PreToolUse', input);`;

const RAW_COMMANDS = `
    import { spawn } from 'node:child_process';
    const run = () => new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', 'exit 0'], { detached: true });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', () => {});
      child.stdin.on('error', () => {});
      child.stdin.end('{}');
      child.on('close', resolve);
    });`;

/** In a fresh process: how long the first and the second run took, and their processor time, in milliseconds. */
function firstTwo(runs) {
  const program = `${runs}
    const took = [];
    for (let i = 0; i < 2; i++) {
      const [start, before] = [performance.now(), process.cpuUsage()];
      await run();
      const { user, system } = process.cpuUsage(before);
      took.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
    }
    console.log(JSON.stringify(took));
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

const median = (numbers) =>
  at(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );

export const startCases = {
  import: {
    title: "import('hookline'), processor time",
    limit: "import('zod')",
    run: async ({ quick }) => {
      const bare = {
        name: 'bare node',
        role: 'other',
        run: () => cpuOf(['--input-type=module', '--eval', '0']),
      };
      const contenders = [
        { name: 'zod', role: 'limit', run: importing(import.meta.resolve('zod')) },
        { name: 'hookline', role: 'ours', run: importing(ROOT) },
        bare,
      ];
      const rows = inTurn(contenders, quick ? 7 : 25);
      // What the process itself takes is no part of an import.
      const base = rows[2].p10;
      const own = rows.map((row) => ({ ...row, ratio: (row.p10 - base) / (rows[0].p10 - base) }));
      return { rows: own, numbers: { ownFiles: ownFiles() } };
    },
  },
  'command-start': {
    title:
      'hookline list, fire and others in a folder with one approved hook in hookline.yaml, processor time',
    limit: 'node -e 0',
    run: async ({ quick }) => {
      const hooks = 'hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: exit 0 }] }] }';
      return inWorkspace(hooks, (place) => {
        const call = (name, ...args) => ({
          name: `hookline ${name}`,
          role: 'ours',
          run: () => cpuOf([MAIN, name, ...args], place),
        });
        const contenders = [
          { name: 'node -e 0', role: 'limit', run: () => cpuOf(['--eval', '0']) },
          call('list'),
          call('fire', 'PreToolUse'),
          call('explain', 'PreToolUse', 'Bash'),
          call('trust'),
          call('check'),
        ];
        const rows = inTurn(contenders, quick ? 5 : 20);
        return { rows, numbers: { slowest: Math.max(...rows.slice(1).map(({ ratio }) => ratio)) } };
      });
    },
  },
  'bridge-start': {
    title: 'hookline hook answers a host in a folder with one hook, processor time',
    limit: 'node -e 0',
    run: async ({ quick }) => {
      const guard =
        'hooks: { PreToolUse: [{ matcher: Write, hooks: [{ type: command, command: exit 2 }] }] }';
      const input =
        '{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}';
      // The processor time of a shell is not in Node's reach: its children's is.
      const script = `const { spawnSync } = require('node:child_process');
        spawnSync('/bin/sh', ['-c', 'grep -q write_file && exit 2; exit 0'], { input: process.argv[1] });`;
      return inWorkspace(guard, (place) => {
        const piped = { ...place, input, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] };
        const rows = inTurn(
          [
            { name: 'node -e 0', role: 'limit', run: () => cpuOf(['--eval', '0']) },
            {
              name: 'hookline hook',
              role: 'ours',
              run: () => cpuOf([MAIN, 'hook', '--host', 'gemini'], piped),
            },
            {
              name: 'a shell script, started by node',
              role: 'other',
              run: () => cpuOf(['--eval', script, input]),
            },
          ],
          quick ? 5 : 20,
        );
        return { rows };
      });
    },
  },
  'first-fire': {
    title: 'the first fire of a process',
    limit: 'the second one, with a command',
    run: async ({ quick }) => {
      const rounds = Array.from({ length: quick ? 7 : 21 });
      const programs = [
        firesOf("() => ({ decision: 'approve' })"),
        firesOf("command('exit 0')"),
        RAW_COMMANDS,
      ];
      const took = rounds.map(() => programs.map(firstTwo));
      const wallOf = (program, i) => median(took.map((round) => round[program][i].wall)) * 1e6;
      const second = wallOf(1, 1);
      const row = (name, role, time) => ({ name, role, p10: time, median: time, ratio: time / second });
      const [first, rawFirst] = [wallOf(1, 0), wallOf(2, 0)];
      const rows = [
        row('second command', 'limit', second),
        row('first command', 'ours', first),
        row('first spawn of Node itself', 'other', rawFirst),
        row('second spawn of Node itself', 'other', wallOf(2, 1)),
      ];
      const firstCallbackMs = median(took.map(([callback]) => callback[0].cpu));
      return { rows, numbers: { firstCallbackMs, besideFirstSpawn: first / rawFirst } };
    },
  },
};
