/** Tracks the agents that work in the background. */
import type { Agent } from './agent.js';

/** A background agent, as reported to hooks. */
export interface BackgroundTask {
  readonly id: string;
  readonly type: 'subagent' | 'teammate';
  readonly status: 'running';
  readonly description: string;
  readonly agent_type: string;
}

interface Worker {
  readonly agent: Agent;
  readonly description: string;
  /** Whether it is working. Team members stay registered when they are idle. */
  busy: boolean;
  /** Resolves when it has ended; never rejects. */
  readonly gone: Promise<void>;
}

export class BackgroundAgents {
  readonly #workers = new Map<string, Worker>();
  /** Aborted when the session ends, to end the agents that are still registered. */
  readonly #lifetime = new AbortController();
  /** Names that are taken or reserved. */
  readonly #names = new Set<string>();
  #changed: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  /** `work` must not reject. */
  start(agent: Agent, description: string, work: () => Promise<void>): void {
    const id = agent.identity?.id ?? '';
    const gone = work().finally(() => {
      this.#workers.delete(id);
      this.#names.delete(agent.identity?.name ?? '');
      this.#notifyChange();
    });
    this.#workers.set(id, { agent, description, busy: true, gone });
  }

  /** Sets whether a team member is working. */
  setBusy(agent: Agent, busy: boolean): void {
    const worker = this.#workers.get(agent.identity?.id ?? '');
    if (worker) worker.busy = busy;
    this.#notifyChange();
  }

  get anyBusy(): boolean {
    return [...this.#workers.values()].some(({ busy }) => busy);
  }

  /** Resolves when an agent starts, becomes idle or ends. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  /** Returns false if the name is taken. */
  claimName(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }

  /** Whether an agent with this id or name is registered. */
  has(scope: string): boolean {
    return [...this.#workers.values()].some(
      ({ agent: { identity } }) => identity?.id === scope || identity?.name === scope,
    );
  }

  agents(): readonly Agent[] {
    return [...this.#workers.values()].map(({ agent }) => agent);
  }

  /** The agents that have a name. */
  members(): readonly Agent[] {
    return this.agents().filter(({ identity }) => identity?.name);
  }

  list(): BackgroundTask[] {
    return [...this.#workers.values()].flatMap(({ agent: { identity }, description, busy }) =>
      identity === undefined || !busy
        ? []
        : [
            {
              id: identity.id,
              type: identity.name === undefined ? 'subagent' : 'teammate',
              status: 'running',
              description,
              agent_type: identity.type,
            },
          ],
    );
  }

  /** Ends all agents. */
  async end(): Promise<void> {
    this.#lifetime.abort();
    await Promise.all([...this.#workers.values()].map(({ gone }) => gone));
  }

  #notifyChange(): void {
    const listeners = this.#changed;
    this.#changed = [];
    for (const listener of listeners) listener();
  }
}
