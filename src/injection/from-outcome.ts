/** What hooks inject by their answers, as items like all others. */
import { randomUUID } from 'node:crypto';
import type { HookOutcome } from '../runner/outcome.js';
import type { InjectionItem } from './port.js';

/**
 * What hooks have injected with an outcome, as items. Each keeps its place and its strategy. They were made for this very
 * call, so they do not go through a mailbox. Never throws.
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
