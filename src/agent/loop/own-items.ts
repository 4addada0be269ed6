/** Which changes of a mailbox a session reports: loops that share a mailbox must not report each other's items. */
import type { InjectionChange, Lease } from '../../injection/port.js';

export class OwnItems {
  readonly #agents: Set<string>;
  /** Items in a lease of this session, by agent and id. */
  readonly #leased = new Set<string>();

  /** `agents`: the names in the mailbox of agents that belong to the session. */
  constructor(agents: readonly string[]) {
    this.#agents = new Set(agents);
  }

  addAgent(name: string): void {
    this.#agents.add(name);
  }

  /**
   * Changes for an agent of this session. Another loop may have an agent with the same name, so a delivery counts only if
   * it is of this session.
   */
  has({ agentId, id, state }: InjectionChange): boolean {
    if (!this.#agents.has(agentId)) return false;
    return state !== 'delivered' || this.#leased.has(key(agentId, id));
  }

  /** Returns the lease; its items are of this session until it has ended. */
  follow(agentId: string, lease: Lease): Lease {
    const keys = lease.items.map(({ id }) => key(agentId, id));
    for (const each of keys) this.#leased.add(each);
    const ended = async (ending: Promise<void>): Promise<void> => {
      await ending;
      for (const each of keys) this.#leased.delete(each);
    };
    return {
      items: lease.items,
      acknowledge: () => ended(lease.acknowledge()),
      release: () => ended(lease.release()),
    };
  }
}

const key = (agentId: string, id: string): string => JSON.stringify([agentId, id]);
