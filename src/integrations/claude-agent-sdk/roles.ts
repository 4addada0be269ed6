/** What an event means to this host, read off its row in the table: which form its answer has, what it shows of the run. */
import { HOOK_EVENTS, rowOf } from '../../events/registry.js';
import type { EventRow } from '../../events/row.js';
import type { HookEvent } from '../../events/types.js';

/** Where the run stands when an event comes. */
export type Role = EventRow['moment'];

export interface EventForm {
  readonly role: Role;
  /** Whether the SDK takes `additionalContext` for it. What it does not take makes it drop the whole answer. */
  readonly tells: boolean;
  /** How a decision is written down. */
  readonly decides: 'permission' | 'permission-request' | 'block' | 'nothing';
  readonly rewritesOutput: boolean;
}

const FORMS: ReadonlyMap<HookEvent, EventForm> = new Map(
  HOOK_EVENTS.map((event) => [event, { ...formOf(event), role: rowOf(event).moment }] as const),
);

export function formFor(event: HookEvent): EventForm {
  return FORMS.get(event) as EventForm;
}

function formOf(event: HookEvent): Omit<EventForm, 'role'> {
  const { answer: specific, blocks, rewrites } = rowOf(event);
  return {
    // The SDK knows no specific output for the end of a turn and for compaction, although newer hosts do.
    tells: 'additionalContext' in specific && blocks !== 'stopping' && blocks !== 'compaction',
    decides:
      'permissionDecision' in specific
        ? 'permission'
        : 'decision' in specific
          ? 'permission-request'
          : blocks === 'nothing'
            ? 'nothing'
            : 'block',
    rewritesOutput: rewrites.output !== undefined,
  };
}
