/** Formats values as short texts for a terminal, without control characters. */

import type { ToolResultBlock } from '../../../agent/models/port.js';
import { escapeControls } from '../../../base/json/escape-controls.js';

const MAX_LINE = 200;

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

/** A call on one line: its only field, or all of them. */
export function callText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = Object.entries(input);
  const [only] = fields;
  if (fields.length === 1 && typeof only?.[1] === 'string') return firstLine(escapeControls(only[1]));
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
  const more = lines.length > most ? [`${space}(${lines.length - most} more lines)`] : [];
  return [...lines.slice(0, most).map((line) => `${space}${line}`), ...more];
}

/** The number of columns a text takes: East Asian characters and emoji take two, combining characters none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** As much of a text as fits into the given columns. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    shown += character;
  }
  return `${shown}…`;
}

const JOINS = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function characterWidth(character: string): number {
  if (JOINS.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
