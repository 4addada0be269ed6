/** Reads the name of an event as it was typed. */
import { HookError, show } from '../../errors.js';
import { HOOK_EVENTS, isHookEvent } from '../../events/schemas.js';
import type { HookEvent } from '../../events/types.js';
import { didYouMean } from '../suggest.js';

/** Throws a HookError, code `unknown_event`, that names the event that was probably meant. */
export function readEvent(name: string | undefined): HookEvent {
  if (isHookEvent(name)) return name;
  throw new HookError(
    'unknown_event',
    `There is no event ${show(name ?? '')}.${didYouMean(name ?? '', HOOK_EVENTS)} The events are ${HOOK_EVENTS.join(', ')}.`,
  );
}
