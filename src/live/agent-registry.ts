/** Who is who: agents by their name, their session, the call that started them; and the turn that each of them is in. */
import { rowOf } from '../events/registry.js';
import { MAIN_AGENT } from '../injection/hooks/built-in.js';
import type { NewLiveEvent } from './events.js';
import type { BegunFire } from './observe-fires.js';
import { cut, MAX_LENGTHS } from './show.js';

interface Known {
  address: string;
  label: string;
  detail: string | undefined;
  turn: number;
  /** What the prompt of the turn is known by. */
  promptId: string | undefined;
  begun: boolean;
  /** What it was started for, until its first turn. */
  task: string | undefined;
}

export interface StartedAgent {
  readonly session: string;
  /** The call that started it. */
  readonly toolUseId: string;
  readonly kind: string;
  readonly task: string;
}

/** Of more agents or sessions than these the oldest are forgotten; they become new when they come back. */
const MAX_AGENTS = 1000;

export class Roster {
  readonly #tell: (event: NewLiveEvent) => void;
  readonly #agents = new Map<string, Known>();
  readonly #byAddress = new Map<string, string>();
  readonly #bySession = new Map<string, string>();
  readonly #byToolUse = new Map<string, string>();

  constructor(tell: (event: NewLiveEvent) => void) {
    this.#tell = tell;
  }

  /** Makes an agent known; what is said again is told once. */
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
    this.#tell({
      type: 'agent',
      agent,
      address: now.address,
      label: cut(now.label, MAX_LENGTHS.name),
      ...(now.detail !== undefined && { detail: cut(now.detail, MAX_LENGTHS.name) }),
    });
  }

  /** Whose fire it is. A subagent says its own id; what it is called elsewhere is its address. */
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

  /** Whose session it is; the one agent that need not have a name, where nobody has said. */
  ofSession(session: string): string {
    return this.#bySession.get(session) ?? MAIN_AGENT;
  }

  /** The agent of a run, whose other messages name only the session. */
  joinSession(session: string, agent: string): void {
    this.meet(agent);
    keep(this.#bySession, session, agent);
  }

  ofAddress(address: string): string | undefined {
    return this.#byAddress.get(address);
  }

  /** Who was started by a call; sessions may give their calls the same ids. */
  ofToolUse(session: string, id: string): string | undefined {
    return this.#byToolUse.get(`${session}\n${id}`);
  }

  /** An agent that another one starts. Its first fire may have been seen before this is. */
  start(agent: string, { session, toolUseId, kind, task }: StartedAgent): void {
    keep(this.#byToolUse, `${session}\n${toolUseId}`, agent);
    this.meet(agent, { label: nameOf(this.#agents.get(agent)?.address ?? agent, agent, kind) });
    const known = this.#agents.get(agent) as Known;
    if (known.turn === 0) known.task = task;
    else this.#tellTurn(agent, known.turn, task);
  }

  /** The turn that a fire belongs to: another prompt is another turn. */
  turnOfFire(agent: string, { event, input }: BegunFire): number {
    const promptId = textOf(input['prompt_id']);
    const isPrompt = rowOf(event).blocks === 'prompt';
    const known = this.#agents.get(agent);
    const isSame = promptId === undefined ? !isPrompt : promptId === known?.promptId;
    if (isSame) return this.turnOf(agent);
    return this.beginTurn(agent, isPrompt ? textOf(input['prompt']) : undefined, promptId);
  }

  /** The turn that an agent is in; the first thing that is known of it opens turn 0. */
  turnOf(agent: string): number {
    this.meet(agent);
    const known = this.#agents.get(agent) as Known;
    if (!known.begun) {
      known.begun = true;
      this.#tellTurn(agent, known.turn, undefined);
    }
    return known.turn;
  }

  beginTurn(agent: string, prompt?: string, promptId?: string): number {
    this.meet(agent);
    const known = this.#agents.get(agent) as Known;
    known.turn += 1;
    known.promptId = promptId;
    known.begun = true;
    this.#tellTurn(agent, known.turn, prompt ?? known.task);
    known.task = undefined;
    return known.turn;
  }

  #tellTurn(agent: string, turn: number, prompt: string | undefined): void {
    const asked = prompt === undefined ? {} : { prompt: cut(prompt, MAX_LENGTHS.text) };
    this.#tell({ type: 'turn', agent, turn, ...asked });
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

/** A member of a team has a name; of others the kind says more than the id. */
const nameOf = (address: string, id: string, kind: string): string =>
  address === id ? `${kind} ${id.slice(0, 5)}` : address;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
