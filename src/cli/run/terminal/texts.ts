/** Formats values as short texts for a terminal, without control characters. */

import stringWidth from 'string-width';
import type { ToolResultBlock } from '../../../agent/models/port.js';
import { escapeControls } from '../../../base/json/escape-controls.js';

const MAX_LINE = 200;

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

/** The field that says what a call does, where there is one. */
const MAIN_FIELDS = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'prompt'];

/** A call on one line: its main field, its only field, or all of them. */
export function callText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = Object.entries(input);
  const main =
    fields.find(([name]) => MAIN_FIELDS.includes(name)) ?? (fields.length === 1 ? fields[0] : undefined);
  if (typeof main?.[1] === 'string') return firstLine(escapeControls(main[1]));
  return firstLine(escapeControls(fields.map(([key, value]) => `${key}: ${plain(value)}`).join('  ')));
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\n', ' ') : (JSON.stringify(value) ?? '');

export function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** The first lines of a text, indented, and how many more there are. */
export function indent(text: string, most: number, by = 2): string[] {
  const lines = escapeControls(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const space = ' '.repeat(by);
  const left = lines.length - most;
  const more = left > 0 ? [`${space}(${left} more ${left === 1 ? 'line' : 'lines'})`] : [];
  return [...lines.slice(0, most).map((line) => `${space}${line}`), ...more];
}

/** The number of columns a text takes: East Asian characters and emoji take two, colours none. */
export const widthOf = (text: string): number => stringWidth(text);

/** Rows as lines with a column for each cell, indented. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  ')}`.trimEnd(),
  );
}

/** The colours and the indentation of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const BEGINNING = /^((?:\u001b\[\d+m)*)( *)/;

/** Without the blank at which a line was broken. */
export const withoutIndent = (line: string): string => line.replace(BEGINNING, '$1');

const CHARACTERS = new Intl.Segmenter();

/** As much of a text without colours as fits into the given columns. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = '';
  let width = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
