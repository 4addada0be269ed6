/** Identifies agents by name, session or the call that started them, and tracks each agent's current turn. */
import { rowOf } from '../events/registry.js';
import { MAIN_AGENT } from '../injection/hooks/built-in.js';
import type { NewLiveEvent } from './events.js';
import type { History } from './history.js';
import type { BegunFire } from './observe-fires.js';
import { cut, MAX_LENGTHS } from './show.js';

interface Known {
  address: string;
  label: string;
  detail: string | undefined;
  turn: number;
  /** The id of the turn's prompt. */
  promptId: string | undefined;
  begun: boolean;
  /** The task it was started with, until its first turn. */
  task: string | undefined;
}

export interface StartedAgent {
  readonly session: string;
  /** The id of the call that started it. */
  readonly toolUseId: string;
  readonly kind: string;
  readonly task: string;
}

/** Beyond this limit, the oldest agents and sessions are forgotten; they count as new if they return. */
const MAX_AGENTS = 1000;

class AgentRegistry {
  readonly #emit: (event: NewLiveEvent) => void;
  readonly #agents = new Map<string, Known>();
  readonly #byAddress = new Map<string, string>();
  readonly #bySession = new Map<string, string>();
  readonly #byToolUse = new Map<string, string>();

  constructor(emit: (event: NewLiveEvent) => void) {
    this.#emit = emit;
  }

  /** Registers an agent or updates its details; unchanged details are reported once. */
  meet(agent: string, { address = agent, label, detail }: Partial<Known> = {}): void {
    const known = this.#agents.get(agent);
    const now = {
      address: address === agent && known ? known.address : address,
      label: label ?? known?.label ?? address,
      detail: detail ?? known?.detail,
    };
    if (known?.address === now.address && known.label === now.label && known.detail === now.detail) return;
    if (known === undefined)
      keep(this.#agents, agent, { ...now, turn: 0, promptId: undefined, begun: false, task: undefined });
    else Object.assign(known, now);
    keep(this.#byAddress, now.address, agent);
    this.#emit({
      type: 'agent',
      agent,
      address: now.address,
      label: cut(now.label, MAX_LENGTHS.name),
      ...(now.detail !== undefined && { detail: cut(now.detail, MAX_LENGTHS.name) }),
    });
  }

  /** The agent of a fire. A subagent is identified by its own id; its name elsewhere is its address. */
  ofFire({ input, options }: BegunFire): string {
    const session = input['session_id'];
    const id = textOf(input['agent_id']);
    const address = options.agentId ?? id ?? this.ofSession(String(session));
    const agent = id ?? address;
    const kind = textOf(input['agent_type']);
    this.meet(agent, {
      address,
      ...(id !== undefined && kind !== undefined && { label: nameOf(address, id, kind) }),
    });
    if (id === undefined && typeof session === 'string') keep(this.#bySession, session, agent);
    return agent;
  }

  /** The agent of a session; `main` if none is known. */
  ofSession(session: string): string {
    return this.#bySession.get(session) ?? MAIN_AGENT;
  }

  /** Sets the agent of a run, because most of its messages name only the session. */
  joinSession(session: string, agent: string): void {
    this.meet(agent);
    keep(this.#bySession, session, agent);
  }

  ofAddress(address: string): string | undefined {
    return this.#byAddress.get(address);
  }

  /** The agent that a call started. Different sessions may use the same call ids. */
  ofToolUse(session: string, id: string): string | undefined {
    return this.#byToolUse.get(`${session}\n${id}`);
  }

  /** Registers an agent started by another. Its first fire may already have been seen. */
  start(agent: string, { session, toolUseId, kind, task }: StartedAgent): void {
    keep(this.#byToolUse, `${session}\n${toolUseId}`, agent);
    this.meet(agent, { label: nameOf(this.#agents.get(agent)?.address ?? agent, agent, kind) });
    const known = this.#agents.get(agent) as Known;
    if (known.turn === 0) known.task = task;
    else this.#emitTurn(agent, known.turn, task);
  }

  /** The turn of a fire: each prompt starts a new turn. */
  turnOfFire(agent: string, { event, input }: BegunFire): number {
    const promptId = textOf(input['prompt_id']);
    const isPrompt = rowOf(event).blocks === 'prompt';
    const known = this.#agents.get(agent);
    const isSame = promptId === undefined ? !isPrompt : promptId === known?.promptId;
    if (isSame) return this.turnOf(agent);
    return this.beginTurn(agent, isPrompt ? textOf(input['prompt']) : undefined, promptId);
  }

  /** An agent's current turn; the first event of an agent opens turn 0. */
  turnOf(agent: string): number {
    this.meet(agent);
    const known = this.#agents.get(agent) as Known;
    if (!known.begun) {
      known.begun = true;
      this.#emitTurn(agent, known.turn, undefined);
    }
    return known.turn;
  }

  beginTurn(agent: string, prompt?: string, promptId?: string): number {
    this.meet(agent);
    const known = this.#agents.get(agent) as Known;
    known.turn += 1;
    known.promptId = promptId;
    known.begun = true;
    this.#emitTurn(agent, known.turn, prompt ?? known.task);
    known.task = undefined;
    return known.turn;
  }

  #emitTurn(agent: string, turn: number, prompt: string | undefined): void {
    const asked = prompt === undefined ? {} : { prompt: cut(prompt, MAX_LENGTHS.text) };
    this.#emit({ type: 'turn', agent, turn, ...asked });
  }
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size <= MAX_AGENTS) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    break;
  }
}

/** A team member has a name; for other agents the type is more useful than the id. */
const nameOf = (address: string, id: string, kind: string): string =>
  address === id ? `${kind} ${id.slice(0, 5)}` : address;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Adds the time to events and records them in the history. */
export class Timeline {
  readonly registry = new AgentRegistry((event) => this.add(event));
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /** `at`: when it happened, if that was earlier. */
  add(event: NewLiveEvent, at = Date.now()): void {
    // The parts match by construction, but TypeScript cannot join a union with its missing field.
    this.#history.add({ ...event, at } as Parameters<History['add']>[0]);
  }
}
