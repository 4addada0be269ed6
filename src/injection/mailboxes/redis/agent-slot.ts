/** The client side of one agent's data on the server. Reports the changes of each call and cleans up after it. */
import type { InjectionItem, InjectionState } from '../../port.js';
import type { CommonSlot } from './common-slot.js';
import type { IdRegister } from './id-register.js';
import { escapeName, unescapeName } from './keys.js';
import { ENDED_STATES, FIELDS } from './lua/agent.js';
import { ENTER, IMPORT, LEAVE, PLACE, POSITION } from './lua/arrivals.js';
import { END, LIST, READ_ENTRIES, RELEASE, STATES, TAKE } from './lua/leases.js';
import type { Script } from './lua/script.js';
import { decodeItem, encodeItem } from './record.js';
import { channelOf, type RedisContext } from './redis-context.js';
import { type NotedChange, readReply, type ScriptReply, textOf, textsOf, toChange } from './replies.js';

/** How far an agent has read the log: entries that name it, and entries for all; empty before it has joined. */
export interface LogPosition {
  readonly named: string;
  readonly all: string;
  readonly hasLeft: boolean;
}

export interface TakenEntry {
  /** As it is stored. */
  readonly id: string;
  /** What the script that ends it needs to know. */
  readonly head: string;
  readonly expiry: string;
  readonly number: string;
  readonly item: InjectionItem | undefined;
}

export interface Waiting {
  readonly rank: number;
  readonly order: number;
  /** As it is stored. */
  readonly id: string;
}

export type Taken =
  /** The lease is named by the time at which it expires. */
  | { readonly kind: 'taken'; readonly lease: string; readonly entries: readonly TakenEntry[] }
  | { readonly kind: 'judge'; readonly matchers: readonly string[] }
  | { readonly kind: 'left' };

/** One agent, the floor last reported for it, when its data was last renewed, and whether it certainly had items. */
export interface AgentMemory {
  readonly agentId: string;
  position: LogPosition | undefined;
  floor: string;
  renewedAt: number;
  hadItems: boolean;
}

export class AgentSlot {
  readonly #context: RedisContext;
  readonly #register: IdRegister;
  readonly #common: CommonSlot;

  constructor(context: RedisContext, register: IdRegister, common: CommonSlot) {
    this.#context = context;
    this.#register = register;
    this.#common = common;
  }

  async place(agent: AgentMemory, item: InjectionItem, reason: string): Promise<'placed' | 'known' | number> {
    const args = [String(this.#context.settings.maxItems), escapeName(reason), ...encodeItem(item)];
    const { kind, rest } = await this.#run(agent, 'put', PLACE, args);
    agent.hadItems = true;
    // The script returns `placed`, `known`, or `full` with the number of items.
    return kind === 'full' ? Number(textOf(rest[0])) : (kind as 'placed' | 'known');
  }

  /** False if the agent's position differs from the expected one; the actual one is stored. */
  async importEntries(
    agent: AgentMemory,
    from: LogPosition,
    to: LogPosition,
    entries: readonly (readonly string[])[],
  ): Promise<boolean> {
    const args = [from.named, from.all, from.hasLeft ? '1' : '', to.named, to.all, ...entries.flat()];
    const { kind, rest } = await this.#run(agent, 'take', IMPORT, args);
    agent.position = kind === 'imported' ? to : readPosition(rest);
    return kind === 'imported';
  }

  async enter(agent: AgentMemory, joinedAt: string): Promise<LogPosition> {
    const { rest } = await this.#run(agent, 'join', ENTER, [joinedAt]);
    agent.position = readPosition(rest);
    // An agent that joins is assumed to need the whole log.
    agent.floor = '';
    return agent.position;
  }

  /** False if there is nothing to take, and the agent has not left. After a call that left items here, it is not asked again. */
  async hasItems({ agentId, hadItems }: AgentMemory): Promise<boolean> {
    if (hadItems) return true;
    const { link, keys } = this.#context;
    const key = keys.agent(agentId);
    return (await link.call('take', (client) => client.exists([`${key}:items`, `${key}:left`]))) > 0;
  }

  async position(agent: AgentMemory): Promise<LogPosition> {
    agent.position ??= readPosition((await this.#run(agent, 'reading the position', POSITION, [])).rest);
    return agent.position;
  }

  async leave(agent: AgentMemory, reason: string): Promise<void> {
    await this.#run(agent, 'leave', LEAVE, [escapeName(reason)]);
    agent.position = undefined;
  }

  /** Without `judged`, matchers are ignored. */
  async take(agent: AgentMemory, limit: number, judged?: ReadonlyMap<string, boolean>): Promise<Taken> {
    const { leaseMs } = this.#context.settings;
    const judgements = [...(judged ?? [])].flatMap(([matcher, fits]) => [
      escapeName(matcher),
      fits ? '1' : '0',
    ]);
    const scope = judged === undefined ? 'all' : 'some';
    const args = [String(leaseMs), String(limit), scope, ...judgements];
    const { kind, rest } = await this.#run(agent, 'take', TAKE, args);
    if (kind === 'left') return { kind };
    if (kind === 'judge') return { kind, matchers: rest.map((matcher) => unescapeName(textOf(matcher))) };
    const entries = readEntries(rest[1]);
    agent.hadItems = entries.length === limit;
    return { kind: 'taken', lease: textOf(rest[0]), entries };
  }

  /** Returns the entries that were ended: an expired lease holds none. */
  async end(
    agent: AgentMemory,
    lease: string,
    entries: readonly TakenEntry[],
    state: Exclude<InjectionState, 'queued'>,
    reason = '',
  ): Promise<readonly NotedChange[]> {
    const call = state === 'delivered' ? 'acknowledge' : 'carryOver';
    const { maxRemembered } = this.#context.settings;
    const isPlain = entries.every(({ expiry, number }) => expiry === '' && number === '');
    const items = entries.flatMap(({ id, head, expiry, number }) =>
      isPlain ? [id, head] : [id, head, expiry, number],
    );
    const tolerated = maxRemembered + Math.floor(maxRemembered / 16);
    const args = [lease, state, escapeName(reason), isPlain ? 'plain' : '', String(tolerated), ...items];
    return (await this.#run(agent, call, END, args)).changes;
  }

  async release(agent: AgentMemory, lease: string, entries: readonly TakenEntry[]): Promise<void> {
    await this.#run(agent, 'release', RELEASE, [lease, ...entries.map(({ id }) => id)]);
    agent.hadItems = true;
  }

  /** The state of an item; undefined if it is unknown. Without an id, only expiries are processed. */
  async state(agent: AgentMemory, id?: string): Promise<InjectionState | undefined> {
    const { rest } = await this.#run(agent, 'status', STATES, id === undefined ? [] : [escapeName(id)]);
    const state = textOf(rest[0]);
    if (state === 'queued') return state;
    return state === '' ? undefined : ENDED_STATES[Number(state)];
  }

  async list(agent: AgentMemory): Promise<readonly Waiting[]> {
    const found = textsOf((await this.#run(agent, 'pending', LIST, [])).rest[0]);
    return found.flatMap((member, i) => {
      if (i % 2 === 1) return [];
      const [order, id = ''] = member.split(' ');
      return [{ rank: Number(found[i + 1]), order: Number(order), id }];
    });
  }

  async read(agent: AgentMemory, ids: readonly string[]): Promise<ReadonlyMap<string, InjectionItem>> {
    const { rest } = await this.#run(agent, 'pending', READ_ENTRIES, ids);
    const found = readEntries(rest[0]);
    return new Map(found.flatMap(({ id, item }) => (item === undefined ? [] : [[id, item] as const])));
  }

  async #run(
    agent: AgentMemory,
    call: string,
    script: Script,
    args: readonly string[],
  ): Promise<ScriptReply> {
    const { link, keys, settings, instance, feed } = this.#context;
    const { agentId } = agent;
    const { retentionMs, rememberMs, maxRemembered } = settings;
    const given = [
      channelOf(this.#context),
      `${instance} ${escapeName(agentId)}`,
      `${retentionMs} ${rememberMs} ${maxRemembered}`,
      ...args,
    ];
    for (;;) {
      const reply = readReply(await link.run(call, script, keys.agent(agentId), given));
      feed.emit(reply.changes.map((change) => toChange(agentId, reply.at, change)));
      await this.#tidyUp(agent, reply);
      if (reply.kind !== 'again') return reply;
    }
  }

  /** If this fails, the next call does it, or the keys expire: nothing depends on it. */
  async #tidyUp(agent: AgentMemory, { changes, third }: ScriptReply): Promise<void> {
    const ended = changes.filter(({ state, isShared }) => state !== 'queued' && !isShared);
    const tasks = ended.map(({ id }) => this.#register.settle(id));
    const floor = textOf(third);
    if (floor !== '' && floor !== agent.floor) {
      agent.floor = floor;
      const raised = this.#common.raise(agent.agentId, floor);
      tasks.push(
        raised.catch(() => {
          agent.floor = '';
        }),
      );
    }
    if (tasks.length > 0) await Promise.allSettled(tasks);
  }
}

function readPosition([named, all, left]: ScriptReply['rest']): LogPosition {
  return { named: textOf(named), all: textOf(all), hasLeft: textOf(left) === '1' };
}

/** Each text follows its id. */
function readEntries(reply: ScriptReply['rest'][number] | undefined): readonly TakenEntry[] {
  const list = textsOf(reply);
  return list.flatMap((id, i) => (i % 2 === 0 ? [readEntry(id, list[i + 1] ?? '')] : []));
}

function readEntry(id: string, text: string): TakenEntry {
  const lines = text.split('\n');
  // As the scripts do for what is not an item.
  const isItem = lines.length >= FIELDS.length;
  const field = (name: (typeof FIELDS)[number]): string => (isItem && lines[FIELDS.indexOf(name)]) || '';
  const head = field('head');
  return {
    id,
    head,
    expiry: field('expiry'),
    number: field('number'),
    item: decodeItem(id, head, field('rest')),
  };
}
