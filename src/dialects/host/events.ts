/** The table of a host's events. */
import type { HostEvent } from './host.js';

type Written = Omit<HostEvent, 'name' | 'matches'> & Partial<Pick<HostEvent, 'name' | 'matches'>>;

/** An event has our name and no matcher unless the table says otherwise. */
export function eventTable<K extends string>(
  table: Readonly<Record<K, Written>>,
): Readonly<Record<K, HostEvent>> {
  return Object.fromEntries(
    Object.entries<Written>(table).map(([ours, written]) => [
      ours,
      { name: ours, matches: 'nothing', ...written },
    ]),
  ) as Record<K, HostEvent>;
}
