// Command hooks beside a raw child process and execa, all running the same shell line. The limit is the raw one.
import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { command, Runner } from '../dist/index.js';
import { compare } from './measure.mjs';

const LINE = "cat >/dev/null; echo '{}'";
const input = { tool_name: 'Bash', tool_input: { command: 'x'.repeat(900) }, tool_use_id: 'toolu_1' };
const payload = `${JSON.stringify(input)}\n`;

function raw() {
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

async function withExeca() {
  const { stdout } = await execa('/bin/sh', ['-c', LINE], { input: payload });
  return JSON.parse(stdout);
}

function hookline(concurrency) {
  const runner = new Runner({
    maxProcesses: concurrency,
    hooks: { PreToolUse: [{ hooks: [command(LINE)] }] },
  });
  return async () => {
    const { results } = await runner.fire('PreToolUse', input);
    if (results[0].outcome !== 'success') throw new Error(`the hook failed: ${JSON.stringify(results[0])}`);
  };
}

/** Runs `count` of them, `width` at a time, and says how many it ran. */
function many(run, count, width) {
  return async () => {
    let started = 0;
    const worker = async () => {
      while (started < count) {
        started += 1;
        await run();
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return count;
  };
}

export async function* commandCases(rounds) {
  const contenders = (width, count) => [
    { name: 'raw child_process', run: many(raw, count, width) },
    { name: 'hookline', run: many(hookline(width), count, width) },
    { name: 'execa', run: many(withExeca, count, width) },
  ];
  yield compare('one command hook at a time (limit: raw child_process)', contenders(1, 10), {
    rounds,
    batch: 1,
  });
  yield compare('command hooks, 8 at a time (limit: raw child_process)', contenders(8, 40), {
    rounds,
    batch: 1,
  });
}
