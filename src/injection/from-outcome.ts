/** Converts the injections in a hook outcome to items. */
import { randomUUID } from 'node:crypto';
import type { HookOutcome } from '../runner/outcome.js';
import type { InjectionItem } from './port.js';

/**
 * Returns the injections of an outcome as items, in order, each with its own strategy. They belong to the current call,
 * so they do not go through a mailbox. Never throws.
 */
export function itemsOfOutcome(
  { injections }: Pick<HookOutcome, 'injections'>,
  agentId: string,
  label?: string,
): readonly InjectionItem[] {
  const source = { kind: 'hook', ...(label !== undefined && { label }) };
  return injections.map(({ content, strategy }) => ({
    id: randomUUID(),
    content,
    strategy,
    source,
    to: agentId,
  }));
}
