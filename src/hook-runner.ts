/** The port between an agent loop and its hooks, and the runner that has none. */
import type { FireInput, HookEvent } from './events/types.js';
import { emptyOutcome } from './pipeline/aggregate.js';
import type { HookOutcome } from './pipeline/outcome.js';

export interface FireOptions {
  /** Ends the fire early: running hooks are aborted, further ones are not started. */
  readonly signal?: AbortSignal | undefined;
  /** What callbacks get as their second argument. Default: the input's `tool_use_id`. */
  readonly toolUseID?: string | undefined;
  /** Whose own hooks count beside the global ones. */
  readonly agentId?: string | undefined;
}

/** All that an agent loop needs to know of a runner. */
export interface HookRunner {
  /**
   * Runs the hooks of an event and says what they decided together.
   * Contract: rejects only with a `HookError`, for a mistake of the caller; never because of a hook.
   */
  fire<E extends HookEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
}

/** A runner without hooks, for loops that are given none. */
export class NoopRunner implements HookRunner {
  fire<E extends HookEvent>(event: E, _input: FireInput<E>, _options?: FireOptions): Promise<HookOutcome<E>> {
    return Promise.resolve(emptyOutcome(event) as HookOutcome<E>);
  }
}
