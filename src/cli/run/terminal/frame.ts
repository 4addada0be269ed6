/** The live area at the bottom of the terminal: the text that arrives, running tools and hooks, and queued messages. */
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

/** What the frame shows besides the view. */
export interface FrameState {
  /** Since when the agent works; undefined if it does not. */
  readonly since: number | undefined;
  /** What was typed while it works, and has not been read yet. */
  readonly queued: readonly string[];
}

const MAX_PARTIAL = 6;

/** The lines at a given time. Pure. No line is wider than the terminal, and there are never more than fit. */
export function frameOf(
  { running, partial }: View,
  { since, queued }: FrameState,
  now: number,
  { columns, rows }: FrameSize,
  paint: Paint,
): string[] {
  const lines = [
    ...partialLines(partial, columns),
    ...running.flatMap((each) => linesOf(each, now, columns, paint)),
    ...(since === undefined || running.length > 0 ? [] : [workingLine(since, now, paint)]),
    ...queued.map((text) =>
      paint.dim(cutToWidth(`› ${firstLine(escapeControls(text))}  (queued)`, columns - 1)),
    ),
  ];
  const most = Math.max(1, rows - 3);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), paint.dim(`… ${lines.length - most + 1} more`)];
}

/** The end of the text that is arriving; the whole of it is printed when it is complete. */
function partialLines(partial: string, columns: number): string[] {
  if (partial === '') return [];
  const lines = escapeControls(partial).trimEnd().split('\n');
  return lines.slice(-MAX_PARTIAL).map((line) => cutToWidth(line, columns - 1));
}

function workingLine(since: number, now: number, paint: Paint): string {
  return `${paint.bold(signAt(now - since))} ${paint.dim(`Working, ${duration(now - since)}. Escape interrupts.`)}`;
}

const signAt = (ms: number): string => SPINNER[Math.floor(Math.max(0, ms) / STEP_MS) % SPINNER.length] ?? '';

function linesOf(each: Running, now: number, columns: number, paint: Paint): string[] {
  const since = Math.max(0, now - each.since);
  const space = each.kind === 'hook' ? '  ' : '';
  const time = duration(since);
  const name = firstLine(escapeControls(each.name));
  const text = cutToWidth(`${name} ${each.detail}`.trimEnd(), columns - space.length - time.length - 4);
  const line = `${space}${paint.bold(signAt(since))} ${text} ${paint.dim(time)}`;
  return [line, ...each.said.map((said) => paint.dim(cutToWidth(`${space}  ${said}`, columns - 1)))];
}
