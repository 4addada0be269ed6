/** Turns what a loop passes to `fire` into the full input that hooks receive. */
import { HookError, messageOf } from '../base/errors.js';
import { viewedParts } from '../base/json/private-view.js';
import { fieldsOfEvent } from '../events/registry.js';
import { describeIssue, fitsInput, inputCheck } from '../events/schemas.js';
import type { AnyEvent } from '../events/types.js';
import { type CompleteInput, type ExtraInput, InputShapes } from './fast/input-shapes.js';

/** Fields that the runner fills in unless the input has them. */
export interface BaseInput {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode?: string;
}

/**
 * Puts the common fields first, as on the wire, and validates the whole input. Throws a HookError, code
 * `invalid_input`. Contract: `shapes` has only seen this event and this `base`.
 */
export function completeInput(
  event: AnyEvent,
  own: object,
  base: BaseInput,
  extra: ExtraInput,
  shapes: InputShapes = new InputShapes(),
): CompleteInput {
  try {
    return shapes.complete(own, extra) ?? lookClosely(event, own, base, extra, shapes);
  } catch (error) {
    if (error instanceof HookError) throw error;
    throw new HookError('invalid_input', `The input of ${event} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function lookClosely(
  event: AnyEvent,
  own: object,
  base: BaseInput,
  extra: ExtraInput,
  shapes: InputShapes,
): CompleteInput {
  const input: Record<string, unknown> = { ...base, hook_event_name: event, ...own };
  for (const key in input)
    if (input[key] === undefined) restore(input, key, { ...base, hook_event_name: event });
  // Symbol keys are never sent to hooks.
  for (const symbol of Object.getOwnPropertySymbols(input)) Reflect.deleteProperty(input, symbol);
  if (extra.agent_id !== undefined) input['agent_id'] ??= extra.agent_id;
  if (extra.tool_use_id !== undefined && 'tool_use_id' in fieldsOfEvent(event).input)
    input['tool_use_id'] ??= extra.tool_use_id;
  const misfit = fitsInput(event, input) ? undefined : inputCheck(event).safeParse(input).error;
  if (misfit !== undefined)
    throw new HookError('invalid_input', `The input of ${event} does not fit: ${describeIssue(misfit)}.`);
  shapes.learn(event, own, extra, input);
  return { record: input, parts: viewedParts(input) };
}

/** A field that is undefined counts as absent: the runner's value is used, or the field is omitted. */
function restore(input: Record<string, unknown>, key: string, base: Readonly<Record<string, unknown>>): void {
  if (Object.hasOwn(base, key)) input[key] = base[key];
  else delete input[key];
}
