/** Prints a fire for a person: what each hook did, and the outcome. */

import { EXIT } from '../../base/exit-codes.js';
import { rowOf } from '../../events/registry.js';
import type { HookResult } from '../../runner/outcome.js';
import { LATE_KEYS, OUTCOME_ROWS, saidOf, textsIn, textsOf } from '../../runner/outcome-rows.js';
import type { Fired, RanHook } from '../../testing/session.js';
import { type OutcomeVerdict, verdictOf, type Word, wordOf } from '../../testing/verdict.js';
import { paintChange, shorten as shortenLines } from '../diff.js';
import type { Paint, Printer } from '../printer.js';
import type { Missing } from './completeness.js';
import { oneLine, shortPlace } from './place.js';

const WORD_WIDTH = 13;
const INDENT = ' '.repeat(WORD_WIDTH + 2);
/** The lines of a hook's output that are shown without --full. */
const SHOWN_LINES = 6;
/** The characters of each line that are shown. */
const SHOWN_CHARACTERS = 500;

const SHOWN = OUTCOME_ROWS.filter(({ shown }) => shown?.fire);

export interface ShowOptions {
  readonly cwd: string;
  /** Show the whole output of the hooks. */
  readonly full: boolean;
  /** Why not every hook ran. */
  readonly missing?: Missing['reason'] | undefined;
}

export async function showFire(fired: Fired, printer: Printer, options: ShowOptions): Promise<void> {
  const { paint } = printer;
  const verdict = verdictOf(fired.outcome, fired.lateFailures, options.missing);
  const { matcherField: subject } = rowOf(fired.event);
  const name = subject === null ? fired.event : `${fired.event} ${oneLine(String(fired.input[subject]))}`;
  printer.line(`${paint.bold(name)}${fired.ran.length === 0 ? ': no hook ran.' : ''}`);
  const isRepeated = repeatedBy(fired);
  for (const ran of fired.ran) showHook(ran, printer, options, isRepeated);
  for (const answer of fired.late) {
    for (const key of LATE_KEYS) {
      if (answer[key] !== undefined) detail(printer, 'later', answer[key], options.full);
    }
  }
  printer.line();
  printer.line(`${colour(verdict, paint)(paint.bold(capital(verdict.word)))}: ${verdict.sentence}.`);
  await showOutcome(fired, printer, options.full);
}

/** Words instead of symbols such as `✗`: they work in every terminal and can be searched for. */
function showHook(
  { hook, result }: RanHook,
  printer: Printer,
  { cwd, full }: ShowOptions,
  isRepeated: IsRepeated,
): void {
  const { paint } = printer;
  const word = wordOf(result);
  const place = hook === undefined ? '' : `  ${paint.dim(shortPlace(hook.source, cwd))}`;
  const exit = exitText(word, result.exitCode);
  const took = paint.dim(`  ${duration(result.durationMs)}${exit}`);
  const name = oneLine(hook?.description ?? result.name);
  printer.line(`  ${wordColour(word, paint)(word.padEnd(WORD_WIDTH))}${paint.bold(name)}${place}${took}`);
  for (const [label, text] of said(result, full, isRepeated)) detail(printer, label, text, full);
}

/** A refusal with exit code 0 came from the answer on stdout. */
function exitText(word: string, exitCode: number | undefined): string {
  if (exitCode === undefined) return '';
  return word === 'denied' && exitCode === 0 ? ', by its answer' : `, exit code ${exitCode}`;
}

type IsRepeated = (row: (typeof SHOWN)[number]) => boolean;

/**
 * Whether the outcome below repeats word for word what a hook said, and it is clear which one: the only one that ran, or the only one
 * with a reason.
 */
function repeatedBy({ ran, outcome }: Fired): IsRepeated {
  return (row) => {
    if (row.role === 'rewrites' || (ran.length > 1 && row.field !== 'reason')) return false;
    const texts = ran.flatMap(({ result }) => [...textsOf(row, saidOf(row, result))]);
    const [first, ...more] = textsIn(outcome, row);
    return texts.length === 1 && more.length === 0 && first === texts[0];
  };
}

/** What a hook answered, without duplicates: JSON that was read is shown as its fields. */
function* said(
  result: HookResult,
  full: boolean,
  isRepeated: IsRepeated,
): Generator<readonly [label: string, text: string]> {
  const { failure, reason, stdout, stderr, notes = [] } = result;
  if (failure !== undefined)
    yield ['failure', `${failure.message}${failure.blocked ? ' (set to block)' : ''}`];
  // First the fields that all events have, then the fields of this one.
  for (const place of ['result', 'specific'])
    for (const row of SHOWN) {
      // The reason of a blocking failure was already shown as the failure.
      if (row.ofHook !== place || (row.field === 'reason' && failure?.blocked === true)) continue;
      if (failure === undefined && isRepeated(row)) continue;
      for (const text of textsOf(row, saidOf(row, result))) yield [row.shown?.label ?? row.field, text];
    }
  for (const note of notes) yield ['note', note];
  const isRead = failure === undefined && stdout?.trimStart().startsWith('{') === true;
  if (stdout?.trim() && (full || !isRead)) yield ['stdout', stdout];
  if (stderr?.trim() && stderr.trim() !== reason) yield ['stderr', stderr];
}

/** What was rewritten is shown as a difference, everything else as text. */
async function showOutcome({ event, input, outcome }: Fired, printer: Printer, full: boolean): Promise<void> {
  const { paint } = printer;
  const all = Number.POSITIVE_INFINITY;
  for (const row of SHOWN.filter(({ role }) => role !== 'rewrites'))
    for (const text of textsIn(outcome, row))
      detail(printer, row.shown?.label ?? row.field, text, full, '  ', all);
  if (outcome.updatedInput === undefined && outcome.updatedOutput === undefined) return;
  // Few fires need what compares and prints values.
  const { rewritesOf } = await import('../../testing/rewrites.js');
  for (const { field, hunks } of rewritesOf({ event, input, outcome })) {
    printer.line(`  ${paint.dim('rewritten:')}   ${field}`);
    const lines = hunks.flatMap(({ lines: changed }, i) => [
      ...(i === 0 ? [] : [paint.dim('...')]),
      ...changed,
    ]);
    const shown = shortenLines(lines, paint, full ? all : undefined);
    for (const line of shown)
      printer.line(`    ${paintChange(full ? line : cutLine(line), paint)}`.trimEnd());
  }
}

const cutLine = (line: string): string =>
  line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}...` : line;

function detail(
  { line, paint }: Printer,
  label: string,
  text: string,
  full: boolean,
  indent = INDENT,
  shownLines = SHOWN_LINES,
): void {
  const lines = text.trimEnd().split('\n');
  const shown = full ? lines : lines.slice(0, shownLines);
  for (const [i, each] of shown.entries()) {
    const left = i === 0 ? `${label}:` : '';
    line(`${indent}${paint.dim(left.padEnd(WORD_WIDTH))}${full ? each : shorten(each, paint)}`);
  }
  const more = lines.length - shown.length;
  const what = more === 1 ? '1 more line; --full shows it' : `${more} more lines; --full shows them`;
  if (more > 0) line(`${indent}${' '.repeat(WORD_WIDTH)}${paint.dim(`(${what})`)}`);
}

/** A hook may print a megabyte without a line break. */
function shorten(text: string, paint: Paint): string {
  const more = text.length - SHOWN_CHARACTERS;
  if (more <= 0) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}${paint.dim(`... (${more} more characters; --full shows them)`)}`;
}

export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function colour({ exit, word }: OutcomeVerdict, paint: Paint): (text: string) => string {
  if (exit !== EXIT.ok && exit !== EXIT.refused) return paint.red;
  return exit === EXIT.refused || word === 'asks' || word === 'deferred' ? paint.magenta : paint.green;
}

export function wordColour(word: Word | 'fine', paint: Paint): (text: string) => string {
  if (word === 'failed' || word === 'aborted') return paint.red;
  return word === 'fine' || word === 'allowed' ? paint.green : paint.magenta;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
