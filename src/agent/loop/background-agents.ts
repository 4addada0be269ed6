/** Agents that work while the one who started them goes on: who they are, and when the last of them is done. */
import type { Agent } from './agent.js';

/** As hooks are told of them. */
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
  /** Whether it is at work; members of a team stay when they are done. */
  busy: boolean;
  /** Settles when it is gone; never rejects. */
  readonly gone: Promise<void>;
}

export class BackgroundAgents {
  readonly #workers = new Map<string, Worker>();
  /** Ends those who are still there when the session ends. */
  readonly #lifetime = new AbortController();
  /** Names that somebody has, or is about to get. */
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
      this.#tellChange();
    });
    this.#workers.set(id, { agent, description, busy: true, gone });
  }

  /** A member of the team is done for now, or at work again. */
  setBusy(agent: Agent, busy: boolean): void {
    const worker = this.#workers.get(agent.identity?.id ?? '');
    if (worker) worker.busy = busy;
    this.#tellChange();
  }

  get anyBusy(): boolean {
    return [...this.#workers.values()].some(({ busy }) => busy);
  }

  /** Settles when somebody has begun, finished or gone. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  /** False: somebody is called so already. */
  claimName(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }

  /** Whether an agent with this id or name is still there. */
  has(scope: string): boolean {
    return [...this.#workers.values()].some(
      ({ agent: { identity } }) => identity?.id === scope || identity?.name === scope,
    );
  }

  /** Those who have a name. */
  members(): readonly Agent[] {
    return [...this.#workers.values()].map(({ agent }) => agent).filter(({ identity }) => identity?.name);
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

  /** Ends everybody. */
  async end(): Promise<void> {
    this.#lifetime.abort();
    await Promise.all([...this.#workers.values()].map(({ gone }) => gone));
  }

  #tellChange(): void {
    const listeners = this.#changed;
    this.#changed = [];
    for (const listener of listeners) listener();
  }
}
