/**
 * The live area at the bottom of the terminal: a line for each running tool and hook, with a spinner and the elapsed
 * time.
 */
import { escapeControls } from '../../../base/json/escape-controls.js';
import { duration } from '../../hooks/show-fire.js';
import type { Paint } from '../../printer.js';
import { cutToWidth, firstLine } from './texts.js';
import type { Running, View } from './view.js';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const STEP_MS = 100;

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/** The lines at a given time. Pure. No line is wider than the terminal, and there are never more than fit. */
export function frameOf(
  { running }: View,
  now: number,
  { columns, rows }: FrameSize,
  paint: Paint,
): string[] {
  const lines = running.flatMap((each) => linesOf(each, now, columns, paint));
  const most = Math.max(1, rows - 2);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), paint.dim(`… ${lines.length - most + 1} more`)];
}

function linesOf(each: Running, now: number, columns: number, paint: Paint): string[] {
  const since = Math.max(0, now - each.since);
  const sign = SPINNER[Math.floor(since / STEP_MS) % SPINNER.length] ?? '';
  const space = each.kind === 'hook' ? '  ' : '';
  const time = duration(since);
  const name = firstLine(escapeControls(each.name));
  const text = cutToWidth(`${name} ${each.detail}`.trimEnd(), columns - space.length - time.length - 4);
  const line = `${space}${paint.cyan(sign)} ${text} ${paint.dim(time)}`;
  return [line, ...each.said.map((said) => paint.dim(cutToWidth(`${space}  ${said}`, columns - 1)))];
}
