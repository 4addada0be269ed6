/** Delivers queued items as injections of the hook outcome, for loops that apply outcomes but do not use a mailbox. */

import type { Disposer } from '../../config/types.js';
import type { HookEvent, HookOutput } from '../../events/types.js';
import { createFramer, type FrameOptions } from '../frame.js';
import type { Lease, Mailbox } from '../port.js';
import {
  agentOf,
  type BuiltInHook,
  builtInOptions,
  disposeAll,
  MAIN_AGENT,
  type Registrar,
} from './built-in.js';

/** Where items are taken from, and how they are framed. */
export interface DeliveryOptions extends FrameOptions {
  readonly mailbox: Pick<Mailbox, 'take'>;
  /** Maximum number of items per tool result. Default: 20. */
  readonly limit?: number | undefined;
}

/** The hook, and methods to report whether its items were sent. Rejects only when the mailbox does. */
export interface Delivery extends BuiltInHook {
  /**
   * Confirms that the items in the outcomes were sent to the model. If you never call it, they count as sent when the
   * agent's turn ends.
   */
  sent(agentId?: string): Promise<void>;
  /** Reports that the items were not sent: they are delivered again. */
  notSent(agentId?: string): Promise<void>;
}

/**
 * Delivers queued items as injections of the PostToolUse outcome, for loops that apply outcomes but do not use a
 * mailbox. Register it after all other built-in hooks. Never throws.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  return new OutcomeDelivery(options);
}

class OutcomeDelivery implements Delivery {
  readonly name = 'delivery';
  readonly #options: DeliveryOptions;
  readonly #leases = new Map<string, Lease[]>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  async sent(agentId = MAIN_AGENT): Promise<void> {
    await Promise.all(this.#end(agentId).map((lease) => lease.acknowledge()));
  }

  async notSent(agentId = MAIN_AGENT): Promise<void> {
    await Promise.all(this.#end(agentId).map((lease) => lease.release()));
  }

  register(registrar: Registrar): Disposer {
    // This dialect supports injections; the callback types do not cover its results.
    const options = builtInOptions(this.name, { dialect: 'massgen' });
    return disposeAll([
      registrar.on('PostToolUse', options, async (input, _id, context) =>
        this.#deliver<typeof input.hook_event_name>(agentOf(input, context), input.tool_name, context.signal),
      ),
      registrar.on('PostToolUseFailure', options, async (input, _id, context) =>
        this.#deliver<typeof input.hook_event_name>(agentOf(input, context), input.tool_name, context.signal),
      ),
      registrar.on('Stop', builtInOptions(this.name), async (input, _id, context) => {
        await this.sent(agentOf(input, context));
      }),
      registrar.on('SubagentStop', builtInOptions(this.name), async (input, _id, context) => {
        await this.sent(agentOf(input, context));
      }),
    ]);
  }

  async #deliver<E extends HookEvent>(
    agentId: string,
    toolName: string,
    signal: AbortSignal,
  ): Promise<HookOutput<E> | undefined> {
    const { mailbox, limit = 20 } = this.#options;
    const lease = await mailbox.take({ agentId, toolNames: [toolName], limit });
    if (lease.items.length === 0) return undefined;
    // The fire has already ended: the result would be ignored.
    if (signal.aborted) {
      await lease.release();
      return undefined;
    }
    const { frame } = createFramer(lease.items, [], this.#options);
    const inject = lease.items.map((item) => ({ content: frame(item), strategy: item.strategy }));
    this.#leases.set(agentId, [...(this.#leases.get(agentId) ?? []), lease]);
    return { inject } as unknown as HookOutput<E>;
  }

  #end(agentId: string): readonly Lease[] {
    const leases = this.#leases.get(agentId) ?? [];
    this.#leases.delete(agentId);
    return leases;
  }
}
