/** Hooks in MassGen's terms, in TypeScript: a thin surface over a runner, which does all the work. */
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

/** What a hook is told, and what it may answer. Nothing is the same as `{ decision: 'allow' }`. */
export type ManagedHook = (
  call: ManagedCall,
  context: HookContext,
) => ManagedResult | undefined | void | Promise<ManagedResult | undefined | void>;

/** Which tools a hook is for, and what its failure means. */
export interface ManagedHookOptions {
  readonly name?: string | undefined;
  /** Names and globs, `|` between them. Default: every tool. */
  readonly matcher?: string | undefined;
  /** Seconds. Default: 30. */
  readonly timeout?: number | undefined;
  /** Whether a hook that fails, hangs or answers nonsense refuses. Default: false. */
  readonly failClosed?: boolean | undefined;
  /** Whether it stays when an agent overrides the hooks of all. Default: false. */
  readonly protected?: boolean | undefined;
}

/** What the manager needs of a runner; `Runner` has it. */
export interface ManagedRunner extends HookRunner, HookRegistrar<MatcherOptions> {
  /** What is registered there counts for that agent only. Throws a `HookError` for an id that is no text. */
  forAgent(agentId: string): AgentRunner;
  /** Registers all that a file says, until the returned function is called. Throws only once the runner is disposed. */
  use(config: LoadedConfig): Disposer;
}

/**
 * Hooks in MassGen's terms: names in camelCase, `allow` where nothing is said, injections beside decisions. Registering
 * throws a `HookError`, as `runner.on` does, for what cannot be used.
 */
export class HookManager {
  readonly #runner: ManagedRunner;
  readonly #disposers = new Set<Disposer>();

  constructor(runner: ManagedRunner) {
    this.#runner = runner;
  }

  /** For every agent, in the order of registration. */
  registerGlobalHook(
    event: HookEvent,
    hook: ManagedHook | CommandHook,
    options: ManagedHookOptions = {},
  ): Disposer {
    return this.#keep(this.#runner.on(event, groupOptions(options), asHook(event, hook)));
  }

  /** For one agent, after the global ones; with `override`, in their place. An empty list overrides too. */
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

  /** What `loadMassgenConfig` has read: python, command and module handlers. One that cannot be imported denies. */
  registerHooksFromConfig(config: LoadedConfig): Disposer {
    return this.#keep(this.#runner.use(config));
  }

  /** Takes out all that was registered here; what others have put on the runner stays. Never throws. */
  clearHooks(): void {
    for (const dispose of this.#disposers) dispose();
    this.#disposers.clear();
  }

  /**
   * Fires an event, and says what came of it in MassGen's terms. Rejects as `runner.fire` does, never because of a
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

/** The dialect reads what the function answers, in snake_case; the types of callbacks know only the other dialects' words. */
function asHook(event: HookEvent, hook: ManagedHook | CommandHook): Hook<HookEvent> {
  if (typeof hook !== 'function') return hook;
  const callback = async (input: object, _id: string | undefined, context: HookContext): Promise<unknown> =>
    toWire(await hook(toCall(event, input as Readonly<Record<string, unknown>>, context), context));
  Object.defineProperty(callback, 'name', { value: hook.name });
  return callback as unknown as Hook<HookEvent>;
}
