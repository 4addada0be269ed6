/** Carries out a plan: stage after stage, each hook seeing the input as the ones before it left it. */
import type { Dialect } from '../config/dialect.js';
import type { CompiledHook } from '../config/group.js';
import { rowOf } from '../events/schemas.js';
import type { ExecutedStage } from './aggregate.js';
import { type Executed, execute, type Fire, leaveOut } from './execute.js';
import type { Plan } from './plan.js';

type Input = Readonly<Record<string, unknown>>;

/** Contract: never rejects; the stages and their hooks come back in plan order. */
export async function runPlan(plan: Plan, input: Input, fire: Fire): Promise<readonly ExecutedStage[]> {
  const stages: ExecutedStage[] = [];
  let current = input;
  /** Dialects for which nothing more needs to be asked. */
  const settled = new Set<Dialect>();
  for (const { parallel, hooks } of plan.stages) {
    const ran: Executed[] = [];
    stages.push({ parallel, hooks: ran });
    if (parallel) {
      const before = current;
      const meant = hooks.filter(
        (hook) => !settled.has(hook.group.dialect) && (hook.applies?.(before) ?? true),
      );
      ran.push(...(await Promise.all(meant.map((hook) => start(hook, before, fire)))));
      for (const [i, executed] of ran.entries()) {
        current = rewritten(current, executed, fire);
        const { dialect } = (meant[i] as CompiledHook).group;
        if (dialect.endsFire?.(fire.event, executed.result.decision)) settled.add(dialect);
      }
      continue;
    }
    for (const hook of hooks) {
      const { dialect } = hook.group;
      if (settled.has(dialect) || hook.applies?.(current) === false) continue;
      const executed = await start(hook, current, fire);
      ran.push(executed);
      if (dialect.endsFire?.(fire.event, executed.result.decision)) settled.add(dialect);
      current = rewritten(current, executed, fire);
      if (executed.result.continue === false) break;
    }
  }
  return stages;
}

/** After the fire was ended nothing starts any more. */
function start(hook: CompiledHook, input: Input, fire: Fire): Promise<Executed> | Executed {
  return fire.cancellation.cancelled ? leaveOut(hook, fire) : execute(hook, input, fire);
}

function rewritten(input: Input, { verdict }: Executed, fire: Fire): Input {
  if (verdict.updatedInput === undefined && verdict.hasUpdatedOutput !== true) return input;
  const { rewrites } = rowOf(fire.event);
  return {
    ...input,
    ...(rewrites.input !== undefined &&
      verdict.updatedInput !== undefined && { [rewrites.input]: verdict.updatedInput }),
    ...(rewrites.output !== undefined &&
      verdict.hasUpdatedOutput === true && { [rewrites.output]: verdict.updatedOutput }),
  };
}
