/** A guard that runs in the background cannot refuse: found where it is written. */

import { canPrevent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { FailurePolicy } from './types.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a command that is to refuse when it fails, and is never waited for. */
export function asyncGuardProblem(
  event: AnyEvent,
  { type, async }: Fields,
  policy: FailurePolicy | undefined,
): string | undefined {
  if (type !== 'command' || async !== true || policy !== 'block' || !canPrevent(event)) return undefined;
  return `A command for ${event} is async and set to block, but what runs in the background cannot refuse anything. Remove \`async\`, or \`onFailure\`.`;
}
