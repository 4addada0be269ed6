/**
 * Decides which agent an event belongs to. Older hosts do not mark tool calls of subagents: while a subagent runs, it
 * is unknown.
 */
import type { Role } from './roles.js';

export class RunView {
  readonly #agentId: string | undefined;
  readonly #subagents = new Set<string>();
  #hostTells = false;

  constructor(agentId: string | undefined) {
    this.#agentId = agentId;
  }

  /** Records an event, and returns whether it certainly belongs to the main agent. */
  isMain(role: Role, input: Readonly<Record<string, unknown>>): boolean {
    const id = String(input['agent_id'] ?? '');
    if (role === 'subagent-begins' || role === 'subagent-ends') {
      if (role === 'subagent-begins') this.#subagents.add(id);
      else this.#subagents.delete(id);
      return false;
    }
    // The end of a subagent is not always reported; at the end of a turn they are all done, or marked in their own
    // events.
    if (role === 'prompt' || role === 'turn-ends') this.#subagents.clear();
    if (id === '' || id === this.#agentId) return this.#hostTells || this.#subagents.size === 0;
    this.#hostTells = true;
    return false;
  }
}
