/** Prints what a check found: equal findings together, and on a terminal with the line of the file. */
import { existsSync, readFileSync } from 'node:fs';
import { escapeControls } from '../../base/json/escape-controls.js';
import type { Source } from '../../config/loaded.js';
import type { LoadedHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';
import type { Problem } from './problems.js';

export function showProblems(
  { cwd, entries, configs }: LoadedHooks,
  problems: readonly Problem[],
  printer: Printer,
): void {
  const { paint } = printer;
  const isThere = configs.some(({ files }) => files.some((file) => existsSync(file)));
  if (problems.length === 0 && entries.length === 0 && !isThere) {
    printer.line(
      'No hooks here, so there is nothing to check. hookline init writes a first one, hookline add a ready guard; hookline list shows which files are looked for.',
    );
    return;
  }
  // Hooks that wait for approval are listed together below, with how to approve them.
  const shown = problems.filter(
    ({ code }) => code !== 'untrusted' && code !== 'modified' && code !== 'removed',
  );
  const linesOf = createReader();
  for (const [first, ...others] of groupEqual(shown)) {
    const { severity, source, message, hint, code } = first;
    const word = { error: paint.red('error'), warning: paint.magenta('warning'), info: 'note' }[severity];
    printer.line(`${paint.bold(exactPlace(source, cwd))}  ${word}  ${message} ${paint.dim(`(${code})`)}`);
    if (printer.columns !== undefined)
      for (const line of frameOf(source, linesOf(source.file), printer.columns))
        printer.line(paint.dim(line));
    if (others.length > 0)
      printer.line(`    also at ${others.map((other) => exactPlace(other.source, cwd)).join(', ')}`);
    if (hint !== undefined) printer.line(`    ${paint.bold('to do:')} ${hint}`);
  }
  printer.line(`${shown.length > 0 ? '\n' : ''}${summary(entries.length, problems, shown, printer)}`);
}

function summary(
  hooks: number,
  problems: readonly Problem[],
  shown: readonly Problem[],
  { paint }: Printer,
): string {
  const checked = `${count(hooks, 'hook')} checked`;
  if (problems.every(({ severity }) => severity === 'info'))
    return `${paint.green('Fine')}: ${checked}, nothing found.`;
  const wrong = shown.filter(({ severity }) => severity !== 'info');
  const errors = wrong.filter(({ severity }) => severity === 'error').length;
  const files = new Set(wrong.map(({ source }) => source.file)).size;
  const found = `${count(errors, 'error')}, ${count(wrong.length - errors, 'warning')} in ${count(files, 'file')}`;
  const waiting = problems.length - shown.length;
  const parts = [
    ...(wrong.length > 0 ? [found] : []),
    ...(waiting > 0 ? [`${waiting} not approved`] : []),
    checked,
  ];
  return `${parts.join('; ')}.`;
}

type Group = readonly [Problem, ...Problem[]];

/** Findings that differ in nothing but their place, at the place of the first. */
function groupEqual(problems: readonly Problem[]): Group[] {
  const groups = new Map<string, [Problem, ...Problem[]]>();
  for (const problem of problems) {
    const { severity, code, message, cause = message, hint } = problem;
    const key = JSON.stringify([severity, code, cause, hint]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()];
}

/** The lines of a file; none if it cannot be read. */
function createReader(): (file: string) => readonly string[] {
  const read = new Map<string, readonly string[]>();
  return (file) => {
    const known = read.get(file);
    if (known !== undefined) return known;
    let lines: readonly string[] = [];
    try {
      lines = readFileSync(file, 'utf8').split(/\r?\n/);
    } catch {
      // The finding says what is wrong with the file.
    }
    read.set(file, lines);
    return lines;
  };
}

/** The line, or the part of it around the place, and below it a mark. */
function frameOf({ line, column }: Source, lines: readonly string[], columns: number): string[] {
  const text = lines[line - 1];
  if (text === undefined || text.trim() === '') return [];
  const number = String(line);
  const room = Math.max(20, columns - number.length - 10);
  const start = Math.max(0, Math.min(column - 1 - Math.floor(room / 2), text.length - room));
  const part = escapeControls(text.slice(start, start + room).replaceAll('\t', ' '));
  const before = start > 0 ? '…' : '';
  const mark = ' '.repeat(before.length + Math.max(0, column - 1 - start));
  return [`    ${number} │ ${before}${part}`, `    ${' '.repeat(number.length)} │ ${mark}^`];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
