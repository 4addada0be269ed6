/** What spans and metrics say of a fire and its hooks. Texts of agents, hooks and tools are kept apart, as content. */

import type { Attributes } from '@opentelemetry/api';
import { HookError } from '../../base/errors.js';
import { shorten } from '../../base/text/cut-text.js';
import { isHookEvent, rowOf } from '../../events/schemas.js';
import type { BegunFire, StartedHook } from '../../runner/observer.js';
import type { HookOutcome, HookResult } from '../../runner/outcome.js';

/** Names that come from a model have no bound of their own. */
const MAX_NAME = 200;
const MAX_CONTENT = 4000;

/** Whatever was fired: an event that there is not must not become a value of its own. */
export const eventOf = ({ event }: BegunFire): string => (isHookEvent(event) ? event : '_OTHER');

/** Where OpenTelemetry has a name for something, that is the name. */
export function fireAttributes(fire: BegunFire): Attributes {
  const { input, sessionId, agentId, toolUseID } = fire;
  const field = isHookEvent(fire.event) ? rowOf(fire.event).subject : null;
  return {
    'hookline.event': eventOf(fire),
    ...named('hookline.subject', field === null ? undefined : input[field]),
    ...named('gen_ai.conversation.id', sessionId),
    ...named('gen_ai.agent.id', agentId ?? input['agent_id']),
    ...named('gen_ai.tool.name', input['tool_name']),
    ...named('gen_ai.tool.call.id', toolUseID),
  };
}

export function fireContent({ input }: BegunFire): Attributes {
  return { 'hookline.input': asText(input) };
}

export function outcomeAttributes(outcome: HookOutcome): Attributes {
  const { decision, results, failures, pending } = outcome;
  return {
    'hookline.hooks': results.length,
    'hookline.failures': failures.length,
    'hookline.pending': pending.length,
    ...(decision !== undefined && { 'hookline.decision': decision }),
    'hookline.blocked': decision === 'deny',
    'hookline.stopped': outcome.continue === false,
    'hookline.aborted': outcome.aborted,
  };
}

export function outcomeContent(outcome: HookOutcome): Attributes {
  const { reason, stopReason, updatedInput, additionalContext, systemMessages } = outcome;
  return {
    ...(reason !== undefined && { 'hookline.reason': cut(reason) }),
    ...(stopReason !== undefined && { 'hookline.stop_reason': cut(stopReason) }),
    ...(updatedInput !== undefined && { 'hookline.updated_input': asText(updatedInput) }),
    ...('updatedOutput' in outcome && { 'hookline.updated_output': asText(outcome.updatedOutput) }),
    ...(additionalContext.length > 0 && {
      'hookline.additional_context': additionalContext.map((text) => cut(text)),
    }),
    ...(systemMessages.length > 0 && { 'hookline.system_messages': systemMessages.map((text) => cut(text)) }),
  };
}

export function hookAttributes({ id, name, kind }: StartedHook): Attributes {
  return { 'hookline.hook.id': id, 'hookline.hook.name': shortName(name), 'hookline.hook.kind': kind };
}

export function resultAttributes({ outcome, exitCode, decision, failure }: HookResult): Attributes {
  return {
    'hookline.hook.outcome': outcome,
    'hookline.hook.timed_out': failure?.kind === 'timed-out',
    ...(exitCode !== undefined && { 'hookline.hook.exit_code': exitCode }),
    ...(decision !== undefined && { 'hookline.hook.decision': decision }),
    ...errorType(failure?.kind),
  };
}

export function resultContent({ reason }: HookResult, output: string): Attributes {
  return {
    'hookline.hook.output': cut(output),
    ...(reason !== undefined && { 'hookline.hook.reason': cut(reason) }),
  };
}

export function errorType(kind: string | undefined): Attributes {
  return kind === undefined ? {} : { 'error.type': kind };
}

/** Why a fire was refused, in a word. */
export const refusalType = (error: unknown): string => (error instanceof HookError ? error.code : 'Error');

export const cut = (text: string): string => shorten(text, MAX_CONTENT, '…');

export const shortName = (name: string): string => shorten(name, MAX_NAME, '…');

function named(name: string, value: unknown): Attributes {
  return typeof value === 'string' && value !== '' ? { [name]: shortName(value) } : {};
}

function asText(value: unknown): string {
  try {
    return cut(JSON.stringify(value) ?? '');
  } catch {
    return '';
  }
}
