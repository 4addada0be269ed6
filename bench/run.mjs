// Runs every case in a process of its own, says what came out, and judges it.
//
//   --quick        short runs; fails only where something is twice as slow as in the stored run
//   --only=a,b     only these cases
//   --json=path    writes everything that was measured
//   --save         keeps the ratios in bench/stored.json, and writes table and curves into spec/
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { cases } from './cases/index.mjs';
import { drawCurves } from './plot.mjs';
import { caseTables, goalTable, judge, printCase, printGoals } from './report.mjs';
import { regressions, store } from './stored.mjs';

const flags = new Map(process.argv.slice(2).map((argument) => argument.split('=')));
const quick = flags.has('--quick');
const wanted = flags.get('--only')?.split(',') ?? Object.keys(cases);
const started = performance.now();
const load = [loadavg()[0].toFixed(1)];

const results = [];
for (const name of wanted) {
  const result = await runCase(name);
  printCase(result);
  results.push(result);
}
load.push(loadavg()[0].toFixed(1));

const judged = judge(results);
const run = {
  date: new Date().toISOString(),
  node: process.version,
  cpu: cpus()[0].model,
  cores: cpus().length,
  load,
};
printGoals(judged);
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s, load ${load.join(' → ')}`);

const json = flags.get('--json');
if (json !== undefined)
  writeFileSync(json, `${JSON.stringify({ ...run, goals: judged, results }, null, 2)}\n`);
if (flags.has('--save')) save();
if (quick) {
  const worse = regressions(judged);
  for (const each of worse) console.error(`twice as slow as it was: ${each}`);
  if (worse.length > 0) process.exitCode = 1;
}

/** In a process of its own. */
function runCase(name) {
  return new Promise((resolve, reject) => {
    const args = [name, ...(quick ? ['quick'] : [])];
    const child = fork(new URL('case.mjs', import.meta.url), args, { execArgv: ['--expose-gc'] });
    let result;
    child.on('message', (message) => {
      result = message;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (result === undefined) reject(new Error(`the case ${name} ended with ${code} and without a result`));
      else resolve(result);
    });
  });
}

function save() {
  store(run, judged);
  writeFileSync(place('spec/performance.svg'), drawCurves(results));
  const page = place('spec/performance.md');
  let text = readFileSync(page, 'utf8');
  text = between(text, 'goals', goalTable(judged, run));
  text = between(text, 'cases', caseTables(results));
  writeFileSync(page, text);
}

function between(text, name, content) {
  const [begin, end] = [`<!-- ${name}: written by the bench -->`, `<!-- end of ${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(text.indexOf(end))}`;
}

function place(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
