/** Those who observe the fires of a runner, and what they are shown of one that begins. */
import { randomUUID } from 'node:crypto';
import { HookError, show } from '../base/errors.js';
import { privateRecord } from '../base/json/private-view.js';
import type { AnyEvent } from '../events/types.js';
import type { BaseInput } from './input.js';
import type { MessageStream, OnListenerError } from './messages/message-stream.js';
import type { BegunFire, FireObserver, FireWatcher } from './observer.js';
import type { HookOutcome } from './outcome.js';
import { attempt, WatchedFire } from './watched-fire.js';

/** Carries out a fire, and throws for a mistake of its caller. */
export type Firing = (
  event: AnyEvent,
  input: object,
  options: Named | undefined,
  watched: WatchedFire | undefined,
) => Promise<HookOutcome>;

/** What a fire is told beside its input, as far as observers want to know. */
interface Named {
  readonly agentId?: string | undefined;
  readonly toolUseID?: string | undefined;
}

export class Observers {
  readonly #observers = new Set<{ readonly begin: FireObserver }>();
  readonly #fire: Firing;
  readonly #base: BaseInput;
  readonly #listeners: MessageStream;
  readonly #onError: OnListenerError;

  constructor(fire: Firing, base: BaseInput, listeners: MessageStream, onError = warnOnce()) {
    this.#fire = fire;
    this.#base = base;
    this.#listeners = listeners;
    this.#onError = onError;
  }

  /**
   * Returns the way to take it out again; the last one that goes that way is told. The same one may observe twice.
   * Throws a HookError for what is no function.
   */
  add(begin: FireObserver, onEmpty: () => void): () => void {
    if (typeof begin !== 'function') {
      throw new HookError(
        'invalid_option',
        `An observer of fires is ${show(begin)}; give a function (fire) => watcher.`,
      );
    }
    const observer = { begin };
    this.#observers.add(observer);
    return () => {
      if (this.#observers.delete(observer) && this.#observers.size === 0) onEmpty();
    };
  }

  /** Fires, and throws as that does; those who want to watch are told all of it. */
  fire(event: AnyEvent, input: object, options: Named | undefined): Promise<HookOutcome> {
    const id = randomUUID();
    const watchers: FireWatcher[] = [];
    for (const { begin } of [...this.#observers]) {
      const watcher = attempt(() => begin(this.#show(id, event, input, options)), this.#onError);
      if (typeof watcher === 'object' && watcher !== null) watchers.push(watcher);
    }
    if (watchers.length === 0) return this.#fire(event, input, options, undefined);
    const watched = new WatchedFire(watchers, this.#listeners, this.#onError);
    return watched.follow(() => this.#fire(event, input, options, watched));
  }

  /** For one observer: what it does to it, the others do not see. */
  #show(id: string, event: AnyEvent, own: object, options: Named | undefined): BegunFire {
    const input = viewInput(own);
    const { session_id: session, tool_use_id: toolUse } = input;
    return {
      id,
      event,
      input,
      sessionId: typeof session === 'string' ? session : this.#base.session_id,
      agentId: options?.agentId,
      toolUseID: options?.toolUseID ?? (typeof toolUse === 'string' ? toolUse : undefined),
    };
  }
}

/** What a caller gave, as far as it can be looked at: whether it is right is not known yet. */
function viewInput(own: object): Record<string, unknown> {
  try {
    return privateRecord(own as Readonly<Record<string, unknown>>);
  } catch {
    return {};
  }
}

/** Nobody asked for observers' errors: say it once through the process, so that it is not lost, and then be quiet. */
function warnOnce(): OnListenerError {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    process.emitWarning(`An observer of fires failed: ${error.message}`, { code: 'HOOKLINE_OBSERVER' });
  };
}
