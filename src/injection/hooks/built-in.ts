/** What the built-in hooks have in common: one shape, protected from override, under a deadline. */
import { createHash } from 'node:crypto';
import type { Disposer, MatcherOptions } from '../../config/types.js';
import type { HookRegistrar } from '../../runner/hook-runner.js';
import type { Moment } from '../timing.js';

/** A runner, for all agents; or an agent's view of it, for that agent alone. */
export type Registrar = HookRegistrar<MatcherOptions>;

/** One part of the machinery that a host puts on its runner. */
export interface BuiltInHook {
  readonly name: string;
  /** Puts its hooks on a runner, until the returned function is called. Throws as `runner.on` does. */
  register(registrar: Registrar): Disposer;
}

/** Whose fire it is, where the fire does not say. */
export const MAIN_AGENT = 'main';

const TIMEOUT_SECONDS = 5;

/** An agent's override does not switch built-in hooks off. */
export function builtInOptions(name: string, more: MatcherOptions = {}): MatcherOptions {
  return { name, timeout: TIMEOUT_SECONDS, protected: true, onFailure: 'continue', ...more };
}

export function agentOf(
  input: { readonly agent_id?: string },
  context: { readonly agentId: string | undefined },
): string {
  return context.agentId ?? input.agent_id ?? MAIN_AGENT;
}

/** Brings what has arrived into the mailbox. It is called again and again, also for several tools at once. */
export type Collect = (agentId: string, moment: Moment, signal: AbortSignal) => void | Promise<void>;

/**
 * Collects wherever an agent can be told something: after each tool, whether it has failed or not, and where a turn ends.
 * What a slow source hands over after the deadline is put in all the same; only this fire does not wait for it.
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

/** The same for the same parts, so that what is reported twice is put in once. */
export function stableId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${prefix}-${hash.slice(0, 24)}`;
}
