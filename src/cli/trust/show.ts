/** Shows hooks and permissions for approval, with everything that an approval covers. */

import { SHORT_FINGERPRINT } from '../../config/loaded.js';
import type { TrustChanges } from '../../config/trust/changes.js';
import type { CoveredText } from '../../config/trust/covered-texts.js';
import { diffLines, shorten } from '../diff.js';
import { oneLine, shortPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';
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
  'settings',
]);

/** How the rules of a file are introduced. */
const RULES: Readonly<Record<string, string>> = { deny: 'denies', ask: 'asks about' };
const INDENT = '    ';

export const NOTHING_TO_APPROVE = 'Nothing here needs approval: no hooks and no allow rules.';

/** Only commands get variables. */
export function isCommand({ subject }: Pick<TrustedHook, 'subject'>): boolean {
  return subject.handler['type'] === 'command';
}

export interface ShowHooksOptions {
  /** The variables that the approval would pass; if absent, shows those that are passed now. */
  readonly env?: readonly string[];
  /** The texts of covered files, to be shown with the hooks. */
  readonly texts?: ReadonlyMap<TrustedHook, readonly CoveredText[]>;
}

export function showHooks(
  hooks: readonly TrustedHook[],
  printer: Printer,
  cwd: string,
  { env, texts }: ShowHooksOptions = {},
): void {
  const { paint } = printer;
  if (hooks.length === 0) printer.line(NOTHING_TO_APPROVE);
  for (const hook of hooks) {
    const { event, matcher, description, source, status, fingerprint, files, problem, subject } = hook;
    const word = (status === 'trusted' ? paint.green : paint.magenta)(status.padEnd(9));
    const matched = matcher && event !== 'permissions' ? ` ${oneLine(matcher)}` : '';
    const digits = fingerprint?.slice(0, SHORT_FINGERPRINT) ?? '-'.repeat(SHORT_FINGERPRINT);
    printer.line(`${word}  ${digits}  ${paint.bold(event)}${matched}  ${paint.dim(shortPlace(source, cwd))}`);
    // Never shortened or joined: what stands behind a comment, or at the end, is run as well.
    for (const line of description.trim().split('\n')) printer.line(`${INDENT}${line.trimEnd()}`);
    for (const [name, text] of fieldsOf(subject.handler)) printer.line(`${INDENT}${paint.dim(name)} ${text}`);
    for (const file of files) {
      printer.line(`${INDENT}${paint.dim('covers')} ${file}`);
      const text = texts?.get(hook)?.find(({ path }) => path === file)?.text;
      if (text !== undefined) showText(text, printer);
    }
    if (status === 'removed') {
      printer.line(`${INDENT}${paint.magenta('approved, and gone: what it would have judged is refused')}`);
      continue;
    }
    showVariables(hook, env, printer);
    if (hook.changes !== undefined) showChanges(hook.changes, printer);
    if (problem !== undefined) printer.line(`${INDENT}${paint.red(`cannot be approved: ${problem}`)}`);
  }
}

const SHOWN_LINES = 60;

function showText(text: string, { line, paint }: Printer): void {
  for (const each of shorten(text.trimEnd().split('\n'), paint, SHOWN_LINES))
    line(`${INDENT}  ${paint.dim('|')} ${each}`);
}

/** Everything else that the file says about it. */
function fieldsOf(handler: Readonly<Record<string, unknown>>): (readonly [name: string, text: string])[] {
  const { permissions, args } = handler;
  const rules = typeof permissions === 'object' && permissions !== null ? permissions : {};
  const entries = [...Object.entries(handler), ...Object.entries(rules)];
  const fields = entries.filter(([field]) => !SHOWN_ALREADY.has(field));
  const shown = fields.map(([field, value]): readonly [string, string] => {
    const verb = RULES[field];
    return verb !== undefined && Array.isArray(value) && value.every((rule) => typeof rule === 'string')
      ? [verb, value.join(', ')]
      : [`${field}:`, JSON.stringify(value)];
  });
  // In the command they stand side by side, so that these would look like several.
  const isUnclear = Array.isArray(args) && args.some((word) => /^$|\s/.test(String(word)));
  return isUnclear ? [['args:', JSON.stringify(args)], ...shown] : shown;
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
      `    ${paint.magenta(`the last approval passed ${before.join(', ')}; use --env ${before.join(',')} to pass it again`)}`,
    );
  const missed = withheld.filter((name) => !passed.includes(name) && !before.includes(name));
  if (missed.length > 0)
    line(
      `    ${paint.magenta(`mentions ${missed.join(', ')}, which is withheld; use --env ${missed.join(',')} to pass it`)}`,
    );
}

function showChanges({ approvedAt, fields, files }: TrustChanges, printer: Printer): void {
  const { paint } = printer;
  printer.line(`    ${paint.magenta(`changed since it was approved on ${approvedAt.slice(0, 10)}:`)}`);
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
