// Command hooks beside a raw child process and execa, all running the same shell line. The limit is the raw one.
import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { command, Runner } from '../../dist/index.js';
import { input } from '../inputs.mjs';
import { compare } from '../measure.mjs';

export const LINE = "cat >/dev/null; echo '{}'";
const payload = `${JSON.stringify(input)}\n`;

export const commandCases = {
  'command-latency': {
    title: 'one command hook at a time',
    limit: 'raw child_process',
    run: ({ quick }) => versus(1, 1, { rounds: quick ? 40 : 200, warmUpMs: 300 }),
  },
  'commands-8': {
    title: '200 command hooks, 8 at a time (wall time of each)',
    limit: 'raw child_process',
    run: ({ quick }) => versus(200, 8, { rounds: quick ? 1 : 5, warmUpMs: 0 }),
  },
  'commands-50': {
    title: '200 command hooks, 50 at a time (wall time of each)',
    limit: 'raw child_process',
    run: ({ quick }) => versus(200, 50, { rounds: quick ? 1 : 5, warmUpMs: 0 }),
  },
};

async function versus(count, width, options) {
  const runner = new Runner({ maxProcesses: width, hooks: { PreToolUse: [{ hooks: [command(LINE)] }] } });
  const contenders = [
    { name: 'raw child_process', role: 'limit', run: many(raw, count, width), per: count },
    { name: 'hookline', role: 'ours', run: many(() => fire(runner), count, width), per: count },
    { name: 'execa', role: 'peer', run: many(withExeca, count, width), per: count },
  ];
  const rows = await compare(contenders, { ...options, blockMs: 0 });
  await runner.dispose();
  return { rows };
}

/** As a group of its own, as every hook must be: only so can its children be ended with it. */
export function raw() {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', LINE], { stdio: 'pipe', detached: true });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(JSON.parse(output)));
    child.stdin.end(payload);
  });
}

export async function fire(runner) {
  const { results } = await runner.fire('PreToolUse', input);
  if (results[0].outcome !== 'success') throw new Error(`the hook failed: ${JSON.stringify(results[0])}`);
}

async function withExeca() {
  const { stdout } = await execa('/bin/sh', ['-c', LINE], { input: payload });
  return JSON.parse(stdout);
}

/** Runs `count` of them, `width` at a time. */
function many(run, count, width) {
  if (count === 1) return run;
  return async () => {
    let started = 0;
    const worker = async () => {
      while (started < count) {
        started += 1;
        await run();
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
  };
}
