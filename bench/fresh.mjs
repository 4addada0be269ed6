// Processes of their own, in turn: for what a program pays once. Processor time does not suffer from neighbours as time does.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { at, withRatios } from './measure.mjs';

const AT_EXIT = fileURLToPath(new URL('cpu-at-exit.cjs', import.meta.url));

/** What one process took: `cpu` in nanoseconds, `rss` in bytes at its end. */
export function runNode(args, options = {}) {
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'];
  const { output, status } = spawnSync(process.execPath, ['--require', AT_EXIT, ...args], {
    stdio,
    ...options,
  });
  const measured = output[3].toString();
  // What ends early with an error would look fast.
  if (status !== 0 || measured === '')
    throw new Error(`node ${args.join(' ')} ended with ${status}: ${output[2]}`);
  const { cpu, rss } = JSON.parse(measured);
  return { cpu: cpu * 1000, rss };
}

export const cpuOf = (args, options) => runNode(args, options).cpu;

/** One process of each in every round; each `run` says what it took. */
export function inTurn(contenders, rounds) {
  const rows = samplesInTurn(contenders, rounds).map(({ samples, ...row }) => row);
  return withRatios(rows);
}

/** With everything that the runs said; `value` is the number of it that counts. */
export function samplesInTurn(contenders, rounds, value = (sample) => sample) {
  const lanes = contenders.map(({ run, ...contender }) => ({ contender, run, samples: [] }));
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < lanes.length; i++) {
      const { run, samples } = lanes[(round + i) % lanes.length];
      samples.push(run());
    }
  return lanes.map(({ contender, samples }) => {
    const sorted = samples.map(value).toSorted((a, b) => a - b);
    return { ...contender, p10: at(sorted, 0.1), median: at(sorted, 0.5), blocks: sorted.length, samples };
  });
}

/** The files of code that a process runs, as paths: V8 reports every script that it has run for its coverage. */
export const FILES_RUN = `
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  const files = [];
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    const isFile = url.startsWith('file:') || url.startsWith('/');
    if (isFile && !url.endsWith(']')) files.push(url.replace('file://', ''));
  });
  session.post('Debugger.enable');`;
