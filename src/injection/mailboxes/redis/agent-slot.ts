/** The client side of one agent's data on the server. Reports the changes of each call and cleans up after it. */
import type { InjectionItem, InjectionState } from '../../port.js';
import type { CommonSlot } from './common-slot.js';
import type { IdRegister } from './id-register.js';
import { escapeName, unescapeName } from './keys.js';
import { FIELDS } from './lua/agent.js';
import { ENTER, IMPORT, LEAVE, PLACE, POSITION } from './lua/arrivals.js';
import { END, LIST, READ_ENTRIES, RELEASE, STATES, TAKE } from './lua/leases.js';
import type { Script } from './lua/script.js';
import { decodeItem, encodeItem } from './record.js';
import { channelOf, type RedisContext } from './redis-context.js';
import {
  listOf,
  type NotedChange,
  readReply,
  type ScriptReply,
  textOf,
  textsOf,
  toChange,
} from './replies.js';

/** How far an agent has read the log: entries that name it, and entries for all; empty before it has joined. */
export interface LogPosition {
  readonly named: string;
  readonly all: string;
  readonly hasLeft: boolean;
}

export interface TakenEntry {
  readonly entry: string;
  /** What the script that ends it needs, in its order. */
  readonly record: readonly string[];
  readonly item: InjectionItem | undefined;
}

export interface Waiting {
  readonly rank: number;
  readonly order: number;
  readonly entry: string;
}

export type Taken =
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
  /** Each lease has a name of its own. */
  #leases = 0;

  constructor(context: RedisContext, register: IdRegister, common: CommonSlot) {
    this.#context = context;
    this.#register = register;
    this.#common = common;
  }

  async place(agent: AgentMemory, item: InjectionItem, reason: string): Promise<'placed' | 'known' | number> {
    const args = [String(this.#context.settings.maxItems), reason, ...encodeItem(item)];
    const { kind, rest } = await this.#run(agent, 'put', PLACE, args);
    agent.hadItems = true;
    // The script returns `placed`, `known`, or `full` with the number of items.
    return kind === 'full' ? Number(textOf(rest[0])) : (kind as 'placed' | 'known');
  }

  /** False if the agent's position differs from the expected one; the actual one is stored. */
  async import(
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
    await this.#run(agent, 'leave', LEAVE, [reason]);
    agent.position = undefined;
  }

  /** Without `judged`, matchers are ignored. */
  async take(agent: AgentMemory, limit: number, judged?: ReadonlyMap<string, boolean>): Promise<Taken> {
    const { instance, settings } = this.#context;
    const { leaseMs } = settings;
    const judgements = [...(judged ?? [])].flatMap(([matcher, fits]) => [
      escapeName(matcher),
      fits ? '1' : '0',
    ]);
    const lease = `${instance}-${(this.#leases++).toString(36)}`;
    const scope = judged === undefined ? 'all' : 'some';
    const args = [String(leaseMs), String(limit), scope, lease, ...judgements];
    const { kind, rest } = await this.#run(agent, 'take', TAKE, args);
    if (kind === 'left') return { kind };
    if (kind === 'judge') return { kind, matchers: rest.map((matcher) => unescapeName(textOf(matcher))) };
    const entries = listOf(rest[0]).map(readEntry);
    agent.hadItems = entries.length === limit;
    return { kind: 'taken', lease, entries };
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
    const args = [lease, state, reason, ...entries.flatMap(({ record }) => record)];
    return (await this.#run(agent, call, END, args)).changes;
  }

  async release(agent: AgentMemory, lease: string, entries: readonly TakenEntry[]): Promise<void> {
    await this.#run(agent, 'release', RELEASE, [lease, ...entries.map(({ entry }) => entry)]);
    agent.hadItems = true;
  }

  /** The state of an item; undefined if it is unknown. Without an id, only expiries are processed. */
  async state(agent: AgentMemory, id?: string): Promise<InjectionState | undefined> {
    const { rest } = await this.#run(agent, 'status', STATES, id === undefined ? [] : [escapeName(id)]);
    const state = textOf(rest[0]);
    // The scripts return no other values.
    return state === '' ? undefined : (state as InjectionState);
  }

  async list(agent: AgentMemory): Promise<readonly Waiting[]> {
    const found = textsOf((await this.#run(agent, 'pending', LIST, [])).rest[0]);
    return found.flatMap((member, i) => {
      if (i % 2 === 1) return [];
      const [order, entry = ''] = member.split(' ');
      return [{ rank: Number(found[i + 1]), order: Number(order), entry }];
    });
  }

  async read(agent: AgentMemory, entries: readonly string[]): Promise<ReadonlyMap<string, InjectionItem>> {
    const { rest } = await this.#run(agent, 'pending', READ_ENTRIES, entries);
    const found = listOf(rest[0]).map(readEntry);
    return new Map(found.flatMap(({ entry, item }) => (item === undefined ? [] : [[entry, item] as const])));
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
    const header = [
      channelOf(this.#context),
      instance,
      escapeName(agentId),
      retentionMs,
      rememberMs,
      maxRemembered,
    ];
    const given = [...header.map(String), ...args];
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

function readEntry(reply: ScriptReply['rest'][number]): TakenEntry {
  const [entry = '', text = ''] = textsOf(reply);
  const lines = text.split('\n');
  const field = (name: (typeof FIELDS)[number]): string => lines[FIELDS.indexOf(name)] ?? '';
  // As the scripts do for what is not an item.
  const isItem = lines.length >= FIELDS.length;
  const record = isItem
    ? [field('expiry'), field('number'), field('id'), field('head')]
    : ['', '', entry, ''];
  return {
    entry,
    record: [entry, ...record],
    item: decodeItem(field('id'), field('head'), field('rest')),
  };
}
