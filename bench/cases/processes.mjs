// What only shows in odd situations: a host that is large, a command that prints too much, a tree that does not end.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { command, Runner } from '../../dist/index.js';
import { input } from '../inputs.mjs';
import { at, compare } from '../measure.mjs';
import { fire, LINE, raw } from './commands.mjs';

const MB = 2 ** 20;
const DEADLINE_MS = 200;

let trees = 0;

export const processCases = {
  'large-host': {
    title: 'one command hook, from a host of 1 GB',
    limit: 'raw child_process',
    run: async ({ quick }) => {
      const ballast = Array.from({ length: 16 }, () => Buffer.alloc(64 * MB, 1));
      const runner = new Runner({ hooks: { PreToolUse: [{ hooks: [command(LINE)] }] } });
      const contenders = [
        { name: 'raw child_process', role: 'limit', run: raw },
        { name: 'hookline, through its helper', role: 'ours', run: () => fire(runner) },
      ];
      const rows = await compare(contenders, { rounds: quick ? 5 : 15, warmUpMs: 300, blockMs: 0 });
      const blockedMs = { raw: await longestBlock(raw, 5), ours: await longestBlock(() => fire(runner), 40) };
      await runner.dispose();
      // Held until here, so that the host was large all the time.
      const heldMB = ballast.reduce((sum, { length }) => sum + length, 0) / MB;
      return {
        rows,
        numbers: {
          blockedPercent: (100 * blockedMs.ours) / blockedMs.raw,
          blockedMs: blockedMs.ours,
          heldMB,
        },
      };
    },
  },
  'much-output': {
    title: '50 MB on stdout, of which 1 MB is allowed',
    limit: '1 MB on stdout',
    run: async ({ quick }) => {
      const one = printing(1_000_000);
      const fifty = printing(50_000_000);
      const contenders = [
        { name: '1 MB, read whole', role: 'limit', run: one.run },
        { name: '50 MB, ended at 1 MB', role: 'ours', run: fifty.run },
      ];
      const rows = await compare(contenders, { rounds: quick ? 6 : 25, warmUpMs: 200, blockMs: 0 });
      const memory = { one: await growthMB(one.run), fifty: await growthMB(fifty.run) };
      return { rows, numbers: { moreMB: Math.max(0, memory.fifty - memory.one) } };
    },
  },
  'tree-timeout': {
    title: 'a command with children that ends at its deadline of 200 ms',
    limit: 'raw child_process, a timer and kill',
    run: async ({ quick }) => {
      let left = 0;
      const contenders = [
        { name: 'raw child_process, a timer and kill', role: 'limit', run: () => endedByHand(tree().line) },
        {
          name: 'hookline',
          role: 'ours',
          run: async () => {
            const { line, word } = tree();
            await endedByHookline(line);
            left += running(word);
          },
        },
      ];
      const rows = await compare(contenders, { rounds: quick ? 4 : 12, warmUpMs: 0, blockMs: 0 });
      return { rows, numbers: { left } };
    },
  },
};

/** A line with two children that goes on for long, and a word that only its processes have. */
function tree() {
  trees += 1;
  const word = `100.${process.pid}${trees}`;
  return { word, line: `sleep ${word} & sleep ${word} & sleep ${word}` };
}

/** What a program would write by itself: a timer that ends the group. */
function endedByHand(line) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', line], { stdio: 'pipe', detached: true });
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGTERM'), DEADLINE_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function endedByHookline(line) {
  const runner = new Runner({
    hooks: { PreToolUse: [{ hooks: [command(line)], timeout: DEADLINE_MS / 1000 }] },
  });
  const { failures } = await runner.fire('PreToolUse', input);
  if (failures[0]?.kind !== 'timed-out') throw new Error(`not timed out: ${JSON.stringify(failures)}`);
  await runner.dispose();
}

/** A command that prints an answer of about so many bytes. */
function printing(bytes) {
  const line = `cat >/dev/null; printf '{"systemMessage":"'; head -c ${bytes} /dev/zero | tr '\\0' x; printf '"}'`;
  const runner = new Runner({ hooks: { PreToolUse: [{ hooks: [command(line)] }] } });
  return { run: () => runner.fire('PreToolUse', input) };
}

/** The longest time in which nothing else could run, at the quieter end of several attempts. */
async function longestBlock(run, attempts) {
  const longest = [];
  for (let i = 0; i < attempts; i++) {
    let done = false;
    let last = performance.now();
    let most = 0;
    const watch = () => {
      const now = performance.now();
      most = Math.max(most, now - last);
      last = now;
      if (!done) setImmediate(watch);
    };
    setImmediate(watch);
    await new Promise(setImmediate);
    most = 0;
    last = performance.now();
    await run();
    done = true;
    await new Promise(setImmediate);
    longest.push(most);
  }
  return at(
    longest.toSorted((a, b) => a - b),
    0.1,
  );
}

/** By how much the process grows at most while it runs. */
async function growthMB(run) {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  for (let i = 0; i < 5; i++) await run();
  clearInterval(timer);
  return (peak - before) / MB;
}

/** How many processes with this word in their command line can still run. */
function running(word) {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(`sleep\0${word}`);
    } catch {
      return false;
    }
  }).length;
}
