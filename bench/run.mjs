// Runs every case in a process of its own, says what came out, and judges it.
//
//   --quick        short runs; fails only where something is twice as slow as in the stored run
//   --only=a,b     only these cases
//   --peers        installs the packages of the import table (a gigabyte) in bench/peers first; once there, they always
//                  take part, Strands and gemini-cli-core also where hooks are fired
//   --json=path    writes everything that was measured
//   --save         with --peers: keeps the ratios in bench/stored.json, and writes every table and curve of
//                  spec/performance.md and README.md from this one run
//   --save=install only the table of what packages cost to have, which a busy machine does not change
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { cases, varying } from './cases/index.mjs';
import { costTable, onceTable } from './costs.mjs';
import { installOthers } from './installs.mjs';
import { oursIn } from './measure.mjs';
import { drawCurves } from './plot.mjs';
import {
  caseTable,
  caseTables,
  goalTable,
  judge,
  measuredOn,
  printCase,
  printGoals,
  readmeTable,
} from './report.mjs';
import { before, regressions, store } from './stored.mjs';

/** Processes for a case of which each process is compiled differently, when the result is to be kept. */
const ATTEMPTS = 3;
/** Case tables that are not in the long list, because they stand elsewhere on the page. */
const ELSEWHERE = ['install'];

const flags = new Map(process.argv.slice(2).map((argument) => argument.split('=')));
const quick = flags.has('--quick');
const part = flags.get('--save');
const saving = flags.has('--save') && part === undefined;
if (part !== undefined && part !== 'install') fail(`--save=${part} is not known: --save or --save=install.`);
// Rows of different runs in one table would contradict each other.
if (saving && flags.has('--only')) fail('--save needs every case: it writes all tables from one run.');
if (saving && cases['redis-item'] === undefined) fail('--save needs redis-server.');
if (flags.has('--save') || flags.has('--peers')) installOthers();
const only = part ?? flags.get('--only');
const wanted = only?.split(',') ?? Object.keys(cases).filter((name) => takesPart(cases[name]));
const started = performance.now();
const loadBefore = loadavg()[0];

const results = [];
for (const name of wanted) {
  const result = await attempts(name, saving && varying.has(name) ? ATTEMPTS : 1);
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
if (saving) save();
else if (part !== undefined) rewrite('spec/performance.md', { install: installTable() });
else if (quick) await confirmRegressions();

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** What needs packages that are only installed on request is left out of short runs, where it would take longest. */
function takesPart({ isThere }) {
  return isThere === undefined || (isThere() && (saving || !quick));
}

/** The result in the middle: the compiler makes up its mind anew in every process. */
async function attempts(name, count) {
  const all = [];
  for (let i = 0; i < count; i++) all.push(await runCase(name, { quick }));
  return all.toSorted((a, b) => oursIn(a) - oursIn(b))[count >> 1];
}

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
  // Tables first: if one cannot be made, nothing is written.
  const parts = {
    goals: goalTable(judged, run, before),
    costs: costTable(results),
    once: onceTable(results),
    install: installTable(),
    cases: caseTables(results.filter((each) => !ELSEWHERE.includes(each.case))),
  };
  rewrite('spec/performance.md', parts);
  rewrite('README.md', { speed: readmeTable(results, run) });
  writeFileSync(place('spec/performance.svg'), drawCurves(results));
  store(run, judged);
}

function installTable() {
  const install = results.find((each) => each.case === 'install');
  return `${measuredOn(run)}\n\n${caseTable(install)}`;
}

/** Puts each part between its two marks. */
function rewrite(file, parts) {
  let text = readFileSync(place(file), 'utf8');
  for (const [name, content] of Object.entries(parts)) text = between(text, name, content);
  writeFileSync(place(file), text);
}

function between(text, name, content) {
  const [begin, end] = [`<!-- ${name}: written by the bench -->`, `<!-- end of ${name} -->`];
  if (!text.includes(begin) || !text.includes(end))
    throw new Error(`There is no place for the table ${name}.`);
  const from = text.indexOf(begin) + begin.length;
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(text.indexOf(end))}`;
}

function place(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
