/** What people call a hook: its name, or else its command line or URL. */
import type { StartedHook } from './observer.js';

/** A hook without a name is named in messages by what was fired, which says nothing about the hook. */
export function hookLabel(name: string, event: string, origin: StartedHook['origin']): string {
  const isUnnamed = name === event || name.startsWith(`${event}:`);
  return origin !== undefined && isUnnamed ? origin.description : name;
}
