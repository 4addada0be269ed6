/** Shows hooks and permissions for approval, with everything that an approval covers. */

import { SHORT_FINGERPRINT } from '../../config/trust/index.js';
import { oneLine, shortPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';
import type { TrustedHook } from './review.js';
import { showChanges } from './show-changes.js';

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
