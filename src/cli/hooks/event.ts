/** Reads the name of an event as it was typed. */
import { unknownEvent } from '../../config/unknown-event.js';
import { isEvent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';

/** Throws a HookError, code `unknown_event`, that names the event that was probably meant. */
export function readEvent(name: string | undefined): AnyEvent {
  if (isEvent(name)) return name;
  throw unknownEvent(name ?? '');
}
