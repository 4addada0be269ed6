/** Converts mailbox changes to events, and adds the text of the items. */
import type { InjectionMessage } from '../injection/messages.js';
import type { InjectionChange, Mailbox } from '../injection/port.js';
import type { Timeline } from './agent-registry.js';
import { cut, MAX_LENGTHS } from './show.js';

/** A mailbox to watch. Without `pending`, items are shown without their text. */
export type WatchedMailbox = Pick<Mailbox, 'onChange'> &
  Partial<Pick<Mailbox, 'pending'>> & { readonly agents?: readonly string[] };

/** Beyond this limit, the oldest items are forgotten. */
const MAX_ITEMS = 1000;

export class Items {
  readonly #timeline: Timeline;
  /** The last reported state of each item for each agent: several runs may report the same change. */
  readonly #reported = new Map<string, string>();
  readonly #withText = new Set<string>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Watches until the returned function is called. */
  watch(mailbox: WatchedMailbox): () => void {
    const stop = mailbox.onChange((change) => {
      this.change(change);
      if (change.state === 'queued' && !this.#withText.has(change.id)) look(change.agentId);
    });
    const asking = new Set<string>();
    const again = new Set<string>();
    let stopped = false;
    /** One lookup at a time per agent, so that many items are not looked up one by one. */
    const look = (agentId: string): void => {
      if (mailbox.pending === undefined) return;
      if (asking.has(agentId)) {
        again.add(agentId);
        return;
      }
      asking.add(agentId);
      mailbox
        .pending(agentId)
        .then(
          (items) => {
            if (stopped) return;
            for (const { id, content } of items) this.#emitText(id, content);
          },
          // The code that delivers from the mailbox reports the error.
          () => {},
        )
        .finally(() => {
          asking.delete(agentId);
          if (again.delete(agentId) && !stopped) look(agentId);
        });
    };
    void this.#emitWaiting(mailbox, () => stopped);
    return () => {
      stopped = true;
      stop();
    };
  }

  /** The same for a run, whose messages report the changes of its mailbox. */
  message(message: InjectionMessage): void {
    this.change({
      id: message.injection_id,
      agentId: message.agent_id,
      state: message.state,
      strategy: message.strategy,
      source: { kind: message.source_kind, label: message.source_label },
      at: message.at,
      reason: message.reason,
    });
  }

  change({ id, agentId, state, strategy, source, at, reason }: InjectionChange): void {
    const key = `${id}\n${agentId}`;
    const what = `${state} ${at} ${reason ?? ''}`;
    if (this.#reported.get(key) === what) return;
    this.#reported.set(key, what);
    forget(this.#reported);
    const { registry } = this.#timeline;
    const agent = state === 'delivered' ? registry.ofAddress(agentId) : undefined;
    this.#timeline.add({
      type: 'item',
      item: id,
      to: agentId,
      state,
      strategy,
      from: cut(source.kind, MAX_LENGTHS.name),
      ...(source.label !== undefined && { label: cut(source.label, MAX_LENGTHS.name) }),
      ...(reason !== undefined && { reason: cut(reason, MAX_LENGTHS.input) }),
      ...(agent !== undefined && { agent, turn: registry.turnOf(agent) }),
    });
  }

  #emitText(item: string, content: string): void {
    if (this.#withText.has(item)) return;
    this.#withText.add(item);
    forget(this.#withText);
    this.#timeline.add({ type: 'item_text', item, text: cut(content, MAX_LENGTHS.input) });
  }

  /** Reports items that were waiting before the watch began, if the mailbox can list its agents. */
  async #emitWaiting(mailbox: WatchedMailbox, isStopped: () => boolean): Promise<void> {
    for (const agentId of mailbox.agents ?? []) {
      if (isStopped()) return;
      this.#timeline.registry.meet(agentId);
      const items = await mailbox.pending?.(agentId).catch(() => []);
      if (isStopped()) return;
      for (const { id, content, source, strategy } of items ?? []) {
        if (this.#reported.has(`${id}\n${agentId}`)) continue;
        this.change({ id, agentId, state: 'queued', source, strategy, at: Date.now() });
        this.#emitText(id, content);
      }
    }
  }
}

function forget(map: {
  readonly size: number;
  keys(): Iterable<string>;
  delete(key: string): boolean;
}): void {
  if (map.size <= MAX_ITEMS) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
