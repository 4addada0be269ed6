/** Lists which hooks a fire would run, which it would not, and why, without running anything. */

import type { InactiveReason, Source } from '../config/loaded.js';
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { planOf } from './plan.js';
import type { CompiledHook, HookGroup } from './registration/group.js';

/** One hook of an event: whether and when a fire would run it, or why not. */
export interface ExplainedHook {
  readonly name: string;
  /** A description people recognise: the command line or URL, or else the name. */
  readonly description: string;
  readonly matcher: string | undefined;
  readonly dialect: string;
  readonly source: Source | undefined;
  readonly runs: boolean;
  /** Hooks of the same step run in parallel; steps run one after another, starting with 1. */
  readonly step?: number;
  /** Why the hook does not run; with `runs`, why a refusal runs in its place. */
  readonly why?: 'matcher' | 'condition' | 'duplicate' | InactiveReason;
  /** `why` as a sentence. */
  readonly message?: string;
  /** Why a guard may not see the final input, and what to do about it. */
  readonly warning?: string;
}

/** What a fire would do, hook by hook. */
export interface Explanation {
  readonly event: AnyEvent;
  /** The value that matchers are compared with; undefined on events without a matcher field. */
  readonly subject: string | undefined;
  /** In the order in which they would run, followed by those that would not run, in registration order. */
  readonly hooks: readonly ExplainedHook[];
}

export function explain(
  event: AnyEvent,
  groups: readonly HookGroup[],
  subject: string | undefined,
  input: Readonly<Record<string, unknown>>,
): Explanation {
  const fallback = subject === undefined ? event : `${event}:${subject}`;
  const matching = groups.filter((group) => group.matches?.(subject ?? '') ?? true);
  const planned = matching.filter((group) => group.hooks.length > 0);
  const steps = stepsOf(planned);
  const running: { hook: CompiledHook; step: number; shown: ExplainedHook }[] = [];
  const left: ExplainedHook[] = [];
  for (const group of groups) {
    for (const hook of group.hooks) {
      const shown = describe(hook, group, fallback);
      const reason = whyNot(hook, group, matching, steps, input);
      const step = steps.get(hook) ?? 1;
      if (reason === undefined)
        running.push({ hook, step, shown: { ...shown, runs: true, step, ...whyRefused(hook) } });
      else left.push({ ...shown, runs: false, ...reason });
    }
    for (const { inactive, description, source } of group.inactive) {
      // A refusal that runs in a hook's place is among the hooks that run.
      if (inactive === undefined || group.hooks.some(({ origin }) => origin?.source === source)) continue;
      const shown = {
        name: fallback,
        description,
        matcher: group.matcher,
        dialect: group.dialect.name,
        source,
      };
      left.push({ ...shown, runs: false, why: inactive.reason, message: inactive.message });
    }
  }
  running.sort((a, b) => a.step - b.step);
  const hooks = running.map(({ hook, step, shown }): ExplainedHook => {
    const others = running.filter(
      (other) => other.step >= step && other.hook !== hook && !other.hook.group.last,
    );
    return isGuard(hook) && others.length > 0 ? { ...shown, warning: warningOf(others.length) } : shown;
  });
  return { event, subject, hooks: [...hooks, ...left] };
}

/** Whether the hook is a guard, and another hook could still change the input after it. */
function isGuard({ onFailure, group }: CompiledHook): boolean {
  return onFailure === 'block' && rowOf(group.event).rewrites.input !== undefined;
}

function warningOf(others: number): string {
  const who = others === 1 ? 'another hook runs' : `${others} other hooks run`;
  return `${who} beside or after this guard and may rewrite the input that it has checked; put \`last: true\` on its group, or forbid it with a permission rule`;
}

/** Each sequential hook has its own step; the hooks of a parallel stage share one. */
function stepsOf(groups: readonly HookGroup[]): Map<CompiledHook, number> {
  const steps = new Map<CompiledHook, number>();
  let step = 0;
  for (const { parallel, hooks } of planOf(groups).stages) {
    if (parallel) step += 1;
    for (const hook of hooks) {
      if (!parallel) step += 1;
      steps.set(hook, step);
    }
  }
  return steps;
}

function whyNot(
  hook: CompiledHook,
  group: HookGroup,
  matching: readonly HookGroup[],
  steps: ReadonlyMap<CompiledHook, number>,
  input: Readonly<Record<string, unknown>>,
): Pick<ExplainedHook, 'why' | 'message'> | undefined {
  if (!matching.includes(group))
    return { why: 'matcher', message: `its matcher is ${JSON.stringify(group.matcher)}` };
  if (!steps.has(hook)) return { why: 'duplicate', message: 'the same hook is already in this fire' };
  if (hook.applies?.(input) === false)
    return { why: 'condition', message: `only if ${hook.origin?.condition}` };
  return undefined;
}

function whyRefused({ origin }: CompiledHook): Pick<ExplainedHook, 'why' | 'message'> {
  if (origin?.inactive === undefined) return {};
  const { reason, message } = origin.inactive;
  return { why: reason, message };
}

function describe(hook: CompiledHook, group: HookGroup, fallback: string): Omit<ExplainedHook, 'runs'> {
  const name = hook.name ?? fallback;
  const { description = name, source } = hook.origin ?? {};
  return { name, description, matcher: group.matcher, dialect: group.dialect.name, source };
}
