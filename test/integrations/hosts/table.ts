/** The table of hosts and behaviours in the README and in spec/adapters.md. `npm run hosts` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { behaviours } from './behaviours.js';
import { DRIVERS, type HostResult, runDriver } from './run-hosts.js';

const BEGIN = '<!-- hosts:begin -->';
const END = '<!-- hosts:end -->';
export const PAGES = ['README.md', 'spec/adapters.md'] as const;

/** Rows are behaviours, columns are hosts; a number refers to the reason below. */
export function hostTable(results: readonly HostResult[]): string {
  const hosts = [...new Set(results.map(({ host }) => host))];
  const reasons = [...new Set(results.flatMap(({ cannot }) => cannot ?? []))];
  const versions = hosts.map(
    (host) => `${host} (${results.find((result) => result.host === host)?.version})`,
  );
  const rows = behaviours.map(({ id, title }) => [
    title,
    ...hosts.map((host) => {
      const found = results.find((result) => result.host === host && result.behaviour === id);
      if (found?.cannot !== undefined) return `no ${reasons.indexOf(found.cannot) + 1}`;
      return found !== undefined && found.error === undefined ? 'yes' : 'FAILS';
    }),
  ]);
  const header = ['', ...hosts];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [...lines, '', ...notes, ...(notes.length > 0 ? [''] : []), `Run with ${versions.join(', ')}.`].join(
    '\n',
  );
}

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
  for (const page of PAGES)
    writeFileSync(page, withHostTable(readFileSync(page, 'utf8'), hostTable(results)));
}
