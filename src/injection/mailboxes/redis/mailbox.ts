/** The mailbox in Redis: agents on several hosts share it, and each of them is handed every item once. */
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
import { Putting } from './enqueue.js';
import { IdRegister } from './id-register.js';
import { inBatches } from './in-batches.js';
import { escapeName, makeKeys } from './keys.js';
import { HandingOver } from './leases.js';
import { Link, type RedisClientLike } from './link.js';
import { type RedisMailboxOptions, type RedisSettings, readOptions } from './options.js';
import type { Ground } from './redis-context.js';
import { checkVersion, findDoubts } from './server-check.js';
import { findStatus } from './status.js';
import { watchOthers } from './watch.js';

/**
 * What a mailbox in Redis can do beside what every mailbox can. All of it rejects with a `MailboxUnavailableError` when the
 * server cannot be reached, and with a `MailboxError` after `close`.
 */
export interface RedisMailbox extends Mailbox {
  /** Makes an agent known; its first `take` does the same. */
  join(agentId: string): Promise<void>;
  /** An agent will not come back: what waits for it has failed, and so will what is put for it by name. */
  leave(agentId: string, reason?: string): Promise<void>;
  /** The agents that are there. */
  agents(): Promise<readonly string[]>;
  /** Looks at the time for all agents, also those that nobody serves: what has expired or was never acknowledged is said. */
  sweep(): Promise<void>;
  /** What about the server puts items at risk, each in a sentence; none is best. */
  doubts(): Promise<readonly string[]>;
}

/**
 * A mailbox on a Redis server, for agents on several hosts. Rejects with a `HookError` for options that cannot be
 * used and for a server that is too old, with a `MailboxUnavailableError` for one that cannot be reached.
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
  readonly #ground: Ground;
  readonly #client: RedisClientLike;
  readonly #own: OwnConnection | undefined;
  readonly #register: IdRegister;
  readonly #common: CommonSlot;
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #handingOver: HandingOver;
  readonly #putting: Putting;
  #stopWatching: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(settings: RedisSettings, client: RedisClientLike, own: OwnConnection | undefined) {
    this.#client = client;
    this.#own = own;
    this.#ground = {
      link: new Link(client, settings.timeoutMs),
      keys: makeKeys(settings.prefix),
      settings,
      feed: new ChangeFeed(),
      instance: `${process.pid}@${escapeName(hostname())}-${randomBytes(6).toString('hex')}`,
    };
    this.#register = new IdRegister(this.#ground);
    this.#common = new CommonSlot(this.#ground, this.#register);
    this.#slot = new AgentSlot(this.#ground, this.#register, this.#common);
    this.#arrivals = new Arrivals(this.#slot, this.#common, settings.retentionMs);
    this.#putting = new Putting(this.#ground, this.#register, this.#common, this.#slot, this.#arrivals);
    this.#handingOver = new HandingOver(this.#slot, this.#arrivals);
  }

  async begin(): Promise<void> {
    await checkVersion(this.#ground);
    if (this.#ground.settings.watch) this.#stopWatching = await watchOthers(this.#client, this.#ground);
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    this.#mustBeOpen('put');
    return this.#putting.put(given);
  }

  async take({ agentId, toolNames, limit = Number.POSITIVE_INFINITY }: TakeRequest): Promise<Lease> {
    this.#mustBeOpen('take');
    if (limit !== Number.POSITIVE_INFINITY && (!Number.isInteger(limit) || limit < 0)) {
      const message = `limit of a mailbox is ${show(limit)}; give a whole number from 0 on.`;
      throw new HookError('invalid_option', message);
    }
    const agent = this.#arrivals.memoryOf(checkAgent(agentId));
    return this.#handingOver.take(agent, toolNames, limit);
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    this.#mustBeOpen('pending');
    return this.#handingOver.pending(this.#arrivals.memoryOf(checkAgent(agentId)));
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    this.#mustBeOpen('carryOver');
    return this.#handingOver.carryOver(this.#arrivals.memoryOf(checkAgent(agentId)));
  }

  async status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined> {
    this.#mustBeOpen('status');
    return findStatus(id, this.#register, this.#common, this.#slot, this.#arrivals);
  }

  onChange(listener: Parameters<Mailbox['onChange']>[0]): () => void {
    return this.#ground.feed.add(listener);
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
    return findDoubts(this.#ground);
  }

  /** Others go on with the mailbox. What is being sent can still be acknowledged or given back. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopWatching();
    const own = this.#own;
    if (own === undefined) return;
    if (this.#handingOver.open === 0) return own.end();
    own.letGo();
    void this.#handingOver.whenDone(this.#ground.settings.leaseMs).then(() => own.end());
  }

  #mustBeOpen(call: string): void {
    if (this.#closing === undefined) return;
    throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
  }
}

function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent is called ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
