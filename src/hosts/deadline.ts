/** The timeouts that the installer writes, and the earlier deadlines at which the bridge answers. */
import type { NamedEvent } from './decode.js';

/** Seconds that a host waits for the bridge: a hook that asks a person, or runs the tests of a project, needs some time. */
const TIMEOUT = 660;
/** A host that reaches its own timeout lets the tool run, so the bridge has to be done before. */
const MARGIN = 0.1;

/** In seconds. */
export function installedTimeout({ spelling, event }: NamedEvent): number {
  return Math.min(TIMEOUT, spelling.events[event]?.timeout?.max ?? TIMEOUT);
}

/** In milliseconds. */
export function deadlineOf(named: NamedEvent | undefined): number {
  const seconds = named === undefined ? TIMEOUT : installedTimeout(named);
  return Math.round(seconds * (1 - MARGIN) * 1000);
}
