/** Puts items where they belong: one agent's into what is kept for it, those for several into the log. */
import { show } from '../../../base/errors.js';
import { completeItem, targetsOf } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { InjectionItem, NewInjection } from '../../port.js';
import type { AgentSlot } from './agent-slot.js';
import type { Arrivals } from './arrivals.js';
import type { CommonSlot } from './common-slot.js';
import type { IdRegister } from './id-register.js';
import { inBatches } from './in-batches.js';
import type { Ground } from './redis-context.js';
import { MailboxUnavailableError } from './unavailable-error.js';

/** Of more agents than this we forget that the others know of them, and say it again. */
const MAX_KNOWN = 10_000;

export class Putting {
  readonly #ground: Ground;
  readonly #register: IdRegister;
  readonly #common: CommonSlot;
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #known = new Set<string>();

  constructor(ground: Ground, register: IdRegister, common: CommonSlot, slot: AgentSlot, arrivals: Arrivals) {
    this.#ground = ground;
    this.#register = register;
    this.#common = common;
    this.#slot = slot;
    this.#arrivals = arrivals;
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    const { item, cutFrom } = completeItem(given, this.#ground.settings.maxContentLength);
    const reason = cutFrom === undefined ? '' : `cut from ${cutFrom} characters`;
    if (given.id === undefined) {
      // An id that was drawn a moment ago is nobody else's, so nothing has to be waited for.
      await Promise.all([this.#register.add(item), this.#place(item, reason)]);
      return item;
    }
    if ((await this.#register.add(item)) === 'other') {
      throw new MailboxError(
        'duplicate',
        `An item with the id ${show(item.id)} is already known, with other content. Give it an id of its own, or none.`,
      );
    }
    await this.#place(item, reason);
    return item;
  }

  /** What is not there must not keep its id from being used. */
  async #place(item: InjectionItem, reason: string): Promise<void> {
    try {
      const refused = await this.#placeWhereItBelongs(item, reason);
      if (refused === undefined) return;
      throw new MailboxError(
        'full',
        `The mailbox is full: ${refused} Put it again later, or raise \`maxItems\`.`,
      );
    } catch (error) {
      const isOut =
        error instanceof MailboxError || (error instanceof MailboxUnavailableError && error.outOfMemory);
      if (isOut) await Promise.allSettled([this.#register.remove(item.id)]);
      throw error;
    }
  }

  /** Why there is no room, if there is none. */
  async #placeWhereItBelongs(item: InjectionItem, reason: string): Promise<string | undefined> {
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
    const { maxItems } = this.#ground.settings;
    return `${answer} items are on their way to ${show(agentId)}, at most ${maxItems} may be.`;
  }

  async #placeForSeveral(
    targets: readonly string[] | undefined,
    item: InjectionItem,
    reason: string,
  ): Promise<string | undefined> {
    const answer = await this.#common.add(item, targets, reason);
    if (answer.kind === 'full') {
      const who = answer.holder === '' ? 'no agent is there' : `${show(answer.holder)} is furthest behind`;
      return `${answer.size} items for several agents are on their way, at most ${this.#ground.settings.maxItems} may be; ${who}.`;
    }
    if (answer.kind === 'added') {
      await inBatches(answer.left, (agentId) => this.#arrivals.fetch(this.#arrivals.memoryOf(agentId)));
    }
    return undefined;
  }
}
