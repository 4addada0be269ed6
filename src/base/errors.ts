/** HookError for caller mistakes, with its codes, and helpers that turn any thrown value into an Error. */
import { shorten } from './text/cut-text.js';

/**
 * Why a call was refused.
 *
 * - `unknown_event`: the event is not one of `HOOK_EVENTS`.
 * - `invalid_input`: the input given to `fire` does not fit the event's schema, or is not JSON data.
 * - `invalid_hook`: what was registered is neither a callback nor a hook description.
 * - `invalid_matcher`: the matcher cannot be compiled, or is too costly to run.
 * - `invalid_timeout`: a timeout is not a positive number of seconds below 2^31 ms.
 * - `invalid_option`: an option has a value that is not among its allowed ones.
 * - `invalid_config`: a configuration file that is binding cannot be read, or protection in a configuration is lost.
 * - `recursion_limit`: hooks fire events whose hooks fire events, deeper than `maxDepth`.
 * - `refused`: a hook refused what was asked for.
 * - `disposed`: the runner has been disposed.
 */
export type HookErrorCode =
  | 'unknown_event'
  | 'invalid_input'
  | 'invalid_hook'
  | 'invalid_matcher'
  | 'invalid_timeout'
  | 'invalid_option'
  | 'invalid_config'
  | 'recursion_limit'
  | 'refused'
  | 'disposed';

/** A mistake by the caller. Failures of a hook are never thrown: they are values in the outcome. */
export class HookError extends Error {
  /** For programs. The message is for people and may change. */
  readonly code: HookErrorCode;

  constructor(code: HookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(HookError.prototype, 'name', {
  value: 'HookError',
  configurable: true,
  writable: true,
});

/** Turns any thrown value into an Error, even if inspecting the value throws again. */
export function toError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown;
    return new Error(
      typeof thrown === 'string' ? thrown : `A value that is not an Error was thrown: ${String(thrown)}`,
    );
  } catch {
    return new Error('A value that cannot be shown was thrown');
  }
}

/** The message of any thrown value; safe against getters that throw. */
export function messageOf(thrown: unknown): string {
  try {
    return String(toError(thrown).message);
  } catch {
    return 'an error whose message cannot be read';
  }
}

/** Why a file cannot be used, for a message that names it: without the call and the path that Node appends. */
export function fileErrorOf(thrown: unknown): string {
  return messageOf(thrown).replace(/, \w+(?: '.*')?$/s, '');
}

/** Formats a value for an error message: short and on one line. Never throws. */
export function show(value: unknown): string {
  try {
    const text =
      typeof value === 'string'
        ? JSON.stringify(value)
        : typeof value === 'function'
          ? 'a function'
          : String(value);
    return shorten(text, 80);
  } catch {
    return 'a value that cannot be shown';
  }
}
