/** Whose event it is. Older hosts do not say that a tool was called by a subagent: then nobody can know while one runs. */
import type { Role } from './roles.js';

export class RunView {
  readonly #agentId: string | undefined;
  readonly #subagents = new Set<string>();
  #hostTells = false;

  constructor(agentId: string | undefined) {
    this.#agentId = agentId;
  }

  /** Takes note of an event, and says whether it is surely the main agent's own. */
  isMain(role: Role, input: Readonly<Record<string, unknown>>): boolean {
    const id = String(input['agent_id'] ?? '');
    if (role === 'subagent-begins' || role === 'subagent-ends') {
      if (role === 'subagent-begins') this.#subagents.add(id);
      else this.#subagents.delete(id);
      return false;
    }
    // Not every subagent is said to have ended; with the turn they are all done, or speak for themselves.
    if (role === 'prompt' || role === 'turn-ends') this.#subagents.clear();
    if (id === '' || id === this.#agentId) return this.#hostTells || this.#subagents.size === 0;
    this.#hostTells = true;
    return false;
  }
}
