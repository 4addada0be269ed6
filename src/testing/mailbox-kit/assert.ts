/** Assertions that say what was expected of the mailbox and what it did; they work with any test framework. */
import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, show } from '../../base/errors.js';
import type { InjectionItem } from '../../injection/port.js';

/** The value after serialization: ignores undefined fields, prototypes and the sign of zero. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [came, wanted] = [plain(actual), plain(expected)];
  if (!isDeepStrictEqual(came, wanted)) throw failed(what, came, wanted);
}

export function isTrue(holds: boolean, what: string): void {
  if (!holds) throw failed(what, false, true);
}

export function failed(what: string, actual: unknown, expected: unknown): AssertionError {
  const message = `${what}: expected ${inWords(expected)}, got ${inWords(actual)}`;
  return new AssertionError({ message, actual, expected, operator: 'mailboxContract' });
}

const LONGEST = 600;

function inWords(value: unknown): string {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** Asserts that a call is refused with the given `problem` of a `MailboxError` or `code` of a `HookError`. */
export async function refused(call: () => unknown, expected: string, what: string): Promise<void> {
  let returned: unknown;
  try {
    returned = await call();
  } catch (error) {
    const { problem, code } = (error ?? {}) as { readonly problem?: unknown; readonly code?: unknown };
    const reason = problem ?? code;
    if (reason === expected) return;
    throw failed(
      `${what} must be refused`,
      reason === undefined ? `the error ${show(messageOf(error))}` : reason,
      expected,
    );
  }
  throw failed(`${what} must be refused`, { returned: plain(returned) ?? null }, expected);
}

export const ids = (items: readonly InjectionItem[]): string[] => items.map(({ id }) => id);
