/** Shows hooks and permissions for approval, with everything that an approval covers. */

import { structuredPatch } from 'diff';
import { SHORT_FINGERPRINT, type TrustChanges } from '../../config/trust/index.js';
import { oneLine, shortPlace } from '../hooks/place.js';
import type { Paint, Printer } from '../printer.js';
import type { TrustedHook } from './review.js';

/** Fields that are already shown elsewhere, or have no effect. */
const SHOWN_ALREADY: ReadonlySet<string> = new Set([
  'allow',
  'additionalDirectories',
  'defaultMode',
  'group',
  'type',
  'command',
  'args',
  'module',
  'name',
  'statusMessage',
  'permissions',
]);

export const NOTHING_TO_APPROVE = 'Nothing here needs approval: no hooks and no allow rules.';

/** Only commands get variables. */
export function isCommand({ subject }: Pick<TrustedHook, 'subject'>): boolean {
  return subject.handler['type'] === 'command';
}

/** `env`: the variables that the approval would pass; if absent, shows those that are passed now. */
export function showHooks(
  hooks: readonly TrustedHook[],
  printer: Printer,
  cwd: string,
  env?: readonly string[],
): void {
  const { paint } = printer;
  if (hooks.length === 0) printer.line(NOTHING_TO_APPROVE);
  for (const hook of hooks) {
    const { event, matcher, description, source, status, fingerprint, files, problem, subject } = hook;
    const word = (status === 'trusted' ? paint.green : paint.yellow)(status.padEnd(9));
    const matched = matcher && event !== 'permissions' ? ` ${paint.cyan(oneLine(matcher))}` : '';
    const digits = fingerprint?.slice(0, SHORT_FINGERPRINT) ?? '?'.repeat(SHORT_FINGERPRINT);
    printer.line(`${word}  ${digits}  ${paint.bold(event)}${matched}  ${paint.dim(shortPlace(source, cwd))}`);
    // Never shortened: a truncated line could hide what it does at its end.
    printer.line(`    ${description.replaceAll(/\s+/g, ' ').trim()}`);
    const { permissions } = subject.handler;
    const rules = typeof permissions === 'object' && permissions !== null ? permissions : {};
    for (const [field, value] of [...Object.entries(subject.handler), ...Object.entries(rules)]) {
      if (!SHOWN_ALREADY.has(field)) printer.line(`    ${paint.dim(`${field}:`)} ${JSON.stringify(value)}`);
    }
    for (const file of files) printer.line(`    ${paint.dim(`covers ${file}`)}`);
    showVariables(hook, env, printer);
    if (hook.changes !== undefined) showChanges(hook.changes, printer);
    if (problem !== undefined) printer.line(`    ${paint.red(`cannot be approved: ${problem}`)}`);
  }
}

/** Which variables it gets, and which it mentions and does not get. */
function showVariables(
  { env: now, changes, withheld, subject }: TrustedHook,
  given: readonly string[] | undefined,
  { line, paint }: Printer,
): void {
  const passed = given === undefined ? now : isCommand({ subject }) ? given : [];
  if (passed.length > 0) line(`    ${paint.dim('gets the variables')} ${passed.join(', ')}`);
  const before = (changes?.env ?? now).filter((name) => !passed.includes(name));
  if (before.length > 0)
    line(
      `    ${paint.yellow(`the last approval passed ${before.join(', ')}; use --env ${before.join(',')} to pass it again`)}`,
    );
  const missed = withheld.filter((name) => !passed.includes(name) && !before.includes(name));
  if (missed.length > 0)
    line(
      `    ${paint.yellow(`mentions ${missed.join(', ')}, which is withheld; use --env ${missed.join(',')} to pass it`)}`,
    );
}

/** The maximum number of diff lines shown. */
const SHOWN_LINES = 200;

function showChanges({ approvedAt, fields, files }: TrustChanges, printer: Printer): void {
  const { paint } = printer;
  printer.line(`    ${paint.yellow(`changed since it was approved on ${approvedAt.slice(0, 10)}:`)}`);
  for (const { field, before, after } of fields) {
    printer.line(`      ${field}`);
    if (before !== undefined) printer.line(`        ${paint.red(`- ${before}`)}`);
    if (after !== undefined) printer.line(`        ${paint.green(`+ ${after}`)}`);
  }
  for (const { path, before, after } of files) {
    printer.line(`      ${path}${describeFile(before, after)}`);
    if (before === undefined || after === undefined) continue;
    for (const line of diffLines(before, after, paint)) printer.line(`        ${line}`);
  }
}

/** The note for a file without two texts to compare. */
function describeFile(before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined) return '';
  if (after === undefined)
    return before === undefined ? ' (content changed)' : ' (removed, or no longer text)';
  return ' (new, or its approved content was not kept)';
}

function diffLines(before: string, after: string, paint: Paint): string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 2 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    paint.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed.map((line) => colour(line, paint)),
  ]);
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), paint.dim(`(${more} more lines)`)] : lines;
}

function colour(line: string, paint: Paint): string {
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('+') ? paint.green(line) : line;
}
