/** The client side of the data that all agents share: the log of items for several agents, and the list of agents. */
import type { InjectionItem } from '../../port.js';
import type { IdRegister } from './id-register.js';
import { escapeName, unescapeName } from './keys.js';
import { ADD, AGENTS, DEPART, FIND, JOIN, KNOW, RAISE, READ_LOG } from './lua/common.js';
import type { Script } from './lua/script.js';
import { encodeItem } from './record.js';
import { channelOf, type RedisContext } from './redis-context.js';
import { listOf, readReply, type ScriptReply, textOf, textsOf, toChange } from './replies.js';

export interface LogEntry {
  /** The time it was put, in microseconds: its number in the log. */
  readonly number: number;
  readonly isForAll: boolean;
  /** `id`, `h`, `r`, `p`, `m`, `x`, as they were written. */
  readonly fields: readonly string[];
}

export interface LogPage {
  /** The server's time. */
  readonly at: number;
  readonly entries: readonly LogEntry[];
}

export type Added =
  | { readonly kind: 'added'; readonly left: readonly string[] }
  | { readonly kind: 'known' }
  | { readonly kind: 'full'; readonly size: string; readonly holder: string };

/** Number of entries read per call. */
export const LOG_PAGE = 100;

export class CommonSlot {
  readonly #context: RedisContext;
  readonly #register: IdRegister;

  constructor(context: RedisContext, register: IdRegister) {
    this.#context = context;
    this.#register = register;
  }

  async add(item: InjectionItem, names: readonly string[] | undefined, reason: string): Promise<Added> {
    const args = [escapeName(reason), names === undefined ? 'all' : 'list', ...encodeItem(item)];
    const { at, kind, rest } = await this.#run('put', ADD, [...args, ...(names ?? []).map(escapeName)]);
    if (kind === 'full') return { kind, size: textOf(rest[0]), holder: unescapeName(textOf(rest[1])) };
    if (kind === 'known') return { kind };
    const { id, strategy, source } = item;
    const queued = { id, state: 'queued' as const, reason, head: JSON.stringify({ strategy, source }) };
    const [agents, left] = rest.map((list) => textsOf(list).map(unescapeName));
    this.#context.feed.emit(
      (agents ?? []).map((agent) => toChange(agent, at, { ...queued, isShared: true })),
    );
    return { kind: 'added', left: left ?? [] };
  }

  async read(after: number): Promise<LogPage> {
    const { at, rest } = await this.#run('reading', READ_LOG, [String(after), String(LOG_PAGE)]);
    const entries = listOf(rest[0]).map((entry) => {
      const [number, target, ...fields] = textsOf(entry);
      return { number: Number(number), isForAll: target === 'all', fields };
    });
    return { at, entries };
  }

  /** The end of the log. */
  async last(): Promise<number> {
    const { link, keys } = this.#context;
    return Number((await link.call('take', (client) => client.get(`${keys.common}:last`))) ?? 0);
  }

  /** Returns the end of the log at the time the agent joined. */
  async join(agentId: string): Promise<string> {
    return textOf((await this.#run('join', JOIN, [escapeName(agentId)])).rest[0]);
  }

  async depart(agentId: string): Promise<void> {
    await this.#run('leave', DEPART, [escapeName(agentId)]);
  }

  /** Reports the number up to which an agent no longer needs the log. */
  async raise(agentId: string, floor: string): Promise<void> {
    await this.#run('tidying up', RAISE, [escapeName(agentId), floor]);
  }

  async know(agentId: string): Promise<void> {
    await this.#run('put', KNOW, [escapeName(agentId)]);
  }

  async agents(): Promise<Readonly<Record<'joined' | 'gone' | 'known', readonly string[]>>> {
    const { rest } = await this.#run('looking', AGENTS, []);
    const [joined, gone, known] = rest.map((list) => textsOf(list).map(unescapeName));
    return { joined: joined ?? [], gone: gone ?? [], known: known ?? [] };
  }

  /** Whether an item for all agents is queued for agents that join later, or expired before any joined. */
  async find(id: string): Promise<'queued' | 'expired' | 'absent'> {
    // The script returns one of the three.
    return (await this.#run('status', FIND, [escapeName(id)])).kind as 'queued' | 'expired' | 'absent';
  }

  async #run(call: string, script: Script, args: readonly string[]): Promise<ScriptReply> {
    const { link, keys, settings, instance, feed } = this.#context;
    const { retentionMs, maxItems, maxRemembered } = settings;
    const header = [channelOf(this.#context), instance, retentionMs, maxItems, maxRemembered].map(String);
    const reply = readReply(await link.run(call, script, keys.common, [...header, ...args]));
    feed.emit(reply.changes.map((change) => toChange('*', reply.at, change)));
    // If this fails, the keys expire by themselves.
    await Promise.allSettled(textsOf(reply.third).map((id) => this.#register.settle(unescapeName(id))));
    return reply;
  }
}
