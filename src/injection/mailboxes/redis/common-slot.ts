/** What all agents share, from our side: the log of items for several of them, and who is there. */
import type { InjectionItem } from '../../port.js';
import type { IdRegister } from './id-register.js';
import { escapeName, unescapeName } from './keys.js';
import { ADD, AGENTS, DEPART, FIND, JOIN, KNOW, RAISE, READ_LOG } from './lua/common.js';
import type { Script } from './lua/script.js';
import { encodeItem } from './record.js';
import { channelOf, type Ground } from './redis-context.js';
import { listOf, readReply, type ScriptReply, textOf, textsOf, toChange } from './replies.js';

export interface LogEntry {
  /** When it was put, in microseconds: its number in the log. */
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

/** So many entries are fetched at a time. */
export const LOG_PAGE = 100;

export class CommonSlot {
  readonly #ground: Ground;
  readonly #register: IdRegister;

  constructor(ground: Ground, register: IdRegister) {
    this.#ground = ground;
    this.#register = register;
  }

  async add(item: InjectionItem, names: readonly string[] | undefined, reason: string): Promise<Added> {
    const args = [reason, names === undefined ? 'all' : 'list', ...encodeItem(item)];
    const { at, kind, rest } = await this.#run('put', ADD, [...args, ...(names ?? []).map(escapeName)]);
    if (kind === 'full') return { kind, size: textOf(rest[0]), holder: unescapeName(textOf(rest[1])) };
    if (kind === 'known') return { kind };
    const { id, strategy, source } = item;
    const queued = { id, state: 'queued' as const, reason, head: JSON.stringify({ strategy, source }) };
    const [agents, left] = rest.map((list) => textsOf(list).map(unescapeName));
    this.#ground.feed.tell((agents ?? []).map((agent) => toChange(agent, at, { ...queued, isShared: true })));
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

  /** How far the log was when the agent came. */
  async join(agentId: string): Promise<string> {
    return textOf((await this.#run('join', JOIN, [escapeName(agentId)])).rest[0]);
  }

  async depart(agentId: string): Promise<void> {
    await this.#run('leave', DEPART, [escapeName(agentId)]);
  }

  /** Up to which number an agent needs nothing of the log any more. */
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

  /** Whether an item for all waits for whoever comes, or has expired before anybody came. */
  async find(id: string): Promise<'queued' | 'expired' | 'absent'> {
    // The script answers one of the three.
    return (await this.#run('status', FIND, [escapeName(id)])).kind as 'queued' | 'expired' | 'absent';
  }

  async #run(call: string, script: Script, args: readonly string[]): Promise<ScriptReply> {
    const { link, keys, settings, instance, feed } = this.#ground;
    const { retentionMs, maxItems, maxRemembered } = settings;
    const header = [channelOf(this.#ground), instance, retentionMs, maxItems, maxRemembered].map(String);
    const reply = readReply(await link.run(call, script, keys.common, [...header, ...args]));
    feed.tell(reply.changes.map((change) => toChange('*', reply.at, change)));
    // What is not done now vanishes by itself later.
    await Promise.allSettled(textsOf(reply.third).map((id) => this.#register.settle(unescapeName(id))));
    return reply;
  }
}
