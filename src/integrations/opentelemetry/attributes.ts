/** The attributes of spans and metrics. Texts of agents, hooks and tools are separate, as content. */
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { HookError } from '../../base/errors.js';
import { shorten } from '../../base/text/cut-text.js';
import { isEvent, rowOf } from '../../events/registry.js';
import type { BegunFire, StartedHook } from '../../runner/observer.js';
import type { HookOutcome, HookResult } from '../../runner/outcome.js';
import type { Attribute } from '../../runner/outcome-fields.js';
import { OUTCOME_ROWS, type OutcomeRow, textsIn } from '../../runner/outcome-rows.js';

/** Names that come from a model can have any length. */
const MAX_NAME = 200;
const MAX_CONTENT = 4000;

/** Unknown events share one value, because event names can be arbitrary. */
export const eventOf = ({ event }: BegunFire): string => (isEvent(event) ? event : '_OTHER');

/** Uses OpenTelemetry's attribute names where they exist. */
export function fireAttributes(fire: BegunFire): Attributes {
  const { input, sessionId, agentId, toolUseID } = fire;
  const field = isEvent(fire.event) ? rowOf(fire.event).matcherField : null;
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
  return {
    'hookline.hooks': outcome.results.length,
    ...attributesOf('count', ({ field }) => (outcome[field] as readonly unknown[]).length),
    ...attributesOf('fact', ({ field }) => outcome[field] as AttributeValue | undefined),
    'hookline.blocked': outcome.decision === 'deny',
    'hookline.stopped': outcome.continue === false,
    'hookline.aborted': outcome.aborted,
  };
}

export function outcomeContent(outcome: HookOutcome): Attributes {
  return attributesOf('content', (row) => {
    const texts = textsIn(outcome, row, asText).map((text) => cut(text));
    return texts.length > 0 && Array.isArray(outcome[row.field]) ? texts : texts[0];
  });
}

/** The attributes of one kind for the fields in the table, without undefined ones. */
function attributesOf(
  as: Attribute['as'],
  read: (row: OutcomeRow) => AttributeValue | undefined,
): Attributes {
  const attributes: Attributes = {};
  for (const row of OUTCOME_ROWS) {
    const value = row.attribute?.as === as ? read(row) : undefined;
    if (row.attribute !== null && value !== undefined) attributes[row.attribute.name] = value;
  }
  return attributes;
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

/** A short type for why a fire was rejected. */
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
