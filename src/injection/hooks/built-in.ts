/** Shared code of the built-in hooks: a common interface, protection from override, and a timeout. */
import { createHash } from 'node:crypto';
import type { Disposer, MatcherOptions } from '../../config/types.js';
import type { HookRegistrar } from '../../runner/hook-runner.js';
import type { Moment } from '../timing.js';

/** A runner, for all agents; or its view for one agent. */
export type Registrar = HookRegistrar<MatcherOptions>;

/** A built-in hook that a host registers on its runner. */
export interface BuiltInHook {
  readonly name: string;
  /** Registers the hook on a runner until the returned function is called. Throws when `runner.on` does. */
  register(registrar: Registrar): Disposer;
}

/** The agent of a fire that names none. */
export const MAIN_AGENT = 'main';

const TIMEOUT_SECONDS = 5;

/** Built-in hooks are protected: an agent's override does not disable them. */
export function builtInOptions(name: string, more: MatcherOptions = {}): MatcherOptions {
  return { name, timeout: TIMEOUT_SECONDS, protected: true, onFailure: 'continue', ...more };
}

export function agentOf(
  input: { readonly agent_id?: string },
  context: { readonly agentId: string | undefined },
): string {
  return context.agentId ?? input.agent_id ?? MAIN_AGENT;
}

/** Puts new items into the mailbox. Called repeatedly, and concurrently for parallel tools. */
export type Collect = (agentId: string, moment: Moment, signal: AbortSignal) => void | Promise<void>;

/**
 * Collects items at every point where an agent can receive them: after each tool call, successful or not, and at the
 * end of a turn. Items that a slow source returns after the timeout are still put into the mailbox; only the current
 * fire does not wait for them.
 */
export function collectAtSafePoints(registrar: Registrar, name: string, collect: Collect): Disposer {
  const options = builtInOptions(name);
  const disposers = [
    registrar.on('PostToolUse', options, async (input, _id, context) => {
      await collect(agentOf(input, context), 'mid-stream', context.signal);
    }),
    registrar.on('PostToolUseFailure', options, async (input, _id, context) => {
      await collect(agentOf(input, context), 'mid-stream', context.signal);
    }),
    registrar.on('Stop', options, async (input, _id, context) => {
      await collect(agentOf(input, context), 'turn', context.signal);
    }),
    registrar.on('SubagentStop', options, async (input, _id, context) => {
      await collect(agentOf(input, context), 'turn', context.signal);
    }),
  ];
  return disposeAll(disposers);
}

export function disposeAll(disposers: readonly Disposer[]): Disposer {
  return () => {
    for (const dispose of disposers) dispose();
  };
}

/** Equal parts give the same id, so that something reported twice is put once. */
export function stableId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${prefix}-${hash.slice(0, 24)}`;
}
