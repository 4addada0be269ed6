/** Which items the writers put: some for one agent, some for several, some for all; some expire soon. */
import type { NewInjection } from '../../../../../src/injection/port.js';

export const AGENTS = ['north', 'south', 'east', 'west'] as const;

type Planned = NewInjection & { readonly id: string };

/** The same for the same number, whenever it is asked for: a repeated put is the same item. */
export function plannedItem(writer: string, i: number): Planned {
  const agent = (offset: number): string => AGENTS[(i + offset) % AGENTS.length] ?? '';
  const common = { id: `${writer}-${i}`, content: `Item ${i} of ${writer}`, priority: i % 3 };
  const to = i % 7 === 0 ? { all: true as const } : i % 5 === 0 ? [agent(0), agent(1)] : agent(0);
  // Past, so that it is certain what becomes of it.
  return i % 50 === 49 ? { ...common, to: agent(2), expiresAt: 1 } : { ...common, to };
}

export function targetsOfPlanned({ to }: Planned): readonly string[] {
  return typeof to === 'string' ? [to] : Array.isArray(to) ? to : AGENTS;
}
