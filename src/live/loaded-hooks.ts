/** The hooks of a runner, for the page: also those that have not run yet, and those that cannot. */
import { eventNames } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { WatchedRunner } from './observe-fires.js';
import { cut, MAX_LENGTHS, showPlace } from './show.js';

export interface LoadedHookView {
  readonly event: string;
  /** As in the events of its runs. */
  readonly name: string;
  readonly matcher?: string;
  readonly place?: string;
  /** Why it does not run, whatever is fired. */
  readonly inactive?: string;
}

/** These depend on what is fired. */
const DEPENDS: ReadonlySet<string | undefined> = new Set([undefined, 'matcher', 'condition', 'duplicate']);

/** The hooks for all agents. A runner that cannot explain has none. */
export function loadedHooks(runners: Iterable<WatchedRunner>, cwd: string): readonly LoadedHookView[] {
  return [...runners].flatMap((runner) =>
    eventNames().flatMap((event) =>
      hooksOf(runner, event as AnyEvent).map(({ description, matcher, source, why, message }) => ({
        event,
        name: cut(description, MAX_LENGTHS.name),
        ...(matcher !== undefined && matcher !== '' && { matcher: cut(matcher, MAX_LENGTHS.name) }),
        ...(source !== undefined && { place: showPlace(source, cwd) }),
        ...(!DEPENDS.has(why) && { inactive: cut(`${why}: ${message ?? ''}`, MAX_LENGTHS.input) }),
      })),
    ),
  );
}

function hooksOf(runner: WatchedRunner, event: AnyEvent) {
  try {
    return runner.explain?.(event, {}).hooks ?? [];
  } catch {
    // A condition that cannot be applied to an empty input, or a disposed runner.
    return [];
  }
}
