/** From the changes of a mailbox to events, with what the items say. */
import type { InjectionMessage } from '../injection/messages.js';
import type { InjectionChange, Mailbox } from '../injection/port.js';
import { cut, MAX_LENGTHS } from './show.js';
import type { Timeline } from './timeline.js';

/** A mailbox, as much of it as there is: without `pending` an item is shown without what it says. */
export type WatchedMailbox = Pick<Mailbox, 'onChange'> &
  Partial<Pick<Mailbox, 'pending'>> & { readonly agents?: readonly string[] };

/** Of more than these the oldest are forgotten. */
const MAX_ITEMS = 1000;

export class Items {
  readonly #timeline: Timeline;
  /** The latest change of each item for each agent: several runs may tell of the same one. */
  readonly #told = new Map<string, string>();
  readonly #withText = new Set<string>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Until the returned function is called. */
  watch(mailbox: WatchedMailbox): () => void {
    const stop = mailbox.onChange((change) => {
      this.change(change);
      if (change.state === 'queued' && !this.#withText.has(change.id)) look(change.agentId);
    });
    const asking = new Set<string>();
    const again = new Set<string>();
    let stopped = false;
    /** One question at a time for each agent: many items at once must not be looked up one by one. */
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
            for (const { id, content } of items) this.#tellText(id, content);
          },
          // A mailbox that cannot be read says so to those who deliver from it.
          () => {},
        )
        .finally(() => {
          asking.delete(agentId);
          if (again.delete(agentId) && !stopped) look(agentId);
        });
    };
    void this.#tellWaiting(mailbox, () => stopped);
    return () => {
      stopped = true;
      stop();
    };
  }

  /** The same from a run, whose messages tell of the mailbox that it uses. */
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
    if (this.#told.get(key) === what) return;
    this.#told.set(key, what);
    forget(this.#told);
    const { roster } = this.#timeline;
    const agent = state === 'delivered' ? roster.ofAddress(agentId) : undefined;
    this.#timeline.add({
      type: 'item',
      item: id,
      to: agentId,
      state,
      strategy,
      from: cut(source.kind, MAX_LENGTHS.name),
      ...(source.label !== undefined && { label: cut(source.label, MAX_LENGTHS.name) }),
      ...(reason !== undefined && { reason: cut(reason, MAX_LENGTHS.input) }),
      ...(agent !== undefined && { agent, turn: roster.turnOf(agent) }),
    });
  }

  #tellText(item: string, content: string): void {
    if (this.#withText.has(item)) return;
    this.#withText.add(item);
    forget(this.#withText);
    this.#timeline.add({ type: 'item_text', item, text: cut(content, MAX_LENGTHS.input) });
  }

  /** What waited before anybody watched, where the mailbox knows its agents. */
  async #tellWaiting(mailbox: WatchedMailbox, isStopped: () => boolean): Promise<void> {
    for (const agentId of mailbox.agents ?? []) {
      if (isStopped()) return;
      this.#timeline.roster.meet(agentId);
      const items = await mailbox.pending?.(agentId).catch(() => []);
      if (isStopped()) return;
      for (const { id, content, source, strategy } of items ?? []) {
        if (this.#told.has(`${id}\n${agentId}`)) continue;
        this.change({ id, agentId, state: 'queued', source, strategy, at: Date.now() });
        this.#tellText(id, content);
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
