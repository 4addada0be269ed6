/** The timeouts that the installer writes, and the earlier deadlines at which the bridge answers. */
import type { Host } from '../dialects/host/host.js';
import type { NamedEvent } from './decode.js';

/** Seconds that a host waits for the bridge: a hook that asks a person, or runs the tests of a project, needs some time. */
const TIMEOUT = 660;
/** A host that reaches its own timeout lets the tool run, so the bridge has to be done before. */
const MARGIN = 0.1;

/** In seconds. `named` undefined: the event is not known. */
export function installedTimeout({ timeout: { max } }: Host, named: NamedEvent | undefined): number {
  const own = named?.spelling.events[named.event]?.timeout?.max;
  return Math.min(TIMEOUT, own ?? max ?? TIMEOUT);
}

/** In milliseconds. */
export function deadlineOf(host: Host, named: NamedEvent | undefined): number {
  return Math.round(installedTimeout(host, named) * (1 - MARGIN) * 1000);
}
