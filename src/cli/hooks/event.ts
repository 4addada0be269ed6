/** Reads the name of an event as it was typed. */
import { unknownEvent } from '../../config/unknown-event.js';
import { isHookEvent } from '../../events/schemas.js';
import type { HookEvent } from '../../events/types.js';

/** Throws a HookError, code `unknown_event`, that names the event that was probably meant. */
export function readEvent(name: string | undefined): HookEvent {
  if (isHookEvent(name)) return name;
  throw unknownEvent(name ?? '');
}
