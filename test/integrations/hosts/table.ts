/**
 * The tables of hosts and behaviours in docs/frameworks and in spec/adapters.md. `npm run hosts` writes them;
 * `npm run hosts -- --versions oldest` (or `newest`) the table of those versions.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { behaviours } from './behaviours.js';
import { installHosts } from './install.js';
import {
  DRIVERS,
  type Driver,
  type DriverResults,
  FRAMEWORK_TITLES,
  type HostResult,
  runDriver,
} from './run-hosts.js';
import { AGES, type Age, installVersions } from './versions.js';

/** One column of a table. */
interface Column {
  readonly title: string;
  readonly results: readonly HostResult[];
}

/** Rows are behaviours; a number refers to the reason below. */
function tableOf(columns: readonly Column[]): string[] {
  const all = columns.flatMap(({ results }) => results);
  const reasons = [...new Set(all.flatMap(({ cannot }) => cannot ?? []))];
  const cellOf = (found: readonly HostResult[]): string => {
    if (found.length === 0 || found.some(({ error, cannot }) => error !== undefined && cannot === undefined))
      return 'FAILS';
    const cannot = found.flatMap((result) => result.cannot ?? []);
    if (cannot.length === 0) return 'yes';
    const notes = [...new Set(cannot)].map((reason) => reasons.indexOf(reason) + 1).join(', ');
    return `${cannot.length === found.length ? 'no' : 'yes'}<sup>${notes}</sup>`;
  };
  const rows = behaviours.map(({ id, title }) => [
    title,
    ...columns.map(({ results }) => cellOf(results.filter(({ behaviour }) => behaviour === id))),
  ]);
  const header = ['', ...columns.map(({ title }) => title)];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)];
}

/** A column for each way to call a framework, and the versions that were run. */
export function hostTable(results: readonly HostResult[]): string {
  const hosts = [...new Set(results.map(({ host }) => host))];
  const columns = hosts.map((title) => ({ title, results: results.filter(({ host }) => host === title) }));
  const versions = columns.map(({ title, results: [first] }) => `${title} (${first?.version})`);
  return [...tableOf(columns), '', `Run with ${versions.join(', ')}.`].join('\n');
}

/** A column for each framework: what holds in all ways to call it. */
export function frameworkTable(results: readonly HostResult[]): string {
  const columns = DRIVERS.map((name) => ({
    title: FRAMEWORK_TITLES[name],
    results: results.filter(({ driver }) => driver === name),
  }));
  return tableOf(columns).join('\n');
}

/** A row for each version: what fails in it, of the behaviours and of the adapter's own checks. */
function versionTable(runs: readonly DriverResults[]): string {
  const rows = runs.flatMap(({ hosts, extras }) => {
    const versions = [...new Set(hosts.map(({ version }) => version))];
    return versions.map((version, at) => {
      const results = hosts.filter((result) => result.version === version);
      const failed = [
        ...[...new Set(results.map(({ host }) => host))].flatMap((host) => failuresOf(host, results)),
        // They are of a driver, whose first version is its newest.
        ...extras.filter(({ error }) => at === 0 && error !== undefined).map(({ extra }) => extra),
      ];
      const title = FRAMEWORK_TITLES[results[0]?.driver as keyof typeof FRAMEWORK_TITLES];
      return `| ${title} | ${version} | ${failed.length === 0 ? 'nothing' : failed.join('; ')} |`;
    });
  });
  return ['| framework | version | what fails |', '| --- | --- | --- |', ...rows].join('\n');
}

/** More are counted. */
const MOST_NAMED = 5;

function failuresOf(host: string, results: readonly HostResult[]): string[] {
  const all = results.filter((result) => result.host === host && result.cannot === undefined);
  const failed = all.filter(({ error }) => error !== undefined);
  if (failed.length === 0) return [];
  if (failed.length > MOST_NAMED) return [`${host}: ${failed.length} of ${all.length} behaviours`];
  const titles = failed.map(({ behaviour }) => behaviours.find(({ id }) => id === behaviour)?.title);
  return [`${host}: ${titles.join('; ')}`];
}

export const PAGES = [
  { page: 'docs/frameworks/index.md', table: frameworkTable },
  { page: 'spec/adapters.md', table: hostTable },
] as const;

/** The page with its table made anew. Throws if it has no place for one. */
export function withHostTable(page: string, table: string, name: 'hosts' | Age = 'hosts'): string {
  const [BEGIN, END] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`The page needs the markers ${BEGIN} and ${END}, in this order.`);
  return `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`;
}

async function installWithProgress<T>(what: string, install: () => Promise<T>): Promise<T> {
  console.log(`Installing: ${what}, unless they are there`);
  return install();
}

/** Runs a driver, and prints that it does: all of them take a minute. */
async function runWithProgress(driver: Driver, folder?: string): Promise<DriverResults> {
  console.log(`Running: ${FRAMEWORK_TITLES[driver]}`);
  const began = performance.now();
  const ran = await runDriver(driver, [], folder);
  const failed = ran.hosts.filter(({ error, cannot }) => (error === undefined) === (cannot !== undefined));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`  ${ran.hosts.length} behaviours, ${failed.length} not as expected, ${seconds} s`);
  return ran;
}

async function writeHosts(): Promise<void> {
  const results: HostResult[] = [];
  await installWithProgress('frameworks', () => installHosts());
  for (const driver of DRIVERS) results.push(...(await runWithProgress(driver)).hosts);
  for (const { host, behaviour, cannot, error } of results)
    if ((error === undefined) === (cannot !== undefined))
      console.error(`${host}, ${behaviour}: ${error ?? 'the host can do it after all'}`);
  for (const { page, table } of PAGES)
    writeFileSync(page, withHostTable(readFileSync(page, 'utf8'), table(results)));
  console.log(`The tables are written: ${PAGES.map(({ page }) => page).join(', ')}`);
}

async function writeVersions(age: Age): Promise<void> {
  const runs: DriverResults[] = [];
  for (const driver of DRIVERS) {
    const title = `${age} ${FRAMEWORK_TITLES[driver]}`;
    const folder = await installWithProgress(title, () => installVersions(driver, age));
    runs.push(await runWithProgress(driver, folder));
  }
  const page = 'spec/adapters.md';
  writeFileSync(page, withHostTable(readFileSync(page, 'utf8'), versionTable(runs), age));
}

const startedBy = process.argv[1];
if (startedBy !== undefined && import.meta.url === pathToFileURL(startedBy).href) {
  const { versions } = parseArgs({ options: { versions: { type: 'string' } } }).values;
  const age = AGES.find((each) => each === versions);
  if (versions !== undefined && age === undefined)
    throw new Error(`--versions is one of ${AGES.join(', ')}, not ${versions}.`);
  await (age === undefined ? writeHosts() : writeVersions(age));
}
