/** What is put in by the conservation test: writers and the judge derive it from a number, so nobody has to be believed. */
import type { NewInjection } from '../../../../../src/injection/port.js';

export const AGENTS = ['ada', 'Bob/../x', 'cyd'] as const;
/** Comes when everything is over, and gets what was for all. */
export const LATE = 'late';

export function plannedItem(index: number): NewInjection & { readonly id: string } {
  const id = `item-${index}`;
  const agent = AGENTS[index % AGENTS.length] ?? AGENTS[0];
  const item = { id, content: `content of ${id} `.repeat(1 + (index % 20)), priority: index % 3 };
  if (index % 20 === 7) return { ...item, to: { all: true } };
  if (index % 20 === 13) return { ...item, to: [AGENTS[0], AGENTS[2]] };
  if (index % 25 === 3) return { ...item, to: agent, expiresAt: 1 };
  if (index % 10 === 4) return { ...item, to: agent, matcher: 'Write|mcp__*' };
  return { ...item, to: agent };
}

/** Whom it is for, and how it has to end. */
export function plannedEnds(index: number): Readonly<Record<string, 'delivered' | 'expired'>> {
  const { to, expiresAt } = plannedItem(index);
  const state = expiresAt === undefined ? 'delivered' : 'expired';
  const targets = typeof to === 'string' ? [to] : to === undefined || 'all' in to ? [...AGENTS, LATE] : to;
  return Object.fromEntries(targets.map((agentId) => [agentId, state]));
}
