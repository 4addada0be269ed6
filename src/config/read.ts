/** Reads registrations made in code, where types may have been ignored. */
import { HookError, show } from '../base/errors.js';
import { isEvent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { MatcherOptions } from './types.js';
import { unknownEvent } from './unknown-event.js';

export interface Registration {
  readonly event: AnyEvent;
  readonly options: MatcherOptions & { readonly override?: boolean | undefined };
  readonly hooks: readonly unknown[];
}

/**
 * The arguments of `on`: `[hook]` or `[options, hook]`, where hook may be a list. Throws a HookError if they are
 * invalid.
 */
export function readRegistration(event: AnyEvent, rest: readonly unknown[]): Registration {
  if (!isEvent(event)) throw unknownEvent(event);
  const [options, hook, ...more] = rest.length > 1 ? rest : [{}, rest[0]];
  // A hook that is left out may be a guard.
  if (more.some((each) => each !== undefined))
    throw new HookError(
      'invalid_hook',
      `on was given more than an event, options and a hook for ${event}; give several hooks as a list, and all options before it.`,
    );
  return { event, options: readMatcherOptions(event, options), hooks: Array.isArray(hook) ? hook : [hook] };
}

/** The groups of a whole configuration, event by event, in the order written. Throws a HookError if it is invalid. */
export function* readConfig(config: unknown): Generator<Registration> {
  if (config === undefined) return;
  if (typeof config !== 'object' || config === null) {
    throw new HookError(
      'invalid_option',
      `hooks is ${show(config)}; give an object such as { PreToolUse: [{ hooks: [...] }] }.`,
    );
  }
  for (const [event, groups] of Object.entries(config)) {
    if (!isEvent(event)) throw unknownEvent(event);
    if (groups === undefined) continue;
    if (!Array.isArray(groups)) {
      throw new HookError(
        'invalid_option',
        `hooks.${event} is ${show(groups)}; give a list of groups such as [{ matcher, hooks: [...] }].`,
      );
    }
    for (const group of groups) yield readGroup(event, group);
  }
}

function readGroup(event: AnyEvent, group: unknown): Registration {
  const { hooks, ...options } = readMatcherOptions(event, group) as { hooks?: unknown };
  if (Array.isArray(hooks)) return { event, options, hooks };
  throw new HookError(
    'invalid_hook',
    `A ${event} group has no list of hooks; write { matcher, hooks: [...] }.`,
  );
}

function readMatcherOptions(event: AnyEvent, options: unknown): MatcherOptions {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options;
  throw new HookError(
    'invalid_option',
    `The options of a ${event} group are ${show(options)}; give an object such as { matcher: 'Bash' }.`,
  );
}
