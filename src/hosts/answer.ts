/**
 * Turns an outcome into an answer that a host can express. What it cannot express becomes a refusal with the reason, where
 * the event can refuse, and is said on stderr otherwise.
 */
import type { Ability, Answer, Host, HostEvent } from '../dialects/host/host.js';
import { canPrevent, rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { HookOutcome } from '../runner/outcome.js';

export interface Expressed {
  readonly answer: Answer;
  /** What has no effect in this host, as sentences. */
  readonly lost: readonly string[];
}

interface Where {
  readonly host: Host;
  readonly own: HostEvent;
  readonly event: AnyEvent;
}

/** Whether a problem of the bridge itself is a refusal. At the end of a turn it is not: the agent would go on for ever. */
export function protects(event: AnyEvent, { can }: HostEvent): boolean {
  return can.includes('refuse') && canPrevent(event) && rowOf(event).blocks !== 'stopping';
}

/** Whether the event comes when it is too late to refuse. */
export const isAfterwards = (event: AnyEvent): boolean => rowOf(event).blocks === 'feedback';

export function expressOutcome(outcome: HookOutcome, toolInput: unknown, where: Where): Expressed {
  const lost: string[] = [];
  const answer = main(outcome, toolInput, where, lost);
  const more = {
    ...said('context', texts(outcome), where, lost),
    ...said('message', outcome.systemMessages, where, lost),
  };
  // A refusal keeps its words: what stands beside it could void it.
  return {
    answer: answer.refuse !== undefined || answer.stop !== undefined ? answer : merged(more, answer),
    lost,
  };
}

function merged(more: Answer, answer: Answer): Answer {
  const context = [answer.context, more.context].filter((text) => text !== undefined).join('\n');
  return { ...more, ...answer, ...(context !== '' && { context }) };
}

const texts = ({ additionalContext = [], injections }: HookOutcome): readonly string[] => [
  ...additionalContext,
  ...injections.map(({ content }) => content),
];

function said(
  ability: 'context' | 'message',
  all: readonly string[],
  { own, host }: Where,
  lost: string[],
): Answer {
  if (all.length === 0) return {};
  if (own.can.includes(ability)) return { [ability]: all.join('\n') };
  if (ability === 'context') lost.push(`${host.title} takes no context on ${own.name}: ${all.join('; ')}`);
  return {};
}

function main(outcome: HookOutcome, toolInput: unknown, where: Where, lost: string[]): Answer {
  const { own, event, host } = where;
  const { decision, updatedInput, updatedOutput } = outcome;
  const { blocks } = rowOf(event);
  const reason = outcome.reason ?? 'A hook refused';
  if (isAfterwards(event)) return afterwards(outcome, where, lost);
  if (blocks === 'stopping') {
    if (outcome.continue === false)
      return own.can.includes('stop') ? { stop: outcome.stopReason ?? reason } : {};
    const goesOn = decision === 'deny' || outcome.continue === true;
    return goesOn ? { refuse: reason } : {};
  }
  if (decision === 'deny') return orLost({ refuse: reason }, where, lost);
  if (outcome.continue === false) {
    const why = outcome.stopReason ?? reason;
    if (own.can.includes('stop')) return { stop: why };
    return orLost({ refuse: `${why} (a hook ended the run; ${host.title} cannot end it here)` }, where, lost);
  }
  if (decision === 'defer')
    return orLost({ refuse: `${reason} (a hook deferred the decision; ${host.title} cannot)` }, where, lost);
  if (decision === 'ask') {
    if (own.can.includes('ask')) return { ask: reason };
    return orLost(
      { refuse: `${reason} (a person has to allow this; ${host.title} cannot ask here)` },
      where,
      lost,
    );
  }
  if (updatedInput !== undefined) return rewritten(updatedInput, toolInput, where, lost);
  if (updatedOutput !== undefined) lost.push(`${host.title} takes no new output on ${own.name}`);
  return decision === 'allow' && own.can.includes('allow') ? { allow: true } : {};
}

/** A rewrite that is dropped would run the very input that a guard wanted changed. */
function rewritten(
  input: Readonly<Record<string, unknown>>,
  old: unknown,
  where: Where,
  lost: string[],
): Answer {
  const { own, host } = where;
  const removed = Object.keys((old ?? {}) as object).filter((key) => !(key in input));
  if (!own.can.includes('rewrite'))
    return orLost(
      { refuse: `A hook changed the input, and ${host.title} cannot take the change. ${again(input)}` },
      where,
      lost,
    );
  if (own.mergesRewrite && removed.length > 0)
    return orLost(
      {
        refuse: `A hook removed ${removed.join(', ')} from the input, and ${host.title} cannot. ${again(input)}`,
      },
      where,
      lost,
    );
  return { rewrite: input };
}

const again = (input: unknown): string => `Call the tool again with this input: ${JSON.stringify(input)}`;

/** It is too late to refuse: the model reads the reason, or another output. */
function afterwards(outcome: HookOutcome, where: Where, lost: string[]): Answer {
  const { own, host } = where;
  const ends = outcome.continue === false;
  const why = outcome.stopReason ?? outcome.reason ?? 'A hook ended the run';
  if (ends && own.can.includes('stop')) return { stop: why };
  if (ends) lost.push(`${host.title} cannot end the run on ${own.name}: ${why}`);
  // A hook that ends the run does not want the model to go on with this output.
  if (ends && own.can.includes('replace')) return { replace: why };
  if (outcome.updatedOutput !== undefined) {
    const { updatedOutput: output } = outcome;
    const shown = typeof output === 'string' ? output : JSON.stringify(output);
    if (own.can.includes('replace')) return { replace: shown === '' ? '(removed by a hook)' : shown };
    lost.push(`${host.title} cannot replace the output on ${own.name}`);
    return {};
  }
  if (outcome.decision !== 'deny') return {};
  const reason = outcome.reason ?? 'A hook refused';
  const way = (['context', 'replace'] as const satisfies readonly Ability[]).find((each) =>
    own.can.includes(each),
  );
  if (way === undefined) lost.push(`${host.title} does not pass on the reason on ${own.name}: ${reason}`);
  return way === undefined ? {} : { [way]: reason };
}

function orLost(answer: { readonly refuse: string }, { own, host }: Where, lost: string[]): Answer {
  if (own.can.includes('refuse')) return answer;
  lost.push(`${host.title} cannot refuse on ${own.name}: ${answer.refuse}`);
  return {};
}
