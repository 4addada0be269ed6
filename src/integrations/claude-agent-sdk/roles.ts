/**
 * The role of an event for this host, derived from the event table: the format of its response, and what it reveals
 * about the run.
 */
import { ALL_EVENTS, rowOf } from '../../events/registry.js';
import type { EventRow } from '../../events/row.js';
import type { AnyEvent } from '../../events/types.js';

/** The point of a run at which an event occurs. */
export type Role = EventRow['moment'];

export interface EventForm {
  readonly role: Role;
  /** Whether the SDK accepts `additionalContext` for it. If it does not, it would ignore the whole response. */
  readonly acceptsContext: boolean;
  /** How a decision is expressed. */
  readonly decisionForm: 'permission' | 'permission-request' | 'block' | 'nothing';
  readonly rewritesOutput: boolean;
}

const FORMS: ReadonlyMap<AnyEvent, EventForm> = new Map(
  ALL_EVENTS.map((event) => [event, { ...formOf(event), role: rowOf(event).moment }] as const),
);

export function formFor(event: AnyEvent): EventForm {
  return FORMS.get(event) as EventForm;
}

function formOf(event: AnyEvent): Omit<EventForm, 'role'> {
  const { answer: specific, blocks, rewrites } = rowOf(event);
  return {
    // The SDK supports no specific output for the end of a turn and for compaction, although newer hosts do.
    acceptsContext: 'additionalContext' in specific && blocks !== 'stopping' && blocks !== 'compaction',
    decisionForm:
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
