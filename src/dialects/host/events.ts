/** The table of a host's events. */
import type { AnyEvent } from '../../events/types.js';
import type { Host, HostEvent, Spelling } from './host.js';

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

/** The event of a host that comes before a tool, in its first spelling that has one. */
export function beforeToolOf({
  spellings,
}: Host): { readonly spelling: Spelling; readonly event: AnyEvent; readonly own: HostEvent } | undefined {
  for (const spelling of spellings)
    for (const [event, own] of Object.entries(spelling.events))
      if (own.form === 'before-tool') return { spelling, event: event as AnyEvent, own };
  return undefined;
}
