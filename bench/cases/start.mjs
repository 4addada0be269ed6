// What a program pays once: the import, the start of the command, the first fire. Each in fresh processes, in turn.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { at } from '../measure.mjs';

const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = place('../../dist/cli/main.js');
const ROOT = place('../../dist/index.js');

/** The processor time of one process, in nanoseconds. */
function cpuOf(args, options = {}) {
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'];
  const all = ['--require', place('../cpu-at-exit.cjs'), ...args];
  const { output, status } = spawnSync(process.execPath, all, { stdio, ...options });
  const cpu = Number(output[3]);
  if (!(cpu > 0)) throw new Error(`node ${args.join(' ')} ended with ${status}: ${output[2]}`);
  return cpu * 1000;
}

/** One process of each in every round. */
function inTurn(contenders, rounds) {
  const lanes = contenders.map(({ run, ...contender }) => ({ contender, run, samples: [] }));
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < lanes.length; i++) {
      const { run, samples } = lanes[(round + i) % lanes.length];
      samples.push(run());
    }
  const rows = lanes.map(({ contender, samples }) => {
    const sorted = samples.toSorted((a, b) => a - b);
    return { ...contender, p10: at(sorted, 0.1), median: at(sorted, 0.5), blocks: sorted.length };
  });
  return rows.map((row) => ({ ...row, ratio: row.p10 / rows[0].p10 }));
}

const importing = (url) => () =>
  cpuOf(['--input-type=module', '--eval', `await import(${JSON.stringify(url)})`]);

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
      return { rows: own };
    },
  },
  'command-start': {
    title:
      'hookline list, fire and others in a folder with one approved hook in hookline.yaml, processor time',
    limit: 'node -e 0',
    run: async ({ quick }) => {
      const dir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
      const cwd = join(dir, 'workspace');
      mkdirSync(cwd);
      const hooks = 'hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: exit 0 }] }] }';
      writeFileSync(join(cwd, 'hookline.yaml'), hooks);
      const env = {
        ...process.env,
        HOME: dir,
        HOOKLINE_HOME: join(dir, 'own'),
        XDG_CACHE_HOME: join(dir, 'cache'),
      };
      spawnSync(process.execPath, [MAIN, 'trust', 'approve', '--yes'], { cwd, env });
      const call = (name, ...args) => ({
        name: `hookline ${name}`,
        role: 'ours',
        run: () => cpuOf([MAIN, name, ...args], { cwd, env }),
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
      rmSync(dir, { recursive: true });
      return { rows, numbers: { slowest: Math.max(...rows.map(({ ratio }) => ratio)) } };
    },
  },
  'bridge-start': {
    title: 'hookline hook answers a host in a folder with one hook, processor time',
    limit: 'node -e 0',
    run: async ({ quick }) => {
      const dir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
      const cwd = join(dir, 'workspace');
      mkdirSync(cwd);
      const guard =
        'hooks: { PreToolUse: [{ matcher: Write, hooks: [{ type: command, command: exit 2 }] }] }';
      writeFileSync(join(cwd, 'hookline.yaml'), guard);
      const env = {
        ...process.env,
        HOME: dir,
        HOOKLINE_HOME: join(dir, 'own'),
        XDG_CACHE_HOME: join(dir, 'cache'),
      };
      spawnSync(process.execPath, [MAIN, 'trust', 'approve', '--yes'], { cwd, env });
      const input =
        '{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}';
      const piped = { cwd, env, input, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] };
      // The processor time of a shell is not in Node's reach: its children's is.
      const script = `const { spawnSync } = require('node:child_process');
        spawnSync('/bin/sh', ['-c', 'grep -q write_file && exit 2; exit 0'], { input: process.argv[1] });`;
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
      rmSync(dir, { recursive: true });
      return { rows };
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
