// Runs every case in a process of its own, says what came out, and judges it.
//
//   --quick        short runs; fails only where something is twice as slow as in the stored run
//   --only=a,b     only these cases
//   --peers        installs Strands and gemini-cli-core (400 MB) in bench/peers first; once there, they always take part
//   --json=path    writes everything that was measured
//   --save         keeps the ratios in bench/stored.json, and writes table and curves into spec/
import { execFileSync, fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases } from './cases/index.mjs';
import { LARGE_PEERS } from './peers.mjs';
import { drawCurves } from './plot.mjs';
import { caseTables, goalTable, judge, printCase, printGoals, readmeTable } from './report.mjs';
import { regressions, store } from './stored.mjs';

const flags = new Map(process.argv.slice(2).map((argument) => argument.split('=')));
const quick = flags.has('--quick');
const wanted = flags.get('--only')?.split(',') ?? Object.keys(cases);
if (flags.has('--peers')) installPeers();
const started = performance.now();
const loadBefore = loadavg()[0];

const results = [];
for (const name of wanted) {
  const result = await runCase(name, { quick });
  printCase(result);
  results.push(result);
}
const load = [loadBefore, loadavg()[0]].map((each) => each.toFixed(1)).join(' → ');

const judged = judge(results);
const run = {
  date: new Date().toISOString(),
  node: process.version,
  cpu: cpus()[0].model,
  cores: cpus().length,
  load,
};
printGoals(judged);
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s, load ${load}`);

const json = flags.get('--json');
if (json !== undefined)
  writeFileSync(json, `${JSON.stringify({ ...run, goals: judged, results }, null, 2)}\n`);
if (flags.has('--save')) save();
if (quick) await confirmRegressions();

/** A short run may have had a bad moment: what looks slow in it is measured again, and longer. */
async function confirmRegressions() {
  const suspects = regressions(judged);
  if (suspects.length === 0) return;
  console.log(`\nAgain, and longer: ${suspects.map(({ what }) => what).join(', ')}`);
  const again = [];
  for (const name of new Set(suspects.map((goal) => goal.case)))
    again.push(await runCase(name, { quick: false }));
  for (const { what, measured, of, before } of regressions(judge(again))) {
    console.error(`twice as slow as it was: ${what}: ${measured.toFixed(2)} ${of}, was ${before}`);
    process.exitCode = 1;
  }
}

/** Without what they ask for beside themselves, and without running any of their scripts: their hooks need neither. */
function installPeers() {
  if (existsSync(join(LARGE_PEERS, 'node_modules'))) return;
  console.log('Installing Strands and gemini-cli-core in bench/peers: a minute or two.');
  const quietly = ['--no-package-lock', '--no-audit', '--no-fund'];
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--omit=optional', ...quietly];
  execFileSync('npm', args, { cwd: LARGE_PEERS, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** In a process of its own. */
function runCase(name, { quick }) {
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
  rewrite('spec/performance.md', {
    goals: goalTable(judged, run),
    cases: caseTables(results),
  });
  rewrite('README.md', { speed: readmeTable(results, run) });
}

/** Puts each part between its two marks. */
function rewrite(file, parts) {
  let text = readFileSync(place(file), 'utf8');
  for (const [name, content] of Object.entries(parts)) text = between(text, name, content);
  writeFileSync(place(file), text);
}

function between(text, name, content) {
  const [begin, end] = [`<!-- ${name}: written by the bench -->`, `<!-- end of ${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(text.indexOf(end))}`;
}

function place(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
