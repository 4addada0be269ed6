/** The two failure policies, checked where they are written. */
import { HookError, show } from '../base/errors.js';
import type { FailurePolicy } from './types.js';

export function failurePolicy(value: unknown, where: string): FailurePolicy | undefined {
  if (value === undefined || value === 'continue' || value === 'block') return value;
  throw new HookError(
    'invalid_option',
    `onFailure of ${where} is ${show(value)}; use 'continue' or 'block'.`,
  );
}
