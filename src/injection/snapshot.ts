/** Saves a mailbox as JSON data and restores it in another process. */
import { z } from 'zod';
import { describeIssue } from '../events/schemas.js';
import { ANYONE, agentName, freezeItem, itemSchema } from './item.js';
import { MailboxError } from './mailbox-error.js';
import type { Ledger } from './mailboxes/memory/ledger.js';
import { compileToolMatcher } from './matcher.js';
import type { InjectionItem, InjectionState } from './port.js';

/**
 * The contents of a mailbox as JSON data. Leased items are saved as queued, because it is unknown whether they were
 * sent.
 */
export interface MailboxSnapshot {
  readonly version: 1;
  /** The agents that have joined, and those that have left. */
  readonly agents: readonly string[];
  readonly left: readonly string[];
  /** In the order they were put, each with its state for every agent. */
  readonly items: readonly {
    readonly item: InjectionItem;
    readonly states: readonly (readonly [agentId: string, state: InjectionState])[];
    readonly withdrawn?: boolean | undefined;
  }[];
}

const STATES = ['queued', 'delivered', 'carried', 'expired', 'failed'] as const;

const schema = z.object({
  version: z.literal(1),
  agents: z.array(agentName),
  left: z.array(agentName),
  items: z.array(
    z.object({
      item: itemSchema,
      states: z.array(z.tuple([z.union([agentName, z.literal(ANYONE)]), z.enum(STATES)])),
      withdrawn: z.boolean().optional(),
    }),
  ),
});

export function takeSnapshot(ledger: Ledger): MailboxSnapshot {
  return {
    version: 1,
    agents: ledger.agents,
    left: ledger.left,
    items: [...ledger.entries].map(({ item, copies, withdrawn }) => ({
      item,
      states: [...copies.values()].map(({ agentId, state }) => [agentId, state] as const),
      ...(withdrawn && { withdrawn }),
    })),
  };
}

/** Throws a MailboxError, and changes nothing, for an invalid snapshot. */
export function restoreSnapshot(ledger: Ledger, given: unknown): void {
  const read = schema.safeParse(given);
  if (!read.success) {
    throw new MailboxError('invalid', `The snapshot cannot be restored: ${describeIssue(read.error)}.`);
  }
  const ids = new Set<string>();
  for (const { item } of read.data.items) {
    compileToolMatcher(item.matcher);
    if (ids.has(item.id)) {
      throw new MailboxError('invalid', `The snapshot cannot be restored: the id ${item.id} occurs twice.`);
    }
    ids.add(item.id);
  }
  ledger.restoreAgents(read.data.agents, read.data.left);
  for (const { item, states, withdrawn } of read.data.items) {
    const entry = ledger.addEntry(freezeItem(item), withdrawn);
    for (const [agentId, state] of states) {
      const copy = ledger.addCopy(entry, agentId, state);
      if (state === 'queued') ledger.requeue(copy);
    }
    if (entry.open === 0) ledger.settle(entry);
  }
  ledger.sweep();
}
