/** Decides whether a call is allowed, needs confirmation or is denied, by the precedence of rules, mode and hooks. */
import { decideShell, onlyReads } from './decide-shell.js';
import type { JudgedCall } from './judged-call.js';
import type { Place } from './paths.js';
import { protectedName } from './protected-paths.js';
import type { PermissionRule } from './rule.js';
import type { PermissionState } from './state.js';
import type { PermissionVerdict } from './types.js';
import { allow, ask, code, deny } from './verdicts.js';

/** Contract: the same result for the same call, state and files; changes nothing. */
export function decide(judged: JudgedCall, state: PermissionState): PermissionVerdict {
  const verdict = decideByRank(judged, state);
  if (state.mode !== 'dontAsk' || verdict.behavior !== 'ask') return verdict;
  const reason = `${verdict.reason} The mode dontAsk refuses what needs approval.`;
  return deny('mode', reason, verdict.rule);
}

function decideByRank(judged: JudgedCall, state: PermissionState): PermissionVerdict {
  const { call } = judged;
  const tool = call.toolName;
  const denying = state.rules.of('deny').find((rule) => judged.isCaughtBy(rule));
  if (denying)
    return deny(
      'rule',
      `The rule ${code(denying.text)} denies this call of ${tool}.${describeUnresolved(judged)}`,
      denying.text,
    );
  if (state.mode === 'plan' && !call.harmless && changesSomething(judged))
    return deny(
      'mode',
      `The mode plan allows no changes, and ${tool} may change something here. Read, think, and present the plan.`,
    );
  const asking = state.rules.of('ask').find((rule) => judged.isCaughtBy(rule));
  if (asking)
    return ask(
      'rule',
      `${tool} needs approval: the rule ${code(asking.text)} asks for it.${describeUnresolved(judged)}`,
      asking.text,
    );
  const doubtful = [...state.rules.of('deny'), ...state.rules.of('ask')].find((rule) =>
    judged.mayBeCaughtBy(rule),
  );
  if (doubtful) return askInDoubt(judged, doubtful);
  if (call.hook?.decision === 'ask')
    return ask('hook', call.hook.reason || `${tool} needs approval: a hook asks for it.`);
  if (state.mode === 'bypassPermissions') return allow('mode', `The mode bypassPermissions allows ${tool}.`);
  if (call.hook?.decision === 'allow') return allow('hook', call.hook.reason || `A hook allows ${tool}.`);
  return decideByItself(judged, state);
}

/** A deny or ask rule cannot be checked against a line that cannot be analysed: a user must confirm it. */
function askInDoubt({ call, line }: JudgedCall, { text }: PermissionRule): PermissionVerdict {
  const why =
    line?.unreadable === undefined
      ? 'which files or commands it reaches is only known when it runs'
      : line.unreadable;
  return ask(
    'rule',
    `${call.toolName} needs approval: whether the rule ${code(text)} matches this line cannot be determined, because ${why}.`,
    text,
  );
}

/** No hook has decided, and nothing denies the call. */
function decideByItself(judged: JudgedCall, state: PermissionState): PermissionVerdict {
  const { call, edits, line } = judged;
  const tool = call.toolName;
  if (line !== undefined) return decideShell(judged, state);
  const allowing = state.rules.of('allow').filter((rule) => judged.isCoveredBy(rule));
  if (edits) return decideEdit(judged, state, allowing);
  const [rule] = allowing;
  if (rule) return allowByRule(tool, rule);
  if (call.harmless) return allow('tool', `${tool} only changes the agent's own state.`);
  if (call.readOnly) return decideReading(judged, state);
  return ask('default', `${tool} needs approval: no rule allows it.`);
}

function decideEdit(
  { call, places }: JudgedCall,
  state: PermissionState,
  allowing: readonly PermissionRule[],
): PermissionVerdict {
  const tool = call.toolName;
  const guarded = places?.map((place) => protectedName(place, state.directories)).find((name) => name);
  const rule = allowing.find((each) => guarded === undefined || namesGuarded(each, guarded));
  if (rule) return allowByRule(tool, rule);
  const [place] = places ?? [];
  if (places === undefined || place === undefined)
    return ask('default', `${tool} needs approval: its input does not say which file it changes.`);
  if (guarded !== undefined)
    return ask(
      'default',
      `${tool} needs approval: ${code(place.path)} is protected, because ${code(guarded)} decides what runs later.`,
    );
  const outside = places.find((each) => !state.directories.holds(each));
  if (outside) return ask('default', `${tool} needs approval: ${describeOutside(outside, state)}.`);
  if (state.mode === 'acceptEdits')
    return allow('mode', `The mode acceptEdits allows ${tool} in the working directories.`);
  return ask('default', `${tool} needs approval: no rule allows changing ${code(place.path)}.`);
}

/** A protected path is only allowed by a rule that names it: `Edit(.claude/**)`, not `Edit` or `Edit(**)`. */
function namesGuarded({ specifier = '' }: PermissionRule, name: string): boolean {
  return specifier.toLowerCase().split('/').includes(name.toLowerCase());
}

function decideReading({ call, places }: JudgedCall, state: PermissionState): PermissionVerdict {
  const tool = call.toolName;
  if (places === undefined)
    return ask('default', `${tool} needs approval: its input does not say which file it reads.`);
  const outside = places.find((place) => !state.directories.holds(place));
  if (outside) return ask('default', `${tool} needs approval: ${describeOutside(outside, state)}.`);
  return allow(
    'tool',
    places.length === 0 ? `${tool} only reads.` : `${tool} only reads, in the working directories.`,
  );
}

function changesSomething({ call, edits, line }: JudgedCall): boolean {
  if (line !== undefined) return line === null || !onlyReads(line);
  return edits || !call.readOnly;
}

/** A rule about paths also matches every path whose target cannot be determined. */
function describeUnresolved({ unresolved }: JudgedCall): string {
  return unresolved === undefined ? '' : ` The target of ${code(unresolved)} cannot be determined.`;
}

function allowByRule(tool: string, { text }: PermissionRule): PermissionVerdict {
  return allow('rule', `The rule ${code(text)} allows ${tool}.`, text);
}

function describeOutside(place: Place, state: PermissionState): string {
  const leads =
    place.real !== undefined && place.real !== place.path ? `, which leads to ${code(place.real)},` : '';
  return `${code(place.path)}${leads} is outside the working directories (${state.directories.paths.map(code).join(', ')})`;
}
