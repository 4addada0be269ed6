/** A hook manager with MassGen's API, as a thin layer over a runner. */
import type { LoadedConfig } from '../config/loaded.js';
import type { Disposer, MatcherOptions } from '../config/types.js';
import type { FireInput, HookContext, HookEvent } from '../events/types.js';
import type { CommandHook, Hook } from '../handlers/types.js';
import type {
  AgentOptions,
  AgentRunner,
  FireOptions,
  HookRegistrar,
  HookRunner,
} from '../runner/hook-runner.js';
import type { HookOutcome } from '../runner/outcome.js';
import {
  type ExecutedHooks,
  type ManagedCall,
  type ManagedResult,
  toCall,
  toExecuted,
  toWire,
} from './managed-result.js';

/** A hook function: gets the call and returns a result. No result is the same as `{ decision: 'allow' }`. */
export type ManagedHook = (
  call: ManagedCall,
  context: HookContext,
) => ManagedResult | undefined | void | Promise<ManagedResult | undefined | void>;

/** Which tools a hook applies to, and what happens when it fails. */
export interface ManagedHookOptions {
  readonly name?: string | undefined;
  /** Tool names and globs, separated by `|`. Default: every tool. */
  readonly matcher?: string | undefined;
  /** Seconds. Default: 30. */
  readonly timeout?: number | undefined;
  /** Whether a hook that throws, times out or returns an invalid result denies the call. Default: false. */
  readonly failClosed?: boolean | undefined;
  /** Whether the hook stays active when an agent overrides the global hooks. Default: false. */
  readonly protected?: boolean | undefined;
}

/** The part of a runner that the manager uses. `Runner` implements it. */
export interface ManagedRunner extends HookRunner, HookRegistrar<MatcherOptions> {
  /** Hooks registered on the result apply to that agent only. Throws a `HookError` for an id that is not a string. */
  forAgent(agentId: string): AgentRunner;
  /**
   * Registers all hooks of a config until the returned function is called. Throws only after the runner is disposed.
   */
  use(config: LoadedConfig): Disposer;
}

/**
 * A hook manager with MassGen's API: camelCase names, `allow` as the default decision, injections beside decisions.
 * Registering throws a `HookError` for invalid input, like `runner.on`.
 */
export class HookManager {
  readonly #runner: ManagedRunner;
  readonly #disposers = new Set<Disposer>();

  constructor(runner: ManagedRunner) {
    this.#runner = runner;
  }

  /** Registers a hook for every agent. Hooks run in the order of registration. */
  registerGlobalHook(
    event: HookEvent,
    hook: ManagedHook | CommandHook,
    options: ManagedHookOptions = {},
  ): Disposer {
    return this.#keep(this.#runner.on(event, groupOptions(options), asHook(event, hook)));
  }

  /**
   * Registers hooks for one agent. They run after the global ones, or replace them with `override`, even if the list is
   * empty.
   */
  registerAgentHook(
    agentId: string,
    event: HookEvent,
    hook: ManagedHook | CommandHook | readonly (ManagedHook | CommandHook)[],
    options: ManagedHookOptions & Pick<AgentOptions, 'override'> = {},
  ): Disposer {
    const { override = false } = options;
    const hooks = (Array.isArray(hook) ? hook : [hook]) as readonly (ManagedHook | CommandHook)[];
    return this.#keep(
      this.#runner.forAgent(agentId).on(
        event,
        { ...groupOptions(options), override },
        hooks.map((each) => asHook(event, each)),
      ),
    );
  }

  /**
   * Registers the result of `loadMassgenConfig`: python, command and module handlers. A handler that cannot be imported
   * denies.
   */
  registerHooksFromConfig(config: LoadedConfig): Disposer {
    return this.#keep(this.#runner.use(config));
  }

  /** Removes all hooks registered through this manager; other hooks of the runner stay. Never throws. */
  clearHooks(): void {
    for (const dispose of this.#disposers) dispose();
    this.#disposers.clear();
  }

  /**
   * Fires an event and returns the outcome in MassGen's format. Rejects when `runner.fire` does, never because of a
   * hook.
   */
  async executeHooks<E extends HookEvent>(
    event: E,
    input: FireInput<E>,
    options?: FireOptions,
  ): Promise<ExecutedHooks> {
    const outcome = await this.#runner.fire(event, input, options);
    return toExecuted(outcome as HookOutcome);
  }

  #keep(dispose: Disposer): Disposer {
    const once = (): void => {
      this.#disposers.delete(once);
      dispose();
    };
    this.#disposers.add(once);
    return once;
  }
}

function groupOptions({
  name,
  matcher,
  timeout,
  failClosed = false,
  protected: kept = false,
}: ManagedHookOptions): MatcherOptions {
  return {
    dialect: 'massgen',
    name,
    matcher,
    timeout,
    onFailure: failClosed ? 'block' : 'continue',
    protected: kept,
  };
}

/** The massgen dialect parses the returned snake_case result; the callback types only cover the other dialects. */
function asHook(event: HookEvent, hook: ManagedHook | CommandHook): Hook<HookEvent> {
  if (typeof hook !== 'function') return hook;
  const callback = async (input: object, _id: string | undefined, context: HookContext): Promise<unknown> =>
    toWire(await hook(toCall(event, input as Readonly<Record<string, unknown>>, context), context));
  Object.defineProperty(callback, 'name', { value: hook.name });
  return callback as unknown as Hook<HookEvent>;
}
