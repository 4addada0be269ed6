/** Puts items where they belong: those for one agent into its own data, those for several into the log. */
import { show } from '../../../base/errors.js';
import { completeItem, targetsOf } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { InjectionItem, NewInjection } from '../../port.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import type { AgentSlot } from './agent-slot.js';
import type { Arrivals } from './arrivals.js';
import type { CommonSlot } from './common-slot.js';
import type { IdRegister } from './id-register.js';
import { inBatches } from './in-batches.js';
import type { RedisContext } from './redis-context.js';

/** Beyond this number the cache is cleared, and agents are registered again. */
const MAX_KNOWN = 10_000;

export class ItemPutter {
  readonly #context: RedisContext;
  readonly #register: IdRegister;
  readonly #common: CommonSlot;
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #known = new Set<string>();

  constructor(
    context: RedisContext,
    register: IdRegister,
    common: CommonSlot,
    slot: AgentSlot,
    arrivals: Arrivals,
  ) {
    this.#context = context;
    this.#register = register;
    this.#common = common;
    this.#slot = slot;
    this.#arrivals = arrivals;
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    const { item, cutFrom } = completeItem(given, this.#context.settings.maxContentLength);
    const reason = cutFrom === undefined ? '' : `cut from ${cutFrom} characters`;
    if (given.id === undefined) {
      // A freshly generated id is unique, so both calls can run in parallel.
      await Promise.all([this.#register.addNew(item), this.#place(item, reason)]);
      return item;
    }
    if ((await this.#register.add(item)) === 'other') {
      throw new MailboxError(
        'duplicate',
        `An item with the id ${show(item.id)} already exists with different content. Give it a unique id, or none.`,
      );
    }
    await this.#place(item, reason);
    return item;
  }

  /** If the item was not put, its id is freed again. */
  async #place(item: InjectionItem, reason: string): Promise<void> {
    try {
      const refused = await this.#placeItem(item, reason);
      if (refused === undefined) return;
      throw new MailboxError('full', `The mailbox is full: ${refused} Retry later, or raise \`maxItems\`.`);
    } catch (error) {
      const isOut =
        error instanceof MailboxError || (error instanceof MailboxUnavailableError && error.outOfMemory);
      if (isOut) await Promise.allSettled([this.#register.remove(item.id)]);
      throw error;
    }
  }

  /** Returns why the mailbox is full, if it is. */
  async #placeItem(item: InjectionItem, reason: string): Promise<string | undefined> {
    const targets = targetsOf(item);
    const [only, ...others] = targets ?? [];
    return only !== undefined && others.length === 0
      ? this.#placeFor(only, item, reason)
      : this.#placeForSeveral(targets, item, reason);
  }

  async #placeFor(agentId: string, item: InjectionItem, reason: string): Promise<string | undefined> {
    if (!this.#known.has(agentId)) {
      await this.#common.know(agentId);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.add(agentId);
    }
    const answer = await this.#slot.place(this.#arrivals.memoryOf(agentId), item, reason);
    if (typeof answer !== 'number') return undefined;
    const { maxItems } = this.#context.settings;
    return `there are ${answer} undelivered items for ${show(agentId)}, and the limit is ${maxItems}.`;
  }

  async #placeForSeveral(
    targets: readonly string[] | undefined,
    item: InjectionItem,
    reason: string,
  ): Promise<string | undefined> {
    const answer = await this.#common.add(item, targets, reason);
    if (answer.kind === 'full') {
      const who = answer.holder === '' ? 'no agent has joined' : `${show(answer.holder)} is furthest behind`;
      return `there are ${answer.size} undelivered items for several agents, and the limit is ${this.#context.settings.maxItems}; ${who}.`;
    }
    if (answer.kind === 'added') {
      await inBatches(answer.left, (agentId) => this.#arrivals.fetch(this.#arrivals.memoryOf(agentId)));
    }
    return undefined;
  }
}
