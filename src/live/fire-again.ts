/** Fires something again at the request of a page: the same input, on the same runner, with the hooks as they are now. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { HookError } from '../base/errors.js';
import type { AnyEvent, FireInput } from '../events/types.js';
import type { ArchivedFire } from './archive.js';
import { recordedFire } from './fire-details.js';
import type { WatchedRunner } from './observe-fires.js';

interface Repetition {
  readonly of: string;
  /** The id of the new fire. */
  id?: string;
}

const repeating = new AsyncLocalStorage<Repetition>();

/** The fire that a new one repeats; undefined for a fire of the agent, or one that a hook of a repeated fire made. */
export function repeatedFire(id: string): string | undefined {
  const repetition = repeating.getStore();
  if (repetition === undefined || (repetition.id !== undefined && repetition.id !== id)) return undefined;
  repetition.id = id;
  return repetition.of;
}

/** Hooks may take long: a user who clicks many times must not start any number of them. */
const MAX_RUNNING = 4;

export class Repeater {
  readonly #stopping = new AbortController();
  #running = 0;

  /** Returns the id of the new fire. Throws a HookError if it cannot be fired. */
  fire(of: string, archived: ArchivedFire, runner: WatchedRunner | undefined): string {
    if (runner?.fire === undefined)
      throw new HookError('invalid_option', 'There is no runner that could fire this again.');
    if (this.#running >= MAX_RUNNING)
      throw new HookError('invalid_option', 'Other fires still run. Wait until they have ended.');
    const { event, input, agentId } = recordedFire(archived);
    const { toolUseID } = archived;
    const { signal } = this.#stopping;
    const repetition: Repetition = { of };
    this.#running += 1;
    const done = (): void => {
      this.#running -= 1;
    };
    repeating
      .run(repetition, () =>
        runner.fire?.(event, input as FireInput<AnyEvent>, { agentId, toolUseID, signal }),
      )
      // A fire that was refused is shown as such.
      ?.then(done, done);
    if (repetition.id !== undefined) return repetition.id;
    throw new HookError('disposed', 'The runner is no longer watched.');
  }

  close(): void {
    this.#stopping.abort();
  }
}
