/** Which hooks a fire runs, and in which order: computed once per event and matched value, then cached. */
import type { Dialect } from '../config/dialect.js';
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { nothingHappened } from './aggregate.js';
import { InputShapes } from './fast/input-shapes.js';
import type { HookOutcome } from './outcome.js';
import type { CompiledHook, HookGroup } from './registration/group.js';
import type { Registry } from './registration/registry.js';

/** Hooks that belong together: one after another, or all at once. `continue: false` ends a sequential stage. */
export interface Stage {
  readonly parallel: boolean;
  readonly hooks: readonly CompiledHook[];
}

/** A unit of the run: one hook, or all hooks of a parallel stage. */
export interface Step {
  readonly parallel: boolean;
  readonly hooks: readonly CompiledHook[];
  /** Index of the first step of the next stage. */
  readonly nextStage: number;
}

export interface Plan {
  readonly stages: readonly Stage[];
  /** The stages as a flat list of steps. */
  readonly steps: readonly Step[];
  /** The dialects of the hooks that read the input as bytes. */
  readonly wires: readonly Dialect[];
}

/** Everything computed for one event of one agent, valid until a registration changes. */
export interface EventPlans {
  /** The input field that matchers look at; null: none on this event. */
  readonly subject: string | null;
  /** The outcome when no hook applies; undefined: there is no such event. */
  readonly nothing: Promise<HookOutcome> | undefined;
  /** No hook is registered: there is nothing to validate, match or run. */
  readonly empty: boolean;
  /** The cached shapes of inputs. */
  readonly shapes: InputShapes;
  planFor(subject: string | undefined): Plan;
}

/** The matched values are names of tools and the like; beyond this many different ones, caching is not worth it. */
const REMEMBERED_SUBJECTS = 1024;
const REMEMBERED_AGENTS = 1024;
/** A longer name is not cached: it may be an attempt to fill the memory. */
const MAX_REMEMBERED = 256;

const NOTHING: Plan = Object.freeze({
  stages: Object.freeze([]),
  steps: Object.freeze([]),
  wires: Object.freeze([]),
});

/** Contract: a plan never changes once it is handed out, so a running fire keeps the hooks it started with. */
export class Planner {
  readonly #registry: Registry;
  #version = -1;
  readonly #shared = new Map<AnyEvent, EventPlans>();
  readonly #byAgent = new Map<string, Map<AnyEvent, EventPlans>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  plansFor(event: AnyEvent, agentId: string | undefined): EventPlans {
    if (this.#version !== this.#registry.version) this.#forget();
    const plans =
      agentId !== undefined && this.#registry.knows(agentId) ? this.#ofAgent(agentId) : this.#shared;
    let found = plans.get(event);
    if (found === undefined) {
      found = plansOf(event, this.#registry.groupsFor(event, agentId));
      if (found.nothing !== undefined) plans.set(event, found);
    }
    return found;
  }

  #ofAgent(agentId: string): Map<AnyEvent, EventPlans> {
    let plans = this.#byAgent.get(agentId);
    if (plans === undefined) {
      if (this.#byAgent.size >= REMEMBERED_AGENTS) this.#byAgent.clear();
      plans = new Map();
      this.#byAgent.set(agentId, plans);
    }
    return plans;
  }

  #forget(): void {
    this.#version = this.#registry.version;
    this.#shared.clear();
    this.#byAgent.clear();
  }
}

function plansOf(event: AnyEvent, groups: readonly HookGroup[]): EventPlans {
  const snapshot = groups.filter((group) => group.hooks.length > 0);
  const empty = snapshot.length === 0;
  const subject = empty ? null : rowOf(event).matcherField;
  const nothing = nothingHappened(event);
  return { subject, nothing, empty, shapes: new InputShapes(), planFor: planner(subject, snapshot) };
}

function planner(field: string | null, snapshot: readonly HookGroup[]): EventPlans['planFor'] {
  if (field === null || snapshot.every((group) => group.matches === undefined)) {
    const plan = planOf(snapshot);
    return () => plan;
  }
  const remembered = new Map<string, Plan>();
  return (subject = '') => {
    let plan = remembered.get(subject);
    if (plan === undefined) {
      plan = planOf(snapshot.filter((group) => group.matches?.(subject) ?? true));
      if (remembered.size >= REMEMBERED_SUBJECTS) remembered.delete(remembered.keys().next().value ?? '');
      if (subject.length <= MAX_REMEMBERED) remembered.set(subject, plan);
    }
    return plan;
  };
}

/**
 * Groups become stages in order, groups with `last` at the end; adjacent groups whose dialect runs in parallel share
 * a stage.
 */
export function planOf(registered: readonly HookGroup[]): Plan {
  if (registered.length === 0) return NOTHING;
  const groups = [...registered.filter(({ last }) => !last), ...registered.filter(({ last }) => last)];
  const stages: { parallel: boolean; joins: boolean; last: boolean; hooks: CompiledHook[] }[] = [];
  const keys = new Set<string>();
  const wires = new Set<Dialect>();
  for (const group of groups) {
    const hooks = group.hooks.filter((hook) => isFirst(hook, keys));
    for (const hook of hooks) if (hook.callback === undefined) wires.add(group.dialect);
    const joins = group.parallel && group.dialect.order === 'parallel';
    const before = stages.at(-1);
    if (joins && before?.joins && before.last === group.last) before.hooks.push(...hooks);
    else stages.push({ parallel: group.parallel, joins, last: group.last, hooks });
  }
  return { stages, steps: stepsOf(stages), wires: [...wires] };
}

function stepsOf(stages: readonly Stage[]): Step[] {
  const steps: Step[] = [];
  for (const { parallel, hooks } of stages) {
    const nextStage = steps.length + (parallel ? 1 : hooks.length);
    for (const together of parallel ? [hooks] : hooks.map((hook) => [hook]))
      steps.push({ parallel, hooks: together, nextStage });
  }
  return steps;
}

/** Hooks with the same key are one hook: the first in plan order. */
function isFirst({ key }: CompiledHook, seen: Set<string>): boolean {
  if (key === undefined) return true;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
