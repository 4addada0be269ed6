/** The observers of a runner's fires, and the view of a fire that each of them gets. */
import { randomUUID } from 'node:crypto';
import { SafeEmitter, warnOnce } from '../base/async/emitter.js';
import { HookError, show } from '../base/errors.js';
import { privateRecord, viewedParts } from '../base/json/private-view.js';
import type { AnyEvent } from '../events/types.js';
import type { BaseInput } from './input.js';
import type { HookMessage } from './messages/hook-messages.js';
import type { MessageStream, OnListenerError } from './messages/message-stream.js';
import type { BegunFire, FireObserver, FireWatcher } from './observer.js';
import type { HookOutcome } from './outcome.js';
import { WatchedFire } from './watched-fire.js';

/** Runs a fire, and throws for a mistake of its caller. */
export type Firing = (
  event: AnyEvent,
  input: object,
  options: Named | undefined,
  watched: WatchedFire | undefined,
) => Promise<HookOutcome>;

/** The options of a fire that observers see. */
interface Named {
  readonly agentId?: string | undefined;
  readonly toolUseID?: string | undefined;
}

type Listeners = {
  /** `view` creates one observer's view of the fire; `watchers` collects those that will watch it. */
  begin: (view: () => BegunFire, watchers: FireWatcher[]) => unknown;
};

export class Observers {
  readonly #emitter: SafeEmitter<Listeners>;
  readonly #fire: Firing;
  readonly #base: BaseInput;
  readonly #listeners: MessageStream;
  readonly #onError: OnListenerError;

  constructor(
    fire: Firing,
    base: BaseInput,
    listeners: MessageStream,
    onError: OnListenerError = warnOnce('An observer of fires', 'HOOKLINE_OBSERVER'),
  ) {
    // When a fire starts there is no message to report.
    this.#emitter = new SafeEmitter((error) => onError(error, undefined as unknown as HookMessage));
    this.#fire = fire;
    this.#base = base;
    this.#listeners = listeners;
    this.#onError = onError;
  }

  /**
   * Adds an observer and returns a function that removes it; `onEmpty` is called when the last one is removed. The
   * same function may be added twice. Throws a HookError if it is not a function.
   */
  add(begin: FireObserver, onEmpty: () => void): () => void {
    if (typeof begin !== 'function') {
      throw new HookError(
        'invalid_option',
        `An observer of fires is ${show(begin)}; give a function (fire) => watcher.`,
      );
    }
    const stop = this.#emitter.on('begin', (view, watchers) => {
      const watcher = begin(view());
      if (typeof watcher === 'object' && watcher !== null) watchers.push(watcher);
      return watcher;
    });
    return () => {
      if (stop() && this.#emitter.size === 0) onEmpty();
    };
  }

  /** Fires like `firing`, and throws the same; watchers are notified of everything. */
  fire(event: AnyEvent, input: object, options: Named | undefined): Promise<HookOutcome> {
    const id = randomUUID();
    const watchers: FireWatcher[] = [];
    this.#emitter.emit('begin', () => this.#show(id, event, input, options), watchers);
    if (watchers.length === 0) return this.#fire(event, input, options, undefined);
    const watched = new WatchedFire(watchers, this.#listeners, this.#onError);
    return watched.follow(() => this.#fire(event, input, options, watched));
  }

  /** A separate view for each observer: changes to it are invisible to the others. */
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

/** The caller's input as far as it can be read; it has not been validated yet. */
function viewInput(own: object): Record<string, unknown> {
  try {
    const input = own as Readonly<Record<string, unknown>>;
    return privateRecord(input, viewedParts(input));
  } catch {
    return {};
  }
}
