/** Converts changes of items to messages for observers, in the format of the other messages. */
import { randomUUID, type UUID } from 'node:crypto';
import { sanitiseName } from './escape-frame.js';
import type { InjectionChange, InjectionState, InjectionStrategy, Mailbox } from './port.js';

/** A state change of an item, in the format of the other messages. */
export interface InjectionMessage {
  type: 'system';
  subtype: 'injection';
  injection_id: string;
  agent_id: string;
  state: InjectionState;
  strategy: InjectionStrategy;
  source_kind: string;
  source_label?: string;
  reason?: string;
  /** Milliseconds since the epoch. */
  at: number;
  uuid: UUID;
  session_id: string;
}

/** Converts a change to a message of a session, with a new `uuid`. Never throws. */
export function injectionMessage(change: InjectionChange, sessionId: string): InjectionMessage {
  const { label, kind } = change.source;
  return {
    type: 'system',
    subtype: 'injection',
    injection_id: change.id,
    agent_id: change.agentId,
    state: change.state,
    strategy: change.strategy,
    source_kind: kind,
    ...(label !== undefined && { source_label: label }),
    ...(change.reason !== undefined && { reason: change.reason }),
    at: change.at,
    uuid: randomUUID(),
    session_id: sessionId,
  };
}

/** Converts every change from now on to a message, until the returned function is called. Never throws. */
export function watchInjections(
  mailbox: Pick<Mailbox, 'onChange'>,
  sessionId: string,
  listener: (message: InjectionMessage) => void,
): () => void {
  return mailbox.onChange((change) => listener(injectionMessage(change, sessionId)));
}

/**
 * Formats a message as one line for a terminal or a log: sender, agent, state and strategy. Safe to print, never
 * throws.
 */
export function injectionLine(message: InjectionMessage): string {
  const from = [message.source_kind, message.source_label ?? ''].map((text) => sanitiseName(text, 80));
  const why = message.reason === undefined ? '' : ` (${sanitiseName(message.reason, 200)})`;
  const to = sanitiseName(message.agent_id, 80);
  return `[injection] ${from.join(' ').trim()} -> ${to}: ${message.state} as ${message.strategy}${why}`;
}
