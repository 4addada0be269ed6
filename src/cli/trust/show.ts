/** Shows hooks, and what files permit, to whoever is to trust them: everything that an agreement covers. */
import { oneLine, shortPlace } from '../hooks/place.js';
import type { Printer } from '../printer.js';
import { SHORT, type TrustedHook } from './review.js';

/** Fields that are shown in other words already, or decide nothing. */
const SHOWN_ALREADY: ReadonlySet<string> = new Set([
  'group',
  'type',
  'command',
  'args',
  'module',
  'name',
  'statusMessage',
  'permissions',
]);

export const NOTHING_TO_AGREE = 'Nothing here needs anybody to agree: no hook, and no rule that allows.';

export function showHooks(hooks: readonly TrustedHook[], printer: Printer, cwd: string): void {
  const { paint } = printer;
  if (hooks.length === 0) printer.line(NOTHING_TO_AGREE);
  for (const { event, matcher, description, source, status, fingerprint, files, problem, subject } of hooks) {
    const word = (status === 'trusted' ? paint.green : paint.yellow)(status.padEnd(9));
    const matched = matcher ? ` ${paint.cyan(oneLine(matcher))}` : '';
    const digits = fingerprint?.slice(0, SHORT) ?? '?'.repeat(SHORT);
    printer.line(`${word}  ${digits}  ${paint.bold(event)}${matched}  ${paint.dim(shortPlace(source, cwd))}`);
    // Nothing of it is left out: a line that is cut could hide what it does at its end.
    printer.line(`    ${description.replaceAll(/\s+/g, ' ').trim()}`);
    const { permissions } = subject.handler;
    const rules = typeof permissions === 'object' && permissions !== null ? permissions : {};
    for (const [field, value] of [...Object.entries(subject.handler), ...Object.entries(rules)]) {
      if (!SHOWN_ALREADY.has(field)) printer.line(`    ${paint.dim(`${field}:`)} ${JSON.stringify(value)}`);
    }
    for (const file of files) printer.line(`    ${paint.dim(`covers ${file}`)}`);
    if (problem !== undefined) printer.line(`    ${paint.red(problem)}`);
  }
}
