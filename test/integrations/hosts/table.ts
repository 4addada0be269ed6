/** The tables of hosts and behaviours in the README and in spec/adapters.md. `npm run hosts` writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { behaviours } from './behaviours.js';
import { DRIVERS, FRAMEWORK_TITLES, type HostResult, runDriver } from './run-hosts.js';

const BEGIN = '<!-- hosts:begin -->';
const END = '<!-- hosts:end -->';

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
    const notes = [...new Set(cannot)].map((reason) => reasons.indexOf(reason) + 1).join(', ');
    if (cannot.length === 0) return 'yes';
    return `${cannot.length === found.length ? 'no' : 'yes, but'} ${notes}`;
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

export const PAGES = [
  { page: 'README.md', table: frameworkTable },
  { page: 'spec/adapters.md', table: hostTable },
] as const;

/** The page with its table made anew. Throws if it has no place for one. */
export function withHostTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`The page needs the markers ${BEGIN} and ${END}, in this order.`);
  return `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`;
}

const startedBy = process.argv[1];
if (startedBy !== undefined && import.meta.url === pathToFileURL(startedBy).href) {
  const results: HostResult[] = [];
  for (const driver of DRIVERS) results.push(...(await runDriver(driver)).hosts);
  for (const { host, behaviour, cannot, error } of results)
    if ((error === undefined) === (cannot !== undefined))
      console.error(`${host}, ${behaviour}: ${error ?? 'the host can do it after all'}`);
  for (const { page, table } of PAGES)
    writeFileSync(page, withHostTable(readFileSync(page, 'utf8'), table(results)));
}
