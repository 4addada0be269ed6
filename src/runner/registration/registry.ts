/** The registered groups of every event and agent, in registration order. */
import type { AnyEvent } from '../../events/types.js';
import type { HookGroup } from './group.js';

/** The groups that one agent adds, and the events whose global groups it has switched off. */
interface AgentGroups {
  readonly groups: Map<AnyEvent, HookGroup[]>;
  readonly overrides: Map<AnyEvent, number>;
}

const NONE: readonly HookGroup[] = Object.freeze([]);

export class Registry {
  readonly #global = new Map<AnyEvent, HookGroup[]>();
  readonly #agents = new Map<string, AgentGroups>();
  /** Incremented with every change, so that caches know when they are stale. */
  version = 0;

  /** Adds a group for all agents or for one, and returns a function that removes it. */
  add(group: HookGroup, agentId?: string, override = false): () => void {
    const agent = agentId === undefined ? undefined : this.#agent(agentId);
    const groups = agent?.groups ?? this.#global;
    append(groups, group);
    if (override) agent?.overrides.set(group.event, (agent.overrides.get(group.event) ?? 0) + 1);
    this.version += 1;

    let registered = true;
    return () => {
      if (!registered) return;
      registered = false;
      remove(groups, group);
      if (override && agent !== undefined) this.#endOverride(agent, group.event);
      if (agentId !== undefined && agent?.groups.size === 0) this.#agents.delete(agentId);
      this.version += 1;
    };
  }

  /** The groups that apply to an agent now: global ones first, then its own. Valid until `version` changes. */
  groupsFor(event: AnyEvent, agentId: string | undefined): readonly HookGroup[] {
    const global = this.#global.get(event) ?? NONE;
    const agent = agentId === undefined ? undefined : this.#agents.get(agentId);
    if (agent === undefined) return global;
    const kept = agent.overrides.has(event) ? global.filter((group) => group.protected) : global;
    return [...kept, ...(agent.groups.get(event) ?? NONE)];
  }

  /** Whether an agent has groups of its own: without them, it shares everything with the others. */
  knows(agentId: string): boolean {
    return this.#agents.has(agentId);
  }

  #agent(agentId: string): AgentGroups {
    let agent = this.#agents.get(agentId);
    if (agent === undefined) {
      agent = { groups: new Map(), overrides: new Map() };
      this.#agents.set(agentId, agent);
    }
    return agent;
  }

  #endOverride(agent: AgentGroups, event: AnyEvent): void {
    const count = (agent.overrides.get(event) ?? 1) - 1;
    if (count === 0) agent.overrides.delete(event);
    else agent.overrides.set(event, count);
  }
}

function append(groups: Map<AnyEvent, HookGroup[]>, group: HookGroup): void {
  const list = groups.get(group.event);
  if (list === undefined) groups.set(group.event, [group]);
  else list.push(group);
}

function remove(groups: Map<AnyEvent, HookGroup[]>, group: HookGroup): void {
  const list = groups.get(group.event);
  const index = list?.indexOf(group) ?? -1;
  if (index >= 0) list?.splice(index, 1);
  if (list?.length === 0) groups.delete(group.event);
}
