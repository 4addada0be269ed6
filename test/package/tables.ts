/** Reads the tables of spec/packaging.md: what is recorded there is what the tests hold the package to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support.js';

const PAGE = 'spec/packaging.md';

/** The rows under a heading of the page, cell by cell, without the marks for code. */
export function readTable(heading: string): readonly (readonly string[])[] {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${PAGE} has no heading "${heading}"`);
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

/** How much more than what is recorded is let through. */
const ROOM = 1.15;

/** Undefined when a number is no more than what is recorded and some room; else what is wrong, and how to put it right. */
export function exceeds(what: string, now: number, recorded: number, unit: string): string | undefined {
  const ceiling = recorded * ROOM;
  if (now <= ceiling) return undefined;
  return `${what} has grown to ${now} ${unit}; ${PAGE} records ${recorded}, and 15 % more is let through. Find out what came in; if it is worth it, record ${now} there.`;
}

/** In thousands, with one decimal. */
export const inKilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;
