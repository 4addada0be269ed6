/** Reads the state of an item for all of its agents. */
import type { InjectionState } from '../../port.js';
import type { AgentSlot } from './agent-slot.js';
import type { Arrivals } from './arrivals.js';
import type { CommonSlot } from './common-slot.js';
import type { IdRegister } from './id-register.js';
import { inBatches } from './in-batches.js';

/** Undefined for an id that is unknown or no longer kept. */
export async function findStatus(
  id: string,
  register: IdRegister,
  common: CommonSlot,
  slot: AgentSlot,
  arrivals: Arrivals,
): Promise<Readonly<Record<string, InjectionState>> | undefined> {
  const to = await register.find(id);
  if (to === undefined) return undefined;
  const isForAll = typeof to !== 'string' && !Array.isArray(to);
  const { joined, gone } = isForAll ? await common.agents() : { joined: [], gone: [] };
  const agents =
    typeof to === 'string' ? [to] : Array.isArray(to) ? (to as readonly string[]) : [...joined, ...gone];
  const states: [string, InjectionState][] = [];
  await inBatches(agents, async (agentId) => {
    const agent = arrivals.memoryOf(agentId);
    if (agents.length > 1 || isForAll) await arrivals.fetch(agent);
    const state = await slot.state(agent, id);
    if (state !== undefined) states.push([agentId, state]);
  });
  if (isForAll && states.length === 0) {
    const state = await common.find(id);
    if (state !== 'absent') states.push(['*', state]);
  }
  const order = new Map(agents.map((agentId, i) => [agentId, i]));
  states.sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return states.length === 0 ? undefined : Object.fromEntries(states);
}
