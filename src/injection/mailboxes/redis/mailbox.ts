/** The mailbox in Redis: agents on several hosts share it, and each of them gets every item once. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { HookError, show } from '../../../base/errors.js';
import { ChangeFeed } from '../../changes.js';
import { agentName } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { InjectionItem, InjectionState, Lease, Mailbox, NewInjection, TakeRequest } from '../../port.js';
import { AgentSlot } from './agent-slot.js';
import { Arrivals } from './arrivals.js';
import { CommonSlot } from './common-slot.js';
import { connectRedis, type OwnConnection } from './connect.js';
import { ItemPutter } from './enqueue.js';
import { IdRegister } from './id-register.js';
import { inBatches } from './in-batches.js';
import { escapeName, makeKeys } from './keys.js';
import { Leases } from './leases.js';
import { Link, pipelineOf, type RedisClientLike } from './link.js';
import { type RedisMailboxOptions, type RedisSettings, readOptions } from './options.js';
import type { RedisContext } from './redis-context.js';
import { checkVersion, findDoubts } from './server-check.js';
import { findStatus } from './status.js';
import { watchOthers } from './watch.js';

/**
 * A mailbox in Redis, with what it supports beyond `Mailbox`. Every method rejects with a `MailboxUnavailableError`
 * when the server is unavailable, and with a `MailboxError` after `close`.
 */
export interface RedisMailbox extends Mailbox {
  /** Registers an agent; its first `take` does the same. */
  join(agentId: string): Promise<void>;
  /** Removes an agent for good: its queued items fail, and so do later items that name it. */
  leave(agentId: string, reason?: string): Promise<void>;
  /** Returns the agents that have joined. */
  agents(): Promise<readonly string[]>;
  /**
   * Processes expiries for all agents, including inactive ones: expired items and unacknowledged leases are reported.
   */
  sweep(): Promise<void>;
  /** Returns the server settings that could cause the loss of items, one sentence each; ideally none. */
  doubts(): Promise<readonly string[]>;
}

/**
 * Opens a mailbox on a Redis server, for agents on several hosts. Rejects with a `HookError` for invalid options or a
 * server that is too old, and with a `MailboxUnavailableError` for one that is unavailable.
 */
export async function openRedisMailbox(options: RedisMailboxOptions): Promise<RedisMailbox> {
  const settings = readOptions(options);
  const own = options.url === undefined ? undefined : await connectRedis(options.url, settings.timeoutMs);
  const client = own?.client ?? options.client;
  if (client === undefined || !client.isOpen) {
    throw new HookError(
      'invalid_option',
      'client of a mailbox in Redis is not connected; call `connect` first.',
    );
  }
  const mailbox = new InRedis(settings, client, own);
  try {
    await mailbox.begin();
  } catch (error) {
    await mailbox.close();
    throw error;
  }
  return mailbox;
}

class InRedis implements RedisMailbox {
  readonly #context: RedisContext;
  readonly #client: RedisClientLike;
  readonly #own: OwnConnection | undefined;
  readonly #register: IdRegister;
  readonly #common: CommonSlot;
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #leases: Leases;
  readonly #putter: ItemPutter;
  #stopWatching: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(settings: RedisSettings, client: RedisClientLike, own: OwnConnection | undefined) {
    this.#client = client;
    this.#own = own;
    this.#context = {
      link: new Link(client, settings.timeoutMs, settings.waitReplicas),
      keys: makeKeys(settings.prefix),
      settings,
      feed: new ChangeFeed(),
      instance: `${process.pid}@${escapeName(hostname())}-${randomBytes(6).toString('hex')}`,
    };
    this.#register = new IdRegister(this.#context);
    this.#common = new CommonSlot(this.#context, this.#register);
    this.#slot = new AgentSlot(this.#context, this.#register, this.#common);
    this.#arrivals = new Arrivals(this.#slot, this.#common, settings.retentionMs);
    this.#putter = new ItemPutter(this.#context, this.#register, this.#common, this.#slot, this.#arrivals);
    this.#leases = new Leases(this.#slot, this.#arrivals);
  }

  async begin(): Promise<void> {
    if (this.#context.settings.waitReplicas > 0) pipelineOf(this.#client);
    await checkVersion(this.#context);
    if (this.#context.settings.watch) this.#stopWatching = await watchOthers(this.#client, this.#context);
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    this.#mustBeOpen('put');
    return this.#putter.put(given);
  }

  async take({ agentId, toolNames, limit = Number.POSITIVE_INFINITY }: TakeRequest): Promise<Lease> {
    this.#mustBeOpen('take');
    if (limit !== Number.POSITIVE_INFINITY && (!Number.isInteger(limit) || limit < 0)) {
      const message = `limit of a mailbox is ${show(limit)}; give a whole number of at least 0.`;
      throw new HookError('invalid_option', message);
    }
    const agent = this.#arrivals.memoryOf(checkAgent(agentId));
    return this.#leases.take(agent, toolNames, limit);
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    this.#mustBeOpen('pending');
    return this.#leases.pending(this.#arrivals.memoryOf(checkAgent(agentId)));
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    this.#mustBeOpen('carryOver');
    return this.#leases.carryOver(this.#arrivals.memoryOf(checkAgent(agentId)));
  }

  async status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined> {
    this.#mustBeOpen('status');
    return findStatus(id, this.#register, this.#common, this.#slot, this.#arrivals);
  }

  onChange(listener: Parameters<Mailbox['onChange']>[0]): () => void {
    return this.#context.feed.add(listener);
  }

  async join(agentId: string): Promise<void> {
    this.#mustBeOpen('join');
    const agent = this.#arrivals.memoryOf(checkAgent(agentId));
    await this.#arrivals.join(agent);
    await this.#arrivals.fetch(agent);
  }

  async leave(agentId: string, reason = `the agent ${agentId} has left`): Promise<void> {
    this.#mustBeOpen('leave');
    const agent = this.#arrivals.memoryOf(checkAgent(agentId));
    await this.#arrivals.fetch(agent);
    await this.#slot.leave(agent, reason);
    await this.#common.depart(agentId);
  }

  async agents(): Promise<readonly string[]> {
    this.#mustBeOpen('agents');
    return (await this.#common.agents()).joined.toSorted();
  }

  async sweep(): Promise<void> {
    this.#mustBeOpen('sweep');
    await inBatches((await this.#common.agents()).known, async (agentId) => {
      const agent = this.#arrivals.memoryOf(agentId);
      await this.#arrivals.fetch(agent);
      await this.#slot.state(agent);
    });
  }

  async doubts(): Promise<readonly string[]> {
    this.#mustBeOpen('doubts');
    return findDoubts(this.#context);
  }

  /** Other processes can still use the mailbox. Open leases can still be acknowledged or released. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopWatching();
    const own = this.#own;
    if (own === undefined) return;
    if (this.#leases.open === 0) return own.end();
    own.unref();
    void this.#leases.whenDone(this.#context.settings.leaseMs).then(() => own.end());
  }

  #mustBeOpen(call: string): void {
    if (this.#closing === undefined) return;
    throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
  }
}

function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent's name is ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
